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
"""Of lines that are no contexts; sentences stay below it."""
TOO_SHORT = np.uint64((1 << 64) - 1)
"""In place of the number of a line that counts, but is no context."""


def sentence_hash(line_hashes: HashArray) -> HashArray:
    """The bits of a line's number that take part in the choice."""
    return line_hashes >> np.uint64(ROW_BITS)


def keys_of(rows: IndexArray, hashes: HashArray) -> HashArray:
    """Word and sentence in one number."""
    return (rows.astype(np.uint64) << HASH_SHIFT) | hashes


def rows_of(keys: HashArray) -> IndexArray:
    """The words of keys."""
    return (keys >> HASH_SHIFT).astype(np.int64)


def bottom_k(keys: HashArray, places: IndexArray, most: int) -> tuple[HashArray, IndexArray]:
    """Sorted keys, each once, at most `most` of a word; of equal keys the first place stays.

    >>> all_keys = keys_of(np.array([1, 0, 1, 1]), np.array([7, 9, 5, 5], np.uint64))
    >>> keys, places = bottom_k(all_keys, np.arange(4)[::-1], 1)
    >>> rows_of(keys).tolist(), (keys & HASH_MASK).tolist(), places.tolist()
    ([0, 1], [9, 5], [2, 0])
    """
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order]
    first = np.flatnonzero(_begin(keys))
    keys, places = keys[first], np.minimum.reduceat(places, first) if len(first) else places
    kept = _rank_in_row(keys) < most
    return keys[kept], places[kept]


def bottom_k_keys(keys: HashArray, most: int) -> tuple[HashArray, HashArray]:
    """Sorted keys, each once, at most `most` of a word; and the last key of each word that has so many."""
    ordered = distinct(keys)
    rank = _rank_in_row(ordered)
    return ordered[rank < most], ordered[rank == most - 1]


def distinct(values: Values) -> Values:
    """Sorted values, each once: what `np.unique` gives, which is slow for many large numbers."""
    ordered = np.sort(values)
    return ordered[_begin(ordered)]


def _rank_in_row(keys: HashArray) -> IndexArray:
    """The place of each of sorted keys among those of its word, from 0."""
    numbers = np.arange(len(keys))
    return numbers - np.maximum.accumulate(np.where(_begin(rows_of(keys)), numbers, 0))


def _begin(values: AnyArray) -> BoolArray:
    """Which of sorted values differ from the one before."""
    begin = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=begin[1:])
    return begin


def find_lines(keys: HashArray, line_hashes: HashArray, words_of_line: Callable[[int], Container[int]]) -> IndexArray:
    """The first line of each key's sentence.

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
        for key in np.flatnonzero(keys & HASH_MASK == hash_).tolist():
            row = int(rows_of(keys[key : key + 1])[0])
            lines[key] = next(line for line in candidates if row in words_of_line(line))
    return lines
