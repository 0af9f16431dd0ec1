"""Every study is repeated for real by --seeds, or refuses it in one sentence.

That runs are made as often as findings tell is checked wherever a test runs a study (`repeated.py`).
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

from everyword.cli import main
from everyword.cli.reproduce import TITLES
from everyword.cli.reproduce.studies import COMMANDS
from everyword.studies.claims import Score
from everyword.studies.config import KINDS, load_study, published_studies
from everyword.studies.findings import Findings

EVERY_STUDY = pytest.mark.parametrize("name", [*published_studies()])


def refusal(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["reproduce", *arguments])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    return done.stderr


@EVERY_STUDY
def test_seeds_are_an_option_of_what_is_drawn_and_refused_by_what_is_not(name: str) -> None:
    study = load_study(name)
    if study.is_drawn and not any(option.name == "seeds" for option in COMMANDS[study.kind].params):
        assert "No such option '--seeds'" in refusal(name, "--seeds", "3")
    elif study.is_drawn:
        assert "'--seeds': 0 is not in the range" in refusal(name, "--seeds", "0")
    else:
        assert f"Nothing is drawn or trained in {name}, so all runs are equal: remove --seeds." in (
            refusal(name, "--seeds", "3")
        )


@EVERY_STUDY
def test_more_seeds_are_more_runs_of_what_is_drawn(name: str) -> None:
    study = load_study(name)
    more = replace(study, seeds=study.seeds + 4)
    for variant in study.variants:
        for column in study.benchmarks:
            runs = study.runs(variant, column), more.runs(variant, column)
            assert runs in ((None, None), (1, 1), (study.seeds, study.seeds + 4))
    drawn = any(more.runs(variant, column) == more.seeds for variant in more.variants for column in more.benchmarks)
    assert drawn == study.is_drawn


def test_seeds_that_were_asked_for_and_not_run_are_told_and_not_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()  # these findings break the contract on purpose
    study = replace(load_study("bertram-contexts"), seeds=3)
    rows = {variant.label: dict.fromkeys(study.columns, Score(50.0)) for variant in study.variants}
    found = Findings(study, "small", rows, "encoder 00")
    assert found.to_dict()["seeds"] == 1
    assert {claim["verdict"] for claim in found.to_dict()["claims"]} == {"not tested"}
    text = found.to_text()
    assert "small size, one seed;" in text
    assert "3 seeds were asked for; made fewer times: " in text


def test_every_kind_of_study_has_its_commands() -> None:
    assert list(TITLES) == list(COMMANDS) == list(KINDS)
