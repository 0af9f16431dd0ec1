"""Kept studies: their verdicts follow from their scores, and none of them rests on fewer than three seeds."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import pytest

from everyword import config
from everyword.studies.claims import LEAST_SEEDS, Score, mean_row
from everyword.studies.config import ModelStudy, load_study, published_studies
from everyword.studies.findings import Findings
from everyword.studies.kept import changes_since, judged_again, rows_of

FOLDER = Path(__file__).parents[2] / "benchmarks" / "results" / "studies"
KEPT = sorted(path.stem for path in FOLDER.glob("*.json"))
EVERY_KEPT_STUDY = pytest.mark.parametrize("name", KEPT)
RAREWORD = "similarity/rareword"


def read(name: str) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return kept


@EVERY_KEPT_STUDY
def test_every_kept_study_is_a_published_one_under_its_own_name(name: str) -> None:
    kept = read(name)
    assert kept["study"] in published_studies()
    assert name == kept["study"] + ("-full" if kept["size"] == "full" else "")


def test_only_the_command_makes_studies() -> None:
    """No script puts a study together; `judge.py` changes verdicts alone."""
    scripts = {path.name: path.read_text(encoding="utf-8") for path in (FOLDER.parents[1]).rglob("*.py")}
    assert scripts
    assert not [name for name, text in scripts.items() if "Findings(" in text or ".findings import Findings" in text]


@EVERY_KEPT_STUDY
def test_kept_studies_tell_what_they_stand_on(name: str) -> None:
    kept = read(name)
    assert date.fromisoformat(kept["date"])
    assert kept["teacher"]
    assert isinstance(kept["settings"], list)
    assert {"commit", "seeds", "margin", "cautions"} <= set(kept)
    assert all("seeds" in row for row in kept["variants"])


@EVERY_KEPT_STUDY
def test_kept_verdicts_follow_from_kept_scores(name: str) -> None:
    kept = read(name)
    assert judged_again(kept, load_study(kept["study"])) == kept, "run benchmarks/judge.py"


@EVERY_KEPT_STUDY
def test_no_kept_verdict_rests_on_fewer_than_three_seeds(name: str) -> None:
    kept = read(name)
    rows = rows_of(kept)
    for claim in kept["claims"]:
        scores = [rows[label][claim["on"]] for label in (claim["better"], *claim["than"])]
        seeds = [score.seeds for score in scores if score is not None and score.seeds is not None]
        assert claim["verdict"] == "not tested" or min(seeds, default=LEAST_SEEDS) >= LEAST_SEEDS
        assert claim["reason"]


@EVERY_KEPT_STUDY
def test_seeds_made_a_difference(name: str) -> None:
    """Runs that are all equal are one run, told several times."""
    kept = read(name)
    scores = [score for row in rows_of(kept).values() for score in row.values() if score is not None]
    repeated = [score for score in scores if score.seeds is not None and score.seeds > 1]
    assert not repeated or sum(bool(score.spread) for score in repeated) > 0.5 * len(repeated)


def old_file(seeds: int) -> dict[str, Any]:
    def row(label: str, value: float | None) -> dict[str, Any]:
        return {"label": label, "ours": {RAREWORD: value}, "spread": {}, "paper": {}, "models": []}

    claims = [{"text": "A is best.", "better": "A", "than": [one], "on": RAREWORD} for one in ("B", "C", "D")]
    verdict = {"verdict": "holds", "margin": 0.5, "score": 9.0, "rivals": {}}
    return {
        **{"study": "toy", "title": "", "source": "", "size": "small", "policy": "infer", "overrides": []},
        **{"teacher": "t.vec 00", "seeds": seeds, "margin": 0.5, "digits": 1},
        "variants": [row("A", 9.0), row("B", 5.0), row("C", 5.0), row("D", None)],
        "claims": [claim | verdict for claim in claims],
        "cautions": [],
    }


@pytest.mark.parametrize(
    ("seeds", "verdicts", "reasons"),
    [
        (1, ["not tested"] * 3, ["one seed; a verdict needs 3"] * 2 + ["no score of D"]),
        (3, ["holds", "holds", "not tested"], ["3 seeds", "3 seeds", "no score of D"]),
    ],
)
def test_files_from_before_scores_told_their_seeds(seeds: int, verdicts: list[str], reasons: list[str]) -> None:
    columns = {"columns": [RAREWORD], "small": ["words.limit=9"]}
    variants = [{"label": "A"}, {"label": "B", "teacher": True}, {"label": "C"}, {"label": "D"}]
    given = {"name": "toy", "title": "", "source": "", "recipe": "love", **columns, "variants": variants}
    study = config.build(ModelStudy, given, "the study")
    found = judged_again(old_file(seeds), study)
    assert [row["seeds"] for row in found["variants"]] == [seeds, None, seeds, {}]
    assert [claim["verdict"] for claim in found["claims"]] == verdicts
    assert [claim["reason"] for claim in found["claims"]] == reasons
    assert found["settings"] == ["words.limit=9"]
    assert judged_again(found, study) == found


def test_what_has_changed_in_a_study_since_its_findings_were_kept() -> None:
    study = load_study("word-operators")
    kept = read("word-operators")
    assert changes_since(kept, study) == []
    assert changes_since(kept, replace(study, margin=9.0, claims=study.claims[1:], seeds=5)) == [
        "claims",
        "seeds",
        "margin",
    ]
    assert changes_since({**kept, "settings": ["epochs=1"]}, study) == ["settings"]
    assert changes_since({**kept, "variants": kept["variants"][1:]}, study) == ["rows"]


def test_new_findings_are_judged_as_kept_ones_are() -> None:
    study = load_study("structured-tags")
    rows = {}
    draw = Random(0)  # many numbers, of which some would be rounded otherwise
    for variant in study.variants:
        runs = [{name: Score(draw.uniform(79, 81)) for name in study.columns} for _ in range(study.seeds)]
        rows[variant.label] = mean_row(runs, study.columns)
    kept = json.loads(json.dumps(Findings(study, "small", rows, "vectors").to_dict()))
    assert judged_again(kept, study) == kept
