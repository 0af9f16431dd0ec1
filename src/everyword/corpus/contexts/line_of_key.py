"""Which line the sentence hash in a key means."""

from __future__ import annotations

from collections.abc import Callable, Container

import numpy as np

from everyword.arrays import HashArray, IndexArray
from everyword.corpus.contexts.lowest import HASH_MASK, rows_of, sentence_hash
from everyword.corpus.contexts.number_index import NumberIndex


def lines_of_keys(
    keys: HashArray, line_hashes: HashArray, words_of_line: Callable[[int], Container[int]]
) -> IndexArray:
    """The first line of each key's sentence.

    A key has fewer bits than a line's hash, and in many lines two may agree in those: their words then decide.
    """
    distinct_hashes, first_lines = np.unique(line_hashes, return_index=True)
    short = sentence_hash(distinct_hashes)
    # The hashes are sorted, so those that agree in their high bits are neighbours.
    repeats = short[1:] == short[:-1]
    once = np.append(True, ~repeats) if len(short) else repeats
    lines = NumberIndex(short[once], first_lines[once]).rows(keys & HASH_MASK)
    for hash_ in set(short[1:][repeats].tolist()):
        candidates = sorted(first_lines[short == hash_].tolist())
        for key in np.flatnonzero(keys & HASH_MASK == hash_).tolist():
            row = int(rows_of(keys[key : key + 1])[0])
            lines[key] = next(line for line in candidates if row in words_of_line(line))
    return lines
