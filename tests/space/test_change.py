from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.space import neighbour_overlap

from .test_steps import some_rows


def test_the_same_space_keeps_all_neighbours() -> None:
    rows = some_rows(1)
    assert neighbour_overlap(rows, 2 * rows) == 1.0


def test_unrelated_spaces_keep_what_chance_gives() -> None:
    overlap = neighbour_overlap(some_rows(1, count=300), some_rows(2, count=300))
    assert overlap == pytest.approx(10 / 299, abs=0.04)


def test_too_few_words_to_tell() -> None:
    assert neighbour_overlap(some_rows(1, count=10), some_rows(1, count=10)) is None


def test_other_words_are_refused() -> None:
    with pytest.raises(InputError, match=r"the same words\. Got 60 and 59 rows"):
        neighbour_overlap(some_rows(1), np.delete(some_rows(1), 0, axis=0))
