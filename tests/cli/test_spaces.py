"""everyword merge and everyword postprocess."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tiny import tiny_table

from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

from .conftest import Run


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    whole = tiny_table()
    whole.head(280).save(tmp_path / "a.vec")
    VectorTable(whole.words[20:], whole.matrix[20:, :9].copy()).save(tmp_path / "b.npy")
    return tmp_path


def test_postprocess_and_apply_to_later_words(run: Run, tables: Path) -> None:
    result = run(
        "postprocess", "a.vec", "--steps", "centre,all-but-the-top:2,pca:8,spectrum:-0.3", "--output", "c.vec.gz"
    )
    assert result.exit_code == 0, result.stderr
    assert "dimension " in result.stdout
    assert "16 → 8" in result.stdout
    assert "pca.v1: variance kept" in result.stdout
    assert "of 10 neighbours stay" in result.stdout
    assert "fitting pca.v1 to 280 vectors of dimension 16" in result.stderr
    assert result.stderr.endswith(
        "Saved 280 vectors of dimension 8 to c.vec.gz.\nSaved the record to c.vec.gz.record.\n"
    )
    later = run("postprocess", "a.vec", "--record", "c.vec.gz.record", "--limit", 5, "--output", "later.npy")
    assert later.exit_code == 0, later.stderr
    assert later.stderr == "Saved 5 vectors of dimension 8 to later.npy.\n"
    np.testing.assert_allclose(
        read_table(tables / "later.npy").matrix, read_table(tables / "c.vec.gz").matrix[:5], atol=1e-5
    )


def test_merge_and_apply_to_later_words(run: Run, tables: Path) -> None:
    result = run("merge", "a.vec", "b.npy", "--weights", "1,0.7", "--output", "both.npy", "--save-record", "kept")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[:3] == ["words         300", "in all files  260", "dimension     25"]
    assert lines[3].startswith("a.vec         280 words (93.3%), weight 1, ")
    assert lines[4].startswith("b.npy         280 words (93.3%), weight 0.7, 96")
    assert result.stderr.endswith("Saved the record to kept.\n")
    later = run("merge", "a.vec", "-", "--record", "kept", "--limit", 20, "--output", "later.vec")
    assert later.exit_code == 0, later.stderr
    merged, again = read_table(tables / "both.npy"), read_table(tables / "later.vec")
    np.testing.assert_allclose(again.matrix, merged.matrix[:20], atol=1e-5)


def test_all_choices(run: Run, tables: Path) -> None:
    result = run(
        *("merge", "a.vec", "b.npy", "--method", "svd:5", "--vocabulary", "intersection", "--missing", "zero"),
        *("--prepare", "none", "--to", "glove", "--output", "x.y"),
    )
    assert result.exit_code == 0, result.stderr
    assert "variance kept" in result.stdout
    table = read_table(tables / "x.y")
    assert (len(table), table.dim) == (260, 5)


def test_steps_before_a_merge(run: Run, tables: Path) -> None:
    result = run(
        "merge", "a.vec", "b.npy", "--prepare", "all-but-the-top:1", "--method", "average", "--output", "x.vec"
    )
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["merge", "a.vec", "--output", "x.vec"], "A merge needs at least 2 tables. Got 1 instead."),
        (["merge", "a.vec", "-", "--output", "x.vec"], "A file may be absent (-) only with --record"),
        (["merge", "a.vec", "b.npy", "--weights", "1", "--output", "x.vec"], "Got 1 weights for 2 tables"),
        (["merge", "a.vec", "b.npy", "--weights", "1,b", "--output", "x.vec"], "as in 1,0.7. Got '1,b'"),
        (["merge", "a.vec", "b.npy", "--method", "averag", "--output", "x.vec"], "did you mean 'average'?"),
        (["merge", "a.vec", "b.npy", "--output", "x"], "the format is not clear from the name"),
        (["merge", "a.vec", "b.npy", "--record", "r", "--method", "svd", "--output", "x.vec"], "leave out --method"),
        (["merge", "a.vec", "b.npy", "--record", "r", "--output", "x.vec"], "r is not a saved record"),
        (["merge", "a.vec", "none.vec", "--output", "x.vec"], "There is no file none.vec"),
        (["postprocess", "a.vec", "--output", "x.vec"], "Give --steps to fit"),
        (["postprocess", "a.vec", "--steps", "pca:17", "--output", "x.vec"], "17 dimensions cannot be kept"),
        (["postprocess", "a.vec", "--steps", "center", "--output", "x.vec"], "did you mean 'centre'?"),
        (["postprocess", "a.vec", "--steps", "centre"], "Missing option '--output'"),
        (["postprocess", "a.vec", "--steps", "centre", "--record", "r", "--output", "x.vec"], "leave out --steps"),
    ],
)
def test_refusals(run: Run, tables: Path, arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr.splitlines()[-1]
    assert not (tables / "x.vec").exists()


def test_a_record_of_another_space_is_refused(run: Run, refused: Callable[..., str], tables: Path) -> None:
    run("postprocess", "a.vec", "--steps", "centre", "--output", "c.vec")
    sentence = refused("postprocess", "b.npy", "--record", "c.vec.record", "--output", "x.vec")
    assert "fitted to vectors of dimension 16 and cannot be applied to those of dimension 9" in sentence
