from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from made import make_data
from tiny import TINY_OVERRIDES

from everyword.learning.loop import TrainingLoop
from everyword.studies.neighbour_lists import LISTED
from everyword.systems.spelling import train as spelling

from .conftest import Run

STUDY = """
name = "toy"
title = "A toy study"
source = "nobody, table 0"
recipe = "love"
columns = ["similarity/rareword", "similarity/rareword@typo-50", "analogy/msr#3cosmul", "mean"]
small = ["store.words=200"]
cautions = ["Nothing here means anything."]

[[variants]]
label = "Trained"
paper = { "similarity/rareword" = 42.2 }

[[variants]]
label = "untrained"
overrides = ["training.epochs=0"]

[[variants]]
label = "teacher"
teacher = true

[[claims]]
text = "The teacher knows more than an untrained encoder."
better = "teacher"
than = ["untrained"]
on = "analogy/msr#3cosmul"
"""
Reproduce = Callable[..., Result]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_data(tmp_path_factory.mktemp("data"))


@pytest.fixture
def reproduce(run: Run, teacher_path: Path, data: Path, tmp_path: Path) -> Reproduce:
    (tmp_path / "toy.toml").write_text(STUDY, encoding="utf-8")

    def reproduce_toy(*arguments: object) -> Result:
        options = ["--teacher", teacher_path, "--data", data, "--device", "cpu"]
        return run("reproduce", "toy.toml", *options, *TINY_OVERRIDES, *arguments)

    return reproduce_toy


