from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from everyword.models.stored import StoredMatrix

finite = st.floats(-1e4, 1e4, width=32)


@given(matrix=arrays(np.float32, (5, 7), elements=finite))
def test_int8_is_within_half_a_step_of_each_row(matrix: np.ndarray) -> None:
    stored = StoredMatrix.pack(matrix, "int8")
    step = np.abs(matrix).max(axis=1, keepdims=True) / 127
    assert (np.abs(stored.floats() - matrix) <= step * 0.501 + 1e-30).all()
    assert stored.precision == "int8"


def test_zero_rows_stay_zero() -> None:
    assert not StoredMatrix.pack(np.zeros((2, 3), dtype=np.float32), "int8").floats().any()


@pytest.mark.parametrize("precision", ["float32", "float16", "int8"])
def test_tensors_round_trip(precision: str) -> None:
    matrix = np.random.default_rng(0).normal(size=(4, 3)).astype(np.float32)
    stored = StoredMatrix.pack(matrix, precision)
    again = StoredMatrix.from_tensors(stored.to_tensors("name"), "name")
    np.testing.assert_array_equal(again.floats(), stored.floats())
    np.testing.assert_array_equal(again.floats(np.array([2, 0])), stored.floats()[[2, 0]])


def test_vectors_stay_float32() -> None:
    assert StoredMatrix.pack(np.ones(3, dtype=np.float32), "int8").precision == "float32"
