from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.errors import InputError
from everyword.vectors import exact_neighbours, unit_rows
from everyword.vectors.neighbours import rows_of_length


def brute_force(queries: np.ndarray, matrix: np.ndarray, k: int, exclude_self: bool) -> list[list[int]]:
    units, targets = unit_rows(queries).astype(np.float64), unit_rows(matrix).astype(np.float64)
    found = []
    for place, query in enumerate(units):
        cosines = np.array([float(np.float32((query * target).sum())) for target in targets])
        order = sorted(range(len(matrix)), key=lambda row: (-cosines[row], row))
        found.append([row for row in order if not (exclude_self and row == place)][:k])
    return found


@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(1, 40),
    k=st.integers(1, 50),
    block=st.sampled_from([None, 1, 7]),
    exclude_self=st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_equals_brute_force_with_ties(seed: int, rows: int, k: int, block: int | None, exclude_self: bool) -> None:
    rng = np.random.default_rng(seed)
    # Small whole numbers give many equal cosines and zero rows.
    matrix = rng.integers(-1, 2, (rows, 3)).astype(np.float32)
    queries = matrix if exclude_self else rng.integers(-1, 2, (5, 3)).astype(np.float32)
    indices, cosines = exact_neighbours(queries, matrix, k, block=block, exclude_self=exclude_self)
    assert indices.tolist() == brute_force(queries, matrix, k, exclude_self)
    assert (np.diff(cosines, axis=1) <= 0).all()


def test_large_table_uses_group_bounds_and_stays_exact() -> None:
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((5000, 20)).astype(np.float32)
    matrix[4000:4100] = matrix[100:200]
    matrix[300] = 0
    indices, cosines = exact_neighbours(matrix[:300], matrix, 10, exclude_self=True)
    scores = unit_rows(matrix[:300]) @ unit_rows(matrix).T
    scores[np.arange(300), np.arange(300)] = -4
    best = np.argsort(-scores, axis=1, kind="stable")[:, :10]
    assert np.allclose(np.take_along_axis(scores, best, axis=1), cosines, atol=1e-6)
    assert (indices[100:200, 0] == np.arange(4000, 4100)).all()
    assert (indices != np.arange(300)[:, None]).all()


def test_a_zero_vector_finds_the_first_rows_of_a_large_table() -> None:
    matrix = np.random.default_rng(2).standard_normal((5000, 8)).astype(np.float32)
    matrix[:2] = 0
    indices, cosines = exact_neighbours(matrix[:3], matrix, 4, exclude_self=True)
    assert indices[:2].tolist() == [[1, 2, 3, 4], [0, 2, 3, 4]]
    assert not cosines[:2].any()
    assert cosines[2].all()


def test_equal_rows_anywhere_in_a_table_are_found_by_lower_index() -> None:
    matrix = np.tile(np.random.default_rng(1).standard_normal(37).astype(np.float32), (3001, 1))
    indices, cosines = exact_neighbours(matrix[:3], matrix, 4)
    assert indices.tolist() == [[0, 1, 2, 3]] * 3
    assert np.allclose(cosines, 1)


def test_zero_rows_and_queries_never_give_nan() -> None:
    matrix = np.array([[0, 0], [1, 0]], dtype=np.float32)
    indices, cosines = exact_neighbours(matrix, matrix, 9)
    assert indices.tolist() == [[0, 1], [1, 0]]
    assert cosines.tolist() == [[0, 0], [1, 0]]


def test_k_is_clipped_and_arguments_are_checked() -> None:
    matrix = np.eye(3, dtype=np.float32)
    assert exact_neighbours(matrix, matrix, 5)[0].shape == (3, 3)
    assert exact_neighbours(matrix, matrix, 5, exclude_self=True)[0].shape == (3, 2)
    assert exact_neighbours(matrix, matrix[:0], 5)[0].shape == (3, 0)
    assert exact_neighbours(matrix[:0], matrix, 2)[0].shape == (0, 2)
    with pytest.raises(InputError, match="at least 1"):
        exact_neighbours(matrix, matrix, 0)
    with pytest.raises(InputError, match="do not fit"):
        exact_neighbours(matrix[:, :2], matrix, 1)
    with pytest.raises(InputError, match="rows of the table"):
        exact_neighbours(matrix, matrix[:2], 1, exclude_self=True)


@pytest.mark.parametrize("scales", [[1, 3], [1, 0], [1, 1e-30], [1e30, 1], [1e-30, 1e30], []])
def test_rows_get_a_length_whatever_theirs_was(scales: list[float]) -> None:
    directions = np.random.default_rng(0).normal(size=(len(scales), 5)).astype(np.float32)
    rows = directions * np.array(scales, dtype=np.float32)[:, None]
    expected = unit_rows(rows) * 3
    np.testing.assert_allclose(rows_of_length(rows, 3.0), expected, rtol=1e-6)
