"""Studies about alignment: every row is run on every direction, and test words never train."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from two_spaces import rotated_tables

from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study
from everyword.studies.kinds.lexicons import Direction, LexiconJob, LexiconSize, LexiconStudy, run_lexicons
from everyword.vectors.table import VectorTable


@pytest.fixture
def job(tmp_path: Path) -> LexiconJob:
    """Two languages that are rotations of each other, with dictionaries of a hundred words."""
    for table, language in zip(rotated_tables(noise=0.2), ("en", "de"), strict=True):
        table.save(tmp_path / f"{language}.vec")
    folder = tmp_path / "data" / "multilingual" / "dict" / "xling" / "en-de"
    folder.mkdir(parents=True)
    parts = {"train5k": range(0, 120), "train1k": range(0, 60), "test": range(110, 160)}
    for part, numbers in parts.items():
        rows = "".join(f"s{number}\tT{number}\n" for number in numbers)
        (folder / f"{part}.tsv").write_text(f"source\ttarget\n{rows}")
    study = load_study("lexicon-induction")
    assert isinstance(study, LexiconStudy)
    small = replace(study, small=LexiconSize(words=200, learning_words=150, rounds=2, sparing=2), seeds=2)
    (tmp_path / "results").mkdir()
    return LexiconJob(
        study=small,
        work=tmp_path / "work",
        results=tmp_path / "results",
        data=tmp_path / "data",
        vectors=tmp_path,
        report=lambda line: None,
    )


def test_test_words_are_left_out_of_training_in_both_directions(job: LexiconJob) -> None:
    assert [pair[0] for pair in job.training(Direction("en", "de"), 5000)] == [f"s{number}" for number in range(110)]
    assert job.training(Direction("de", "en"), 3) == [("T0", "s0"), ("T1", "s1"), ("T2", "s2")]


def test_all_rows_are_scored_and_a_second_run_reads_them(job: LexiconJob) -> None:
    findings = run_lexicons(job)
    supervised = findings.rows["supervised 5k"]
    assert supervised["lexicon/all"].value > 90  # type: ignore[union-attr]
    assert supervised["lexicon/improved"].value == 50  # type: ignore[union-attr]
    assert supervised["lexicon/fi"] is None
    assert findings.rows["self-learning 25, English to German"]["lexicon/all"] is None
    assert findings.rows["self-learning 25, English to German"]["lexicon/en-de"] is not None
    elsewhere = {label for label, row in findings.rows.items() if row["lexicon/en-de"] is None}
    assert elsewhere == {"unsupervised, English to Finnish"}
    pairs = json.loads((job.results / "lexicon-induction-pairs.json").read_text())
    assert pairs["supervised 1k"].keys() == {"en-de", "de-en"}
    assert pairs["supervised 1k"]["en-de"][0]["n"] == 50

    kept = {path.name: path.read_text() for path in job.work.iterdir()}
    again = run_lexicons(job)
    assert {path.name: path.read_text() for path in job.work.iterdir()} == kept
    assert again.to_dict() == findings.to_dict()


def test_without_two_tables_nothing_is_run(job: LexiconJob, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    VectorTable(["a"], np.ones((1, 2), dtype=np.float32)).save(tmp_path / "one" / "en.vec")
    with pytest.raises(InputError, match="needs a vector file for at least two languages"):
        run_lexicons(replace(job, vectors=tmp_path / "one"))


def test_the_size_can_be_changed(job: LexiconJob) -> None:
    changed = replace(job, overrides=("words=50", "rounds=1"))
    assert changed.extent == replace(job.study.small, words=50, rounds=1)
    assert {len(table) for table in changed.tables.values()} == {50}
    with pytest.raises(ConfigError, match="wrods"):
        run_lexicons(replace(job, overrides=("wrods=50",)))
