"""Edit distance of many pairs at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from everyword.models.retrieval.spellings import Spellings

Distances = NDArray[np.int16]


def edit_distances(first: Spellings, second: Spellings) -> Distances:
    """Optimal string alignment distance of each pair: insertions, deletions, replacements and swaps of neighbours.

    The usual table, row by row, but every cell holds that cell of all pairs.

    >>> edit_distances(Spellings.of(["abc", "abc"]), Spellings.of(["acb", "abcde"])).tolist()
    [1, 2]
    """
    pairs, rows, columns = len(first), first.points.shape[1], second.points.shape[1]
    table = np.empty((rows + 1, columns + 1, pairs), dtype=np.int16)
    table[:, 0] = np.arange(rows + 1)[:, None]
    table[0] = np.arange(columns + 1)[:, None]
    one, other = first.points.T, second.points.T
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            differ = one[i - 1] != other[j - 1]
            best = np.minimum(table[i - 1, j], table[i, j - 1]) + 1
            np.minimum(best, table[i - 1, j - 1] + differ, out=best)
            if i > 1 and j > 1:
                swapped = (one[i - 1] == other[j - 2]) & (one[i - 2] == other[j - 1])
                np.minimum(best, np.where(swapped, table[i - 2, j - 2] + 1, best), out=best)
            table[i, j] = best
    return np.asarray(table[first.lengths, second.lengths, np.arange(pairs)])
