from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from everyword.vectors.read import read_table

from .conftest import Run

BROKEN = "4 2\ncat 1 2\ncat 3 4\ndog 1\neel 5 6\n"


def test_round_trip(run: Run, teacher_path: Path, tmp_path: Path) -> None:
    steps = [teacher_path, "a.npy", "b.bin.gz", "c.glove", "d.glove.xz", "e.npy", "f.vec"]
    for source, target in pairwise(steps):
        result = run("convert", source, target)
        assert result.exit_code == 0, result.stderr
        assert result.stderr == f"Saved 300 vectors of dimension 16 to {target}.\n"
    assert (tmp_path / "f.vec").read_bytes() == teacher_path.read_bytes()


def test_named_formats_and_limit(run: Run, teacher_path: Path, tmp_path: Path) -> None:
    result = run("convert", teacher_path, "x.y", "--from", "word2vec", "--to", "glove", "--limit", 7)
    assert result.exit_code == 0, result.stderr
    table, teacher = read_table(tmp_path / "x.y"), read_table(teacher_path)
    assert table.words == teacher.words[:7]
    np.testing.assert_array_equal(table.matrix, teacher.matrix[:7])


def test_lenient_says_what_was_skipped(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.vec").write_text(BROKEN)
    result = run("convert", "bad.vec", "good.vec", "--lenient")
    assert result.exit_code == 0
    summary, wrote = result.stderr.splitlines()
    assert summary == "skipped 2 rows: 1 duplicate word, 1 ragged row (first at bad.vec:3)"
    assert wrote == "Saved 2 vectors of dimension 2 to good.vec."
    assert read_table(tmp_path / "good.vec").words == ["cat", "eel"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bad.vec", "x.vec"], "bad.vec:3: the word 'cat' appears for the second time"),
        (["missing.vec", "x.vec"], "There is no file missing.vec"),
        (["bad.vec", "x.tgz"], "can only be read"),
        (["bad.vec", "x.vec", "--to", "word2vc"], "is not one of"),
        (["bad.vec", "x.vec", "--limit", "-1"], "is not in the range"),
        (["words.txt", "x.vec"], "not a known format"),
        (["bad.vec"], "Missing argument 'TARGET'"),
        (["bad.vec", "no/x.vec"], "There is no folder no"),
    ],
)
def test_refusals(refused: Callable[..., str], tmp_path: Path, arguments: list[str], sentence: str) -> None:
    (tmp_path / "bad.vec").write_text(BROKEN)
    (tmp_path / "words.txt").write_text("cat\ndog\n")
    assert sentence in refused("convert", *arguments)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.vec", "words.txt"]
