from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.evaluation.paired import combined_probability, paired_permutation


def test_equal_systems_cannot_be_told_apart() -> None:
    counts = np.array([[3, 5], [4, 4], [0, 2]] * 10)

    assert paired_permutation(counts, counts, permutations=500) == 1


def test_a_clear_difference_is_seen_from_both_sides() -> None:
    good, bad = np.array([[5, 5]] * 40), np.array([[3, 5]] * 40)

    assert paired_permutation(good, bad, permutations=2000) < 0.01
    assert paired_permutation(bad, good, permutations=2000) == paired_permutation(good, bad, permutations=2000)


def test_all_permutations_of_few_items() -> None:
    # Of eight ways to exchange three items, only none and all of them keep a difference this large.
    first, second = np.array([[1, 1]] * 3), np.array([[0, 1]] * 3)

    assert paired_permutation(first, second, permutations=20_000) == pytest.approx(2 / 8, abs=0.02)


def test_wholes_may_differ_as_in_f1() -> None:
    first, second = np.array([[2, 3], [2, 2]] * 20), np.array([[2, 5], [0, 4]] * 20)

    assert paired_permutation(first, second, permutations=1000) < 0.01
    assert paired_permutation(np.zeros((3, 2)), np.zeros((3, 2)), permutations=100) == 1


def test_fisher() -> None:
    assert combined_probability([0.1, 0.1]) == pytest.approx(0.01 * (1 - np.log(0.01)))
    assert combined_probability([1.0, 1.0]) == pytest.approx(1)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="same items"):
        paired_permutation(np.zeros((3, 2)), np.zeros((4, 2)))
    with pytest.raises(InputError, match="above 0"):
        combined_probability([0.0])
    with pytest.raises(InputError, match="above 0"):
        combined_probability([])
