"""Counts of n-grams in two bytes each: all are found, few others are, and what is damaged is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.errors import DamagedModelError, InputError
from everyword.sentences.context.ngram_table import RATIO, NgramTable, ngram_keys


def table_of(size: int, seed: int = 0) -> tuple[NgramTable, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    keys = np.unique(ngram_keys(*rng.integers(0, 50_000, (3, size))))
    counts = np.exp(rng.uniform(np.log(3), np.log(60_000), len(keys))).astype(np.float32)
    return NgramTable.build(keys, counts), keys, counts


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 3000), st.integers(0, 9))
def test_every_ngram_is_found_with_about_its_count(size: int, seed: int) -> None:
    table, keys, counts = table_of(size, seed)

    found = table.counts(keys)

    assert (found > 0).all()
    # Two n-grams of one bucket may have the same fingerprint; then one of them has the count of the other.
    right = np.abs(np.log(found / counts)) <= np.log(RATIO) / 2 + 1e-4
    assert (~right).sum() <= 2 + 0.02 * len(keys)


def test_few_others_are_found() -> None:
    table, keys, _ = table_of(50_000)
    others = np.setdiff1d(ngram_keys(*np.random.default_rng(9).integers(0, 50_000, (3, 50_000))), keys)

    assert (table.counts(others) > 0).mean() < 0.008
    assert table.entries.nbytes + table.shifts.nbytes < 2.25 * len(keys)


def test_pairs_and_triples_and_orders_differ() -> None:
    first, second = np.arange(1000), np.arange(1000, 2000)
    keys = [ngram_keys(first, second), ngram_keys(second, first), ngram_keys(first, second, first), ngram_keys(first)]

    assert len(np.unique(np.concatenate(keys))) == 4000


def test_a_table_can_be_saved() -> None:
    table, keys, _ = table_of(5000)

    again = NgramTable.from_tensors(table.to_tensors("n-grams"), "n-grams")

    np.testing.assert_array_equal(again.counts(keys), table.counts(keys))


def test_nothing_is_found_for_nothing() -> None:
    assert len(table_of(10)[0].counts(np.empty(0, dtype=np.uint64))) == 0
    with pytest.raises(InputError, match="count on more text"):
        NgramTable.build(np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.float32))
    with pytest.raises(InputError, match="above 0"):
        NgramTable.build(np.ones(1, dtype=np.uint64), np.zeros(1, dtype=np.float32))


@pytest.mark.parametrize("name", ["entries", "shifts", "least"])
def test_a_damaged_table_is_refused(name: str) -> None:
    tensors = table_of(5000)[0].to_tensors("n-grams")
    part = tensors[f"n-grams.{name}"]

    for wrong in (part[:-1], part.astype(np.float64), np.zeros_like(part)[None], part - part.dtype.type(99)):
        if name == "entries" and wrong.dtype == part.dtype and wrong.ndim == 1:
            continue  # other counts, but a table: the checksum of the file tells
        with pytest.raises(DamagedModelError, match="download or save the model again"):
            NgramTable.from_tensors({**tensors, f"n-grams.{name}": wrong}, "n-grams")
    with pytest.raises(DamagedModelError, match="incomplete"):
        NgramTable.from_tensors({}, "n-grams")
