from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from everyword.models.retrieval.deletion_table import DeletionTable, table_keys

ENTRIES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=40)


def spread(hashes: list[int]) -> np.ndarray:
    """Small numbers as hashes that differ in their high bits."""
    return np.array(hashes, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)


@given(entries=ENTRIES, asked=st.lists(st.integers(0, 7), max_size=10))
def test_a_hash_finds_all_rows_that_have_it_once_and_in_order(entries: list[tuple[int, int]], asked: list[int]) -> None:
    rows = np.array([row for _, row in entries], dtype=np.int64)
    table = DeletionTable(table_keys(spread([number for number, _ in entries]), rows, words=10), words=10)
    places, found = table.look_up(spread(asked))
    expected = [(place, row) for place, number in enumerate(asked) for h, row in sorted(set(entries)) if h == number]
    assert list(zip(places.tolist(), found.tolist(), strict=True)) == expected


def test_many_entries_of_many_words() -> None:
    rng = np.random.default_rng(0)
    hashes, rows = rng.integers(0, 2**64, size=20_000, dtype=np.uint64), rng.integers(0, 150_000, size=20_000)
    table = DeletionTable(table_keys(hashes, rows, 150_000), 150_000)
    places, found = table.look_up(hashes)
    assert set(zip(range(20_000), rows.tolist(), strict=True)) <= set(zip(places.tolist(), found.tolist(), strict=True))
    assert len(places) < 20_100  # chance finds are rare
