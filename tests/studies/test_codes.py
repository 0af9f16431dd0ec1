"""A study about codes: games of several channels, trained once, and their table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from everyword.config import build
from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study
from everyword.studies.kinds import codes
from everyword.studies.kinds.codes import CodeJob, CodeStudy, CodeVariant, run_codes
from everyword.studies.plots.codes import draw_codes
from everyword.studies.plots.picture import Frame


@pytest.fixture
def job(tmp_path: Path) -> CodeJob:
    study = load_study("emergent-codes")
    assert isinstance(study, CodeStudy)
    rows = tuple(CodeVariant(label=f"{bits} bits", bits=bits, hidden=4) for bits in (2, 3))
    tiny = ("concepts=2", "values=3", "train_share=0.7", "steps=3", "batch=4", "embedding=2", "bit_embedding=2")
    small = replace(study, variants=rows, claims=(), seeds=2, small=tiny)
    return CodeJob(study=small, work=tmp_path / "work", results=tmp_path, report=lambda line: None)


def test_games_are_trained_side_by_side_once_and_scored(job: CodeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    found = run_codes(job)
    row = found.rows["3 bits"]
    assert set(row) == set(job.study.columns)
    assert all(score is not None and 0 <= score.value <= 100 for score in row.values())
    assert found.details is not None
    details = found.details["2 bits"]
    assert details["bits"] == 2
    assert len(details["residual entropy"]) == 2
    monkeypatch.setattr(codes, "train_codes", None)  # all are saved
    assert run_codes(job).rows == found.rows


def test_sizes_that_were_not_asked_for_stay_empty(job: CodeJob) -> None:
    larger = CodeVariant(label="larger", bits=2, hidden=5)
    more = replace(job, study=replace(job.study, variants=(*job.study.variants, larger)), units=(4,))
    found = run_codes(more)
    assert set(found.rows["larger"].values()) == {None}
    assert found.details is not None
    assert "larger" not in found.details
    with pytest.raises(InputError, match="no networks of 7 units"):
        run_codes(replace(job, units=(7,)))


def test_the_published_study_has_a_row_per_channel_and_size(job: CodeJob) -> None:
    study = load_study("emergent-codes")
    assert isinstance(study, CodeStudy)
    assert {variant.hidden for variant in study.variants} == {32, 64, 128}
    assert {variant.bits for variant in study.variants} >= {16, 20, 24, 28}
    with pytest.raises(ConfigError, match="is not one of codes/train accuracy"):
        build(CodeStudy, {"name": "x", "title": "", "source": "", "columns": ["codes/x"], "variants": []}, "the study")


def test_games_are_drawn_by_the_bits_of_their_channel(job: CodeJob, tmp_path: Path) -> None:
    found = run_codes(job).details
    assert found is not None
    draw_codes(found, Frame(tmp_path / "codes.svg"), enough={3: "enough"})
    text = (tmp_path / "codes.svg").read_text(encoding="utf-8")
    assert "4 units" in text
    assert "3 bits: enough" in text
    with pytest.raises(InputError, match="no games to draw"):
        draw_codes({}, Frame(tmp_path / "none.svg"), enough={})