def test_from_study_to_claims(reproduce: Reproduce, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = reproduce()
    assert first.exit_code == 0, first.stderr
    assert first.stderr == "Trained: training\nuntrained: training\n"
    assert first.stdout.startswith(
        "A toy study\nnobody, table 0\nsmall size, one seed; ours (paper), in percent\n\n| variant"
    )
    assert "(42.2) |" in first.stdout
    assert (
        "\nclaims\n  not tested:        The teacher knows more than an untrained encoder. [analogy/msr#3cosmul: teacher"
        in first.stdout
    )
    assert "; one seed; a verdict needs 3]" in first.stdout
    assert first.stdout.endswith("cautions\n  Nothing here means anything.\n")

    monkeypatch.setattr(spelling, "train", None)
    monkeypatch.setattr("everyword.evaluation.run.run_levels", None)
    again = reproduce("--json")
    assert again.exit_code == 0, again.stderr
    assert again.stderr.splitlines() == [
        f"{label}, seed 0: scored before" for label in ("Trained", "untrained", "teacher")
    ]
    found = json.loads(again.stdout)
    assert found == json.loads((tmp_path / "results" / "toy.json").read_text(encoding="utf-8"))
    trained, untrained, teacher = found["variants"]
    curves = found["details"]["curves"]
    assert set(curves) == {"Trained"}, "an untrained model has no curve"
    assert {len(curve) for curve in curves["Trained"].values()} == {len(curves["Trained"]["loss"])}
    assert trained["paper"] == {"similarity/rareword": 42.2}
    assert teacher["ours"]["analogy/msr#3cosmul"] > untrained["ours"]["analogy/msr#3cosmul"]
    *scores, mean = trained["ours"].values()
    assert mean == pytest.approx(sum(scores) / 3, abs=1e-3)
    assert list(found["changed"]) == ["similarity/rareword@typo-50"]
    assert 0 < found["changed"]["similarity/rareword@typo-50"] < 1
    assert "words changed by noise: rareword@typo-50 " in first.stdout
    assert (found["claims"][0]["verdict"], found["claims"][0]["seeds"]) == ("not tested", 1)
    assert (teacher["seeds"], trained["seeds"]) == (None, 1)
    assert trained["n"]["similarity/rareword"] > 0
    assert found["claims"][0]["rivals"] == {"untrained": untrained["ours"]["analogy/msr#3cosmul"]}

    shown = run("table", "results")  # passes over the summary of the study
    assert shown.exit_code == 0, shown.stderr
    assert "toy-trained" in shown.stdout

    other = reproduce("training.learning_rate=0.01")
    assert other.exit_code == 2
    assert "was made with another configuration or teacher; choose another --work, or delete it." in other.stderr


def test_stopped_and_resumed(reproduce: Reproduce, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = json.loads(reproduce("--json", "--work", "straight", "--results", "a").stdout)
    with monkeypatch.context() as stopping:
        stopping.setattr(TrainingLoop, "run", lambda *_, **__: False)
        stopped = reproduce("--work", "stopped", "--results", "b")
    assert stopped.exit_code == 130
    assert stopped.stderr.endswith("Continue with the same command.\n")

    other = reproduce("--work", "stopped", "training.learning_rate=0.01")
    assert other.exit_code == 2
    assert "was started with another configuration" in other.stderr

    resumed = reproduce("--json", "--work", "stopped", "--results", "b")
    assert "Trained: training, resumed\n" in resumed.stderr
    assert json.loads(resumed.stdout)["variants"] == whole["variants"]


def test_several_seeds(reproduce: Reproduce, tmp_path: Path) -> None:
    study = STUDY.replace(', "mean"]', "]\nseeds = 2").replace(
        '[[variants]]\nlabel = "Trained"\n', '[[variants]]\nlabel = "Trained"\noverrides = ["training.epochs=1"]\n'
    )
    (tmp_path / "toy.toml").write_text(study, encoding="utf-8")
    result = reproduce()
    assert result.exit_code == 0, result.stderr
    assert "small size, 2 seeds;" in result.stdout
    assert " ± " in result.stdout
    work = tmp_path / "runs" / "toy"
    assert sorted(path.name for path in (work / "trained").glob("seed-?")) == ["seed-0", "seed-1"]
    assert len(list((work / "shared").iterdir())) == 4, "synonyms and negatives of two lists of words"

    for model in work.glob("*/seed-?"):
        shutil.rmtree(model)
    assert reproduce().stdout == result.stdout, "scores are enough"
    damaged = work / "trained" / "seed-0.json"
    damaged.write_text("{}")
    assert "does not hold scores" in reproduce().stderr


def test_a_row_carries_on_the_training_of_another(reproduce: Reproduce, tmp_path: Path) -> None:
    """Two epochs after one are the same as two, with one epoch to train, and the first row stays as it was."""
    begins, goes_on = '[[variants]]\nlabel = "one"\n', '[[variants]]\nlabel = "two"\n'
    head, rest = STUDY.split('[[variants]]\nlabel = "Trained"\n')
    one = begins + 'overrides = ["training.epochs=1"]\n'
    two = goes_on + 'overrides = ["training.epochs=2"]\n'
    found = []
    for number, more in enumerate(('continues = "one"\n', "")):
        (tmp_path / "toy.toml").write_text(head + 'neighbours = ["ban"]\n' + one + two + more + rest, encoding="utf-8")
        result = reproduce("--json", "--work", f"work-{number}", "--results", f"results-{number}")
        assert result.exit_code == 0, result.stderr
        assert f"two: training{', resumed' if more else ''}\n" in result.stderr
        made = json.loads(result.stdout)
        found.append(([row["ours"] for row in made["variants"]], made["details"]))
    assert found[0] == found[1]
    nearest = found[0][1]["nearest words"]
    assert [*nearest] == ["one", "two", "untrained", "teacher"]
    assert {len(words["ban"]) for words in nearest.values()} == {LISTED}


def test_full_has_a_place_of_its_own(reproduce: Reproduce, tmp_path: Path) -> None:
    assert reproduce("--full").exit_code == 0
    assert (tmp_path / "runs" / "toy-full" / "trained" / "seed-0" / "model").is_dir()
    assert (tmp_path / "results" / "toy-full.json").is_file()


def test_what_cannot_be_used_is_told_in_a_sentence(
    refused: Callable[..., str], teacher_path: Path, data: Path, tmp_path: Path
) -> None:
    with_teacher = ("--teacher", teacher_path)
    assert "did you mean 'love-ablation'" in refused("reproduce", "love-ablatoin", *with_teacher)
    assert "There is no file none.toml." in refused("reproduce", "none.toml", *with_teacher)
    assert "--teacher" in refused("reproduce", "love-ablation")
    assert "none.vec" in refused("reproduce", "love-ablation", "--teacher", "none.vec", "--data", data)
    assert "There is no data folder" in refused("reproduce", "love-ablation", *with_teacher, "--data", "none")
    assert "'rareword' is missing" in refused("reproduce", "love-ablation", *with_teacher, "--data", tmp_path)
    (tmp_path / "bad.toml").write_text(STUDY.replace('"love"', '"luve"').replace("small = ", "means = 1\nsmall = "))
    assert "unknown key 'means'" in refused("reproduce", "bad.toml", *with_teacher, "--data", data)
    wrong = refused("reproduce", "love-shrinking", *with_teacher, "--data", data, "training.epoch=1")
    assert "stems: " in wrong
    assert "did you mean 'epochs'" in wrong


def test_a_score_that_a_task_does_not_have(refused: Callable[..., str], reproduce: Reproduce, tmp_path: Path) -> None:
    (tmp_path / "toy.toml").write_text(STUDY.replace("3cosmul", "4cos"), encoding="utf-8")
    result = reproduce()
    assert result.exit_code == 2
    assert "analogy/msr#4cos has no score '4cos'; choose from 3cosadd" in result.stderr
