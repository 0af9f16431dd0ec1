from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.evaluation.tasks.similarity import average_ranks, spearman

LISTS = st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2).map(np.array)

# Computed once with scipy.stats.spearmanr (1.17).
GOLDEN: list[tuple[list[float], list[float], float]] = [
    ([1, 2, 3, 4, 5], [5, 6, 7, 8, 7], 0.8207826816681233),
    ([1, 2, 3], [3, 2, 1], -1.0),
    ([1, 2, 3, 4], [10, 20, 20, 40], 0.9486832980505139),
    ([1, 1, 2, 2, 3, 3, 3], [3, 1, 2, 2, 2, 5, 1], 0.0891132788679007),
    ([0.5, -1.25, 3, 3, 0, 7.5], [2, 2, 2, -1, 4, 0], -0.6776452139970671),
    ([106, 86, 100, 101, 99, 103, 97, 113, 112, 110], [7, 0, 27, 50, 28, 29, 20, 12, 6, 17], -0.17575757575757575),
]


@pytest.mark.parametrize(("first", "second", "expected"), GOLDEN)
def test_the_correlation_is_the_one_of_scipy(first: list[float], second: list[float], expected: float) -> None:
    assert spearman(np.array(first), np.array(second)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("values", "ranks"),
    [
        ([], []),
        ([5], [1]),
        ([3, 1, 2], [3, 1, 2]),
        ([1, 1, 1, 1], [2.5, 2.5, 2.5, 2.5]),
        ([0.1, -4, 0.1, 9, 9, 9], [2.5, 1, 2.5, 5, 5, 5]),
    ],
)
def test_equal_values_share_the_mean_of_their_ranks(values: list[float], ranks: list[float]) -> None:
    assert average_ranks(np.array(values)).tolist() == ranks


@settings(deadline=None)
@given(LISTS)
def test_only_the_order_of_the_values_counts(pairs: np.ndarray) -> None:
    first, second = pairs.T

    score = spearman(first, second)

    assert -1 - 1e-12 <= score <= 1 + 1e-12
    assert spearman(second, first) == pytest.approx(score)
    assert spearman(np.exp(first), second * 3 - 7) == pytest.approx(score)
    assert spearman(-first, second) == pytest.approx(-score)


@pytest.mark.parametrize("constant", [0, 1])
def test_a_constant_side_has_no_correlation_and_no_warning(constant: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert spearman(np.full(4, constant), np.arange(4)) == 0.0
        assert spearman(np.arange(4), np.full(4, constant)) == 0.0
