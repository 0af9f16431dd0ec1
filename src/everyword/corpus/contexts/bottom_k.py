"""Bottom-k sampling: keep, for each word, the sentences with the lowest hashes.

The sample does not depend on the order or the division of the corpus. A key holds a word in its high bits and the hash
of a sentence in its low bits, so sorting keys sorts words, and the sentences of a word by their hashes.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TypeVar

import numpy as np

from everyword.arrays import AnyArray, BoolArray, HashArray, IndexArray
from everyword.corpus.contexts.word_matcher import ROW_BITS, HashTable

Values = TypeVar("Values", HashArray, IndexArray)
HASH_BITS = 64 - ROW_BITS
HASH_SHIFT = np.uint64(HASH_BITS)
HASH_MASK = np.uint64((1 << HASH_BITS) - 1)
HIGHEST_HASH = HASH_MASK
"""The hash of lines that are not kept as sentences; sentences stay below it."""
TOO_SHORT = np.uint64((1 << 64) - 1)
"""Stands for the hash of a line whose words are counted, but which is not kept as a sentence."""


def sentence_hash(line_hashes: HashArray) -> HashArray:
    """Return the bits of lines' hashes that keys hold."""
    return line_hashes >> np.uint64(ROW_BITS)


def keys_of(rows: IndexArray, hashes: HashArray) -> HashArray:
    """Combine words and sentence hashes into keys."""
    return (rows.astype(np.uint64) << HASH_SHIFT) | hashes


def rows_of(keys: HashArray) -> IndexArray:
    """Return the rows of the words in keys."""
    return (keys >> HASH_SHIFT).astype(np.int64)


def bottom_k(keys: HashArray, numbers: IndexArray, most: int) -> tuple[HashArray, IndexArray]:
    """Return sorted keys, each once and at most `most` per word, with the lowest number of equal keys.

    >>> all_keys = keys_of(np.array([1, 0, 1, 1]), np.array([7, 9, 5, 5], np.uint64))
    >>> keys, numbers = bottom_k(all_keys, np.arange(4)[::-1], 1)
    >>> rows_of(keys).tolist(), (keys & HASH_MASK).tolist(), numbers.tolist()
    ([0, 1], [9, 5], [2, 0])
    """
    order = np.argsort(keys, kind="stable")
    keys, numbers = keys[order], numbers[order]
    first = np.flatnonzero(_begin(keys))
    keys, numbers = keys[first], np.minimum.reduceat(numbers, first) if len(first) else numbers
    kept = _rank_in_row(keys) < most
    return keys[kept], numbers[kept]


def bottom_k_keys(keys: HashArray, most: int) -> tuple[HashArray, HashArray]:
    """Return sorted keys, each once and at most `most` per word, and the last key of each word that has that many."""
    ordered = distinct(keys)
    rank = _rank_in_row(ordered)
    return ordered[rank < most], ordered[rank == most - 1]


def distinct(values: Values) -> Values:
    """Return sorted values, each once, as `np.unique` does, which is slow for many large numbers."""
    ordered = np.sort(values)
    return ordered[_begin(ordered)]


def _rank_in_row(keys: HashArray) -> IndexArray:
    """Return the rank of each of sorted keys among those of its word, from 0."""
    numbers = np.arange(len(keys))
    return numbers - np.maximum.accumulate(np.where(_begin(rows_of(keys)), numbers, 0))


def _begin(values: AnyArray) -> BoolArray:
    """Return which of sorted values differ from the one before."""
    begin = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=begin[1:])
    return begin


def find_lines(keys: HashArray, line_hashes: HashArray, words_of_line: Callable[[int], Container[int]]) -> IndexArray:
    """Return the first line of each key's sentence.

    A key has fewer bits than a line's hash, and in many lines two may agree in those: their words then decide.
    """
    distinct_hashes, first_lines = np.unique(line_hashes, return_index=True)
    short = sentence_hash(distinct_hashes)
    # The hashes are sorted, so those that agree in their high bits are neighbours.
    repeats = short[1:] == short[:-1]
    once = np.append(True, ~repeats) if len(short) else repeats
    lines = HashTable(short[once], first_lines[once]).rows(keys & HASH_MASK)
    for hash_ in set(short[1:][repeats].tolist()):
        candidates = sorted(first_lines[short == hash_].tolist())
        for index in np.flatnonzero(keys & HASH_MASK == hash_).tolist():
            row = int(rows_of(keys[index : index + 1])[0])
            lines[index] = next(line for line in candidates if row in words_of_line(line))
    return lines
