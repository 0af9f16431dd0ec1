"""Studies that train networks on the vectors, from their file to their claims."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result
from made import classification_text, make_data
from tiny import TINY_OVERRIDES

from everyword.evaluation.tasks.extrinsic.learner import Learner, TrainedNetwork
from everyword.models.saved.read import read_model
from everyword.systems.spelling import train as spelling

from .conftest import Run

LADDER = """
name = "toy-ladder"
title = "A toy ladder"
source = "nobody, table 1"
recipe = "love"
policy = "encode"
columns = [
    "classification/sst2",
    "classification/sst2@published-10",
    "tagging/conll2003",
    "tagging/conll2003@typo-50",
    "similarity/rareword",
]
seeds = 2

[networks.small]
items = 12
epochs = { classification = 1, tagging = 1 }
batch = { tagging = 8 }
rates = [1e-2]

[[variants]]
label = "zero"
teacher = true
paper = { "tagging/conll2003@typo-50" = 73.9 }

[[variants]]
label = "characters"
teacher = true
input = "frozen+char"

[[variants]]
label = "LOVE"

[[claims]]
text = "LOVE is better than nothing."
better = "LOVE"
than = ["zero"]
on = "classification/sst2@published-10"

[[claims]]
text = "And than characters."
better = "LOVE"
than = ["characters"]
on = "classification/sst2"
"""
INPUTS = """
name = "toy-inputs"
title = "A toy table of inputs"
source = "nobody, table 2"
recipe = "reconstruction"
columns = ["pos/ud-ewt", "pos/ud-ewt@typo-50#accuracy_unseen"]
networks = { small = { epochs = { pos = 1 }, rates = [1e-2] } }

[[variants]]
label = "FULL"
input = "full"
overrides = ["training.epochs=0"]

[[variants]]
label = "FULL+EMB"
input = "full+emb"
policy = "zero"
overrides = ["training.epochs=0"]

[[variants]]
label = "CHAR(D1)"
input = "char"
"""
Reproduce = Callable[..., Result]
OURS = [
    "classification/sst2",
    "classification/sst2@published-10",
    "tagging/conll2003",
    "tagging/conll2003@typo-50",
    "similarity/rareword",
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_data(tmp_path_factory.mktemp("data"))
    test = classification_text(2)
    (folder / "classification" / "sst2" / "typo_10.tsv").write_text(test.replace("an", "na"), encoding="utf-8")
    return folder


@pytest.fixture
def reproduce(run: Run, teacher_path: Path, data: Path, tmp_path: Path) -> Reproduce:
    def reproduce_toy(study: str, *arguments: object) -> Result:
        (tmp_path / "toy.toml").write_text(study, encoding="utf-8")
        options = ["--teacher", teacher_path, "--data", data, "--device", "cpu"]
        return run("reproduce", "toy.toml", *options, *TINY_OVERRIDES, *arguments)

    return reproduce_toy


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds of the networks that are trained."""
    trained: list[int] = []
    fit = Learner.fit

    def noted(self: Learner[object], rate: float, seed: int) -> TrainedNetwork:
        trained.append(seed)
        return fit(self, rate, seed)

    monkeypatch.setattr(Learner, "fit", noted)
    return trained


def test_a_ladder_from_study_to_claims(reproduce: Reproduce, fits: list[int], tmp_path: Path) -> None:
    first = reproduce(LADDER)
    assert first.exit_code == 0, first.stderr
    networks = ["classification/sst2", "tagging/conll2003"]
    assert first.stderr.splitlines() == [
        *(f"{label}: {name}" for label in ("zero", "characters") for _ in range(2) for name in networks),
        *("LOVE: training", *(f"LOVE: {name}" for name in networks)) * 2,
    ]
    assert fits == [0, 0, 1, 1] * 3
    head, _, *lines = first.stdout.splitlines()[4:11]
    assert head.startswith("| variant ")
    assert [line.split("|")[1].strip() for line in lines] == [name.partition("/")[2] for name in OURS]
    assert "(73.9) |" in lines[-2]
    assert "small size, 2 seeds;" in first.stdout

    fits.clear()
    again = reproduce(LADDER, "--json")
    assert not fits, "nothing that is finished is trained again"
    found = json.loads(again.stdout)
    zero, characters, love = found["variants"]
    assert (list(zero["ours"]), zero["paper"], found["seeds"]) == (OURS, {"tagging/conll2003@typo-50": 73.9}, 2)
    assert all(characters["ours"][name] is not None for name in OURS), "classifiers read characters too"
    assert found["networks"] == {
        "items": 12,
        "epochs": {"classification": 1, "tagging": 1},
        "batch": {"tagging": 8},
        "rates": [0.01],
    }
    assert (found["claims"][0]["verdict"], found["claims"][0]["seeds"]) == ("not tested", 2)
    assert len(set(love["models"])) == 2, "each network has a model of its own"
    assert set(love["spread"]) & set(OURS)
    assert set(found["changed"]) == {name for name in OURS if "@" in name}

    more = reproduce(LADDER, "--json", "--seeds", "3")
    assert fits == [2] * 6, "only the new seed is trained"
    with_three = json.loads(more.stdout)
    assert with_three["seeds"] == 3
    assert with_three["claims"][0]["verdict"] in ("holds", "does not hold", "too close to tell")
    assert all(len(runs) == 3 for row in with_three["variants"] for runs in row["runs"].values())

    shown = reproduce(LADDER, "--json", "networks.epochs.tagging=2")
    assert shown.exit_code == 0, shown.stderr
    assert json.loads(shown.stdout)["networks"]["epochs"] == {"classification": 1, "tagging": 2}


