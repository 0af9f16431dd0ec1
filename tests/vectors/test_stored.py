from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from everyword.errors import InputError
from everyword.vectors.storage.stored import StoredMatrix

finite = st.floats(-1e4, 1e4, width=32)


@given(matrix=arrays(np.float32, (5, 7), elements=finite))
def test_int8_is_within_half_a_step_of_each_row(matrix: np.ndarray) -> None:
    stored = StoredMatrix.pack(matrix, "int8")
    step = np.abs(matrix).max(axis=1, keepdims=True) / 127
    assert (np.abs(stored.floats() - matrix) <= step * 0.501 + 1e-30).all()
    assert stored.precision == "int8"


@given(matrix=arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=finite))
def test_int4_is_no_worse_than_steps_of_a_seventh_of_the_largest_value(matrix: np.ndarray) -> None:
    stored = StoredMatrix.pack(matrix, "int4")
    assert stored.precision == "int4"
    assert stored.values.nbytes == len(matrix) * ((matrix.shape[1] + 1) // 2)
    largest = np.abs(matrix).max(axis=1, keepdims=True)
    step = largest / 7 + 1e-30
    plain = np.rint(matrix / step) * step
    ours, theirs = (np.square((rows - matrix) / (largest + 1e-30)).sum(axis=1) for rows in (stored.floats(), plain))
    assert (ours <= theirs + 1e-5).all()


def test_int4_keeps_the_direction_of_ordinary_vectors() -> None:
    matrix = np.random.default_rng(0).normal(size=(50, 255)).astype(np.float32)
    again = StoredMatrix.pack(matrix, "int4").floats()
    cosines = (matrix * again).sum(axis=1) / np.linalg.norm(matrix, axis=1) / np.linalg.norm(again, axis=1)
    assert cosines.mean() > 0.993
    assert cosines.min() > 0.988


@pytest.mark.parametrize("precision", ["int8", "int4"])
def test_zero_rows_stay_zero(precision: str) -> None:
    assert not StoredMatrix.pack(np.zeros((2, 3), dtype=np.float32), precision).floats().any()


def test_what_would_be_infinity_in_float16_is_refused() -> None:
    matrix = np.array([[1.0, -65_504.0], [70_000.0, 0.0]], dtype=np.float32)
    with pytest.raises(InputError, match=r"float16 holds numbers up to 65,504, and the vectors have one of 70,000"):
        StoredMatrix.pack(matrix, "float16")
    np.testing.assert_array_equal(StoredMatrix.pack(matrix[:1], "float16").floats(), matrix[:1])


@pytest.mark.parametrize("precision", ["float32", "float16", "int8", "int4"])
@pytest.mark.parametrize("shape", [(4, 3), (4, 6), (1, 1), (0, 3)])
def test_tensors_round_trip(precision: str, shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    stored = StoredMatrix.pack(matrix, precision)
    again = StoredMatrix.from_tensors(stored.to_tensors("name"), "name")
    np.testing.assert_array_equal(again.floats(), stored.floats())
    assert again.floats().shape == shape
    some = np.arange(len(matrix))[::-2]
    np.testing.assert_array_equal(again.floats(some), stored.floats()[some])
    np.testing.assert_array_equal(again.floats(slice(1, 3)), stored.floats()[1:3])
    for rows in (some, some[:0]):
        np.testing.assert_array_equal(again.take(rows).floats(), stored.floats()[rows])


def test_vectors_stay_float32() -> None:
    assert StoredMatrix.pack(np.ones(3, dtype=np.float32), "int8").precision == "float32"
