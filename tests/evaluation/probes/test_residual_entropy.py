"""Residual entropy: known codes, both searches, and the correction for chance."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.evaluation.probes.residual_entropy import CodeTable, residual_entropy


def strings(rows: int = 1000, concepts: int = 3, values: int = 5) -> IndexArray:
    return np.random.default_rng(1).integers(values, size=(rows, concepts))


def binary(numbers: IndexArray, bits: int) -> IndexArray:
    """Return the bits of numbers, those of a row one after the other."""
    found: IndexArray = numbers[..., None] >> np.arange(bits) & 1
    return found.reshape(len(numbers), -1)


@pytest.mark.parametrize("search", ["exact", "greedy"])
def test_a_code_put_together_of_codes_is_found_with_its_parts(search: str) -> None:
    attributes = strings()
    order = np.random.default_rng(2).permutation(9)
    found = residual_entropy(attributes, binary(attributes, 3)[:, order], search=search)  # type: ignore[arg-type]
    assert found.value == pytest.approx(0, abs=1e-9)
    assert found.exact == (search == "exact")
    for concept, slots in enumerate(found.partition):
        assert {int(order[slot]) // 3 for slot in slots} == {concept}
        assert len(slots) == 3


@pytest.mark.parametrize("search", ["exact", "greedy"])
def test_a_code_that_has_nothing_to_do_with_the_attributes_leaves_all_unknown(search: str) -> None:
    codes = np.random.default_rng(3).integers(2, size=(1000, 6))
    found = residual_entropy(strings(), codes, search=search)  # type: ignore[arg-type]
    assert found.value > 0.95


def test_codes_that_tell_all_rows_apart_are_not_mistaken_for_knowledge() -> None:
    attributes = strings(rows=200)
    codes = np.random.default_rng(4).permutation(200)[:, None]
    assert residual_entropy(attributes, codes).value == 1.0
    assert residual_entropy(attributes, codes, correct=False).value == pytest.approx(2 / 3)


def test_a_number_of_the_whole_string_is_far_from_compositional() -> None:
    attributes = strings()
    numbers = attributes @ [25, 5, 1]
    shuffled = np.random.default_rng(5).permutation(125)[numbers]
    whole = residual_entropy(attributes, binary(shuffled[:, None], 7), search="exact")
    assert whole.value > 0.5
    assert len(np.unique(shuffled)) == 125  # though it says everything


def test_neither_the_order_of_slots_nor_the_names_of_codes_matter() -> None:
    attributes = strings(rows=500)
    rng = np.random.default_rng(6)
    codes = np.concatenate([binary(attributes, 2), rng.integers(3, size=(500, 1))], axis=1)
    before = residual_entropy(attributes, codes, search="exact")
    order = rng.permutation(codes.shape[1])
    after = residual_entropy(attributes, 7 - 2 * codes[:, order], search="exact")
    assert after.value == pytest.approx(before.value)
    assert [sorted(order[list(slots)].tolist()) for slots in after.partition] == [list(s) for s in before.partition]


def test_refining_a_code_never_raises_the_exact_value() -> None:
    attributes, rng = strings(rows=300), np.random.default_rng(7)
    codes = rng.integers(2, size=(300, 3))
    values = []
    for _ in range(4):
        values.append(residual_entropy(attributes, codes, search="exact", correct=False).value)
        codes = np.concatenate([codes, attributes[:, :1] > rng.integers(5, size=(300, 1))], axis=1)
    assert all(after <= before + 1e-12 for before, after in pairwise(values))


def test_the_exact_value_is_that_of_the_best_of_all_assignments() -> None:
    attributes, codes = strings(rows=60, concepts=2, values=3), np.random.default_rng(8).integers(2, size=(60, 5))
    codes[:, :2] = binary(attributes[:, :1], 2)
    table = CodeTable(attributes, codes)
    owners = np.stack(np.unravel_index(np.arange(3**5), (3,) * 5), axis=1)  # the third owner is none
    every = [table.mean([np.flatnonzero(owner == number) for number in range(2)]) for owner in owners]
    best = residual_entropy(attributes, codes, search="exact")
    assert best.value == pytest.approx(min(every), abs=table.least * 5)
    assert residual_entropy(attributes, codes, search="greedy").value >= min(every) - 1e-12


@pytest.mark.parametrize(
    ("attributes", "codes", "message"),
    [
        (np.zeros((4, 1), dtype=int), np.arange(4)[:, None], "Attribute 0 has the same value"),
        (np.arange(4)[:, None], np.arange(5)[:, None], "the same two or more rows"),
        (np.arange(4)[:, None], np.arange(4), "a column of whole numbers per slot"),
        (np.arange(4.0)[:, None], np.arange(4)[:, None], "a column of whole numbers per attribute"),
        (np.arange(4)[:, None], np.zeros((4, 13), dtype=int), "at most 12 slots"),
    ],
)
def test_arrays_that_cannot_be_used_are_named(attributes: IndexArray, codes: IndexArray, message: str) -> None:
    with pytest.raises(InputError, match=message):
        residual_entropy(attributes, codes, search="exact")
