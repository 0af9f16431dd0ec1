from __future__ import annotations

import pytest

from everyword.errors import InputError
from everyword.vectors import Problems


def test_strict_raises_with_place_and_remedy() -> None:
    with pytest.raises(InputError, match=r"^x\.vec:3: the word is empty; repair the file, or .*lenient=True"):
        Problems().skip("empty word", "x.vec:3", "the word is empty")
    with pytest.raises(InputError, match=r"^x\.vec: too short; "):
        Problems().remark("x.vec", "too short")


def test_lenient_counts_by_kind() -> None:
    problems = Problems(lenient=True)
    assert not problems
    assert problems.summary() == ""
    problems.skip("ragged row", "x.vec:17", "...")
    problems.skip("duplicate word", "x.vec:18", "...")
    problems.skip("ragged row", "x.vec:19", "...")
    assert problems
    assert problems.summary() == "skipped 3 rows: 2 ragged row, 1 duplicate word (first at x.vec:17)"
    problems.remark("x.vec", "too short")
    assert problems.summary().endswith("(first at x.vec:17); x.vec: too short")
