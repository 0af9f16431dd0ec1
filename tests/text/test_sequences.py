from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from everyword.text.units import Sequences

lists = st.lists(st.lists(st.integers(1, 99), max_size=7), min_size=1, max_size=20)


def as_lists(sequences: Sequences) -> list[list[int]]:
    return [part.tolist() for part in np.split(sequences.flat, np.cumsum(sequences.lengths)[:-1])]


def test_padding_fills_the_right() -> None:
    assert Sequences.of([[3], [4, 5, 6], []]).padded().tolist() == [[3, 0, 0], [4, 5, 6], [0, 0, 0]]


@given(lists=lists, data=st.data())
def test_any_rows_can_be_taken_in_any_order(lists: list[list[int]], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(lists) - 1), min_size=1))
    assert as_lists(Sequences.of(lists).take(np.array(rows))) == [lists[row] for row in rows]


@given(lists=lists, most=st.integers(1, 5))
def test_groups_of_equal_length_hold_each_sequence_once(lists: list[list[int]], most: int) -> None:
    seen: dict[int, list[int]] = {}
    for places, ids in Sequences.of(lists).by_length(most):
        assert len(places) <= most
        seen |= dict(zip(places.tolist(), ids.tolist(), strict=True))
    assert seen == dict(enumerate(lists))
