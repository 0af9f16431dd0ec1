from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from everyword.models.retrieval.deletions import DeletionTable, table_keys

ENTRIES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=40)


def spread(hashes: list[int]) -> np.ndarray:
    """Small numbers as hashes that differ in their high bits."""
    return np.array(hashes, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)


@given(entries=ENTRIES, asked=st.lists(st.integers(0, 7), max_size=10))
def test_a_hash_finds_all_rows_that_have_it_once_and_in_order(entries: list[tuple[int, int]], asked: list[int]) -> None:
    rows = np.array([row for _, row in entries], dtype=np.int64)
    table = DeletionTable(table_keys(spread([number for number, _ in entries]), rows, words=10), words=10)
    places, found = table.look_up(spread(asked), below=np.full(len(asked), 10))
    expected = [(place, row) for place, number in enumerate(asked) for h, row in sorted(set(entries)) if h == number]
    assert list(zip(places.tolist(), found.tolist(), strict=True)) == expected


def test_many_entries_of_many_words() -> None:
    rng = np.random.default_rng(0)
    hashes, rows = rng.integers(0, 2**64, size=20_000, dtype=np.uint64), rng.integers(0, 150_000, size=20_000)
    table = DeletionTable(table_keys(hashes, rows, 150_000), 150_000)
    places, found = table.look_up(hashes, below=np.full(20_000, 150_000))
    assert set(zip(range(20_000), rows.tolist(), strict=True)) <= set(zip(places.tolist(), found.tolist(), strict=True))
    assert len(places) < 20_100  # chance finds are rare


@given(asked=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=50))
def test_a_limit_above_all_rows_finds_nothing_else(asked: list[int]) -> None:
    hashes = np.array(asked, dtype=np.uint64)
    table = DeletionTable(table_keys(hashes, np.zeros(len(asked), dtype=np.int64), words=2), words=2)
    nearly = hashes ^ np.uint64(1 << 40)  # in the same bucket
    places, rows = table.look_up(np.concatenate([hashes, nearly]), np.full(2 * len(asked), 1 << 31))
    assert (rows < 2).all()
    assert set(range(len(asked))) <= set(places.tolist())
