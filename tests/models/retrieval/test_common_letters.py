from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from everyword.models.retrieval.common_letters import bit_counts, first_bits, positions_of, unmatched

few_letters = st.lists(st.lists(st.integers(1, 4), max_size=8), min_size=1, max_size=5)


def in_common(one: list[int], other: list[int]) -> int:
    """The length of the longest common subsequence, by the book."""
    row = [0] * (len(other) + 1)
    for letter in one:
        before = row
        row = [0]
        for column, second in enumerate(other):
            row.append(before[column] + 1 if letter == second else max(before[column + 1], row[-1]))
    return row[-1]


def as_rows(words: list[list[int]]) -> np.ndarray:
    rows = np.zeros((len(words), 8), dtype=np.uint8)
    for row, word in zip(rows, words, strict=True):
        row[: len(word)] = word
    return rows


@given(words=few_letters, others=few_letters)
def test_what_is_in_common_grows_with_letters_in_common(words: list[list[int]], others: list[list[int]]) -> None:
    query, choice = (grid.ravel() for grid in np.indices((len(words), len(others))))
    lengths = np.array([len(others[row]) for row in choice])
    left = unmatched(positions_of(as_rows(words), 5), query * 5, as_rows(others), choice, lengths)
    left &= first_bits(np.array([len(words[row]) for row in query]))
    for bits, row, other in zip(left.tolist(), query, choice, strict=True):
        word = words[row]
        for position in range(len(word)):
            grows = in_common(word[: position + 1], others[other]) > in_common(word[:position], others[other])
            assert grows != bool(bits >> position & 1)


def test_bits_are_counted_up_to_the_longest_word() -> None:
    numbers = np.array([0, 1, 0b1011, (1 << 24) - 1], dtype=np.uint32)
    assert bit_counts(numbers).tolist() == [0, 1, 3, 24]
    assert first_bits(np.array([0, 1, 24])).tolist() == [0, 1, (1 << 24) - 1]