def test_a_killed_study_goes_on_behind_its_last_network(
    reproduce: Reproduce, fits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = json.loads(reproduce(LADDER, "--json", "--work", "straight").stdout)
    fits.clear()
    fit = Learner.fit

    def killed(self: Learner[object], rate: float, seed: int) -> TrainedNetwork:
        if len(fits) == 3:
            raise KeyboardInterrupt
        return fit(self, rate, seed)

    with monkeypatch.context() as killing:
        killing.setattr(Learner, "fit", killed)
        stopped = reproduce(LADDER, "--work", "stopped")
    assert stopped.exit_code == 130
    assert stopped.stderr.endswith("Continue with the same command.\n")
    fits.clear()
    resumed = json.loads(reproduce(LADDER, "--json", "--work", "stopped").stdout)
    assert fits == [1, *[0, 0, 1, 1] * 2], "the second task of the second seed is the first that is missing"
    assert resumed["variants"] == whole["variants"]


def test_taggers_read_what_a_variant_says(reproduce: Reproduce, fits: list[int], tmp_path: Path) -> None:
    first = reproduce(INPUTS, "--json")
    assert first.exit_code == 0, first.stderr
    assert fits == [0, 0, 0]
    rows = {variant["label"]: variant["ours"] for variant in json.loads(first.stdout)["variants"]}
    assert all(set(row) == {"pos/ud-ewt", "pos/ud-ewt@typo-50#accuracy_unseen"} for row in rows.values())
    assert all(0 < value <= 100 for row in rows.values() for value in row.values())

    row = tmp_path / "runs" / "toy-inputs" / "char-d1"
    for path in (row / "seed-0.json", *(row / "seed-0" / "run").iterdir()):
        path.unlink()
    gone = reproduce(INPUTS)
    assert gone.exit_code == 2
    assert "run is missing, with its encoder; delete runs" in gone.stderr


def test_a_taggers_characters_are_read_by_the_encoder_as_it_was_trained(
    reproduce: Reproduce, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {}
    trained = spelling.trained_encoder

    def noted(run: spelling.SpellingRun) -> object:
        encoder, prepared = trained(run)
        found[run.folder.parent.parent.name] = (encoder.fold(), run.folder.parent / "model")
        return encoder, prepared

    monkeypatch.setattr(spelling, "trained_encoder", noted)
    assert reproduce(INPUTS).exit_code == 0

    tables, folder = found["char-d1"]
    saved = read_model(folder).form_encoder.tables
    assert all(np.array_equal(saved[name].floats(), table) for name, table in tables.items())


def test_what_cannot_be_used_is_told_in_a_sentence(reproduce: Reproduce, run: Run, teacher_path: Path) -> None:
    wrong = {
        "networks.item=3": "did you mean 'items'",
        "networks.items=1": "items must be 2 or more",
        "networks.epochs.taging=3": "did you mean 'tagging'",
        "networks.epochs.tagging=0": "epochs.tagging must be 1 or more",
        "networks.rates=[0]": "each of rates must be above 0",
        "training.epoch=1": "did you mean 'epochs'",
    }
    for override, told in wrong.items():
        result = reproduce(LADDER, override)
        assert result.exit_code == 2
        assert told in result.stderr, override
    assert "Invalid value for '--seeds'" in reproduce(LADDER, "--seeds", "0").stderr
    scores = reproduce(LADDER.replace('"tagging/conll2003",', '"tagging/conll2003#f2",'))
    assert "tagging/conll2003#f2 has no score 'f2'; choose from f1, " in scores.stderr


def test_what_is_missing_is_passed_over_and_its_claims_are_not_tested(
    reproduce: Reproduce, run: Run, teacher_path: Path, data: Path, tmp_path: Path
) -> None:
    result = reproduce(LADDER.replace("published-10", "published-20"))
    assert result.exit_code == 0, result.stderr
    passed_over = "classification/sst2@published-20: skipped. There is no published noisy copy of sst2 "
    assert result.stderr.count(passed_over) == 1
    assert (
        "  not tested:        LOVE is better than nothing. [classification/sst2@published-20: LOVE –; zero –; "
        "no score of LOVE, zero]"
    ) in result.stdout
    none = run("reproduce", "reconstruction-similarity", "--teacher", teacher_path, "--data", data, "networks.items=9")
    assert none.exit_code == 2
    assert "The study reconstruction-similarity trains no networks; remove networks.items=9." in none.stderr
