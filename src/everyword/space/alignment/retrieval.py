"""Find translations in the common space: by nearest neighbour, or by CSLS, which corrects for crowded regions.

CSLS (Conneau et al., ICLR 2018) compares 2 cos(x, y) - r(x) - r(y), where r is the mean cosine of a word with its ten
nearest words of the other side. For one x, that ranks by cos(x, y) - r(y) / 2. All is exact, block by block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError

NEIGHBOURS = 10
SCORES_AT_ONCE = 1 << 24
GROUPS = 1024


def mean_similarities(rows: FloatArray, others: FloatArray, k: int = NEIGHBOURS) -> FloatArray:
    """Return the mean of the `k` largest cosines of each row with the rows of another matrix; all have length 1."""
    means = np.empty(len(rows), dtype=np.float32)
    for part, scores in score_blocks(rows, others):
        means[part] = _mean_of_largest(scores, min(k, len(others)))
    return means


def neighbourhoods(source: FloatArray, target: FloatArray, k: int = NEIGHBOURS) -> tuple[FloatArray, FloatArray]:
    """Return the mean of the `k` largest cosines of each row of either side with the other, from one product."""
    of_source = np.empty(len(source), dtype=np.float32)
    largest = np.full((len(target), min(k, len(source))), -2, dtype=np.float32)
    for part, scores in score_blocks(source, target):
        of_source[part] = _mean_of_largest(scores, min(k, len(target)))
        both = np.concatenate([largest, scores.T], axis=1)
        place = both.shape[1] - largest.shape[1]
        largest = np.partition(both, place, axis=1)[:, place:]
    return of_source, np.asarray(largest.mean(axis=1), dtype=np.float32)


def penalties(source: FloatArray, target: FloatArray, k: int = NEIGHBOURS) -> FloatArray:
    """Return what CSLS subtracts from the cosine of any source word with each target word: r(y) / 2."""
    halves: FloatArray = mean_similarities(target, source, k) / np.float32(2)
    return halves


def best(queries: FloatArray, targets: FloatArray, penalty: FloatArray | None = None) -> tuple[IndexArray, FloatArray]:
    """Return the target row with the largest score for each query, and the score: the cosine minus the penalty."""
    rows, scores = np.empty(len(queries), dtype=np.int64), np.empty(len(queries), dtype=np.float32)
    for part, block in score_blocks(queries, targets, penalty):
        rows[part] = found = block.argmax(axis=1)
        scores[part] = block[np.arange(len(found)), found]
    return rows, scores


def best_ranks(
    queries: FloatArray, targets: FloatArray, right: Sequence[Sequence[int]], *penalties: FloatArray
) -> list[IndexArray]:
    """Return the rank of the best of the right target rows of each query, from 1; 0 for a query without any.

    Ties count against the right row, and a query without a direction finds nothing.

    Returns:
        The ranks by cosine, and by the cosine minus each of the penalties.
    """
    ranks = [np.zeros(len(queries), dtype=np.int64) for _ in range(1 + len(penalties))]
    for part, block in score_blocks(queries, targets):
        for index, cosines in enumerate(block, start=part.start):
            rows = list(right[index])
            if rows and queries[index].any():
                for found, penalty in zip(ranks, (None, *penalties), strict=True):
                    found[index] = _best_rank(cosines if penalty is None else cosines - penalty, rows)
    return ranks


def _best_rank(scores: FloatArray, right: list[int]) -> int:
    bar = scores[right].max()
    return int(np.count_nonzero(scores >= bar)) - int(np.count_nonzero(scores[right] >= bar)) + 1


def score_blocks(
    queries: FloatArray, targets: FloatArray, penalty: FloatArray | None = None
) -> Iterator[tuple[slice, FloatArray]]:
    """Yield slices of the queries with their scores; the array is used again for the next slice."""
    if not len(targets):
        raise InputError("There are no target vectors among which a translation could be found.")
    if penalty is not None:  # one more column is cheaper than a subtraction from every score
        queries = np.concatenate([queries, np.ones((len(queries), 1), dtype=np.float32)], axis=1)
        targets = np.concatenate([targets, -penalty[:, None]], axis=1)
    step = max(1, SCORES_AT_ONCE // len(targets))
    scores = np.empty((min(step, len(queries)), len(targets)), dtype=np.float32)
    for start in range(0, len(queries), step):
        part = slice(start, min(start + step, len(queries)))
        block = scores[: part.stop - start]
        np.matmul(queries[part], targets.T, out=block)
        yield part, block


def _mean_of_largest(scores: FloatArray, k: int) -> FloatArray:
    """Return the mean of the `k` largest scores of each row.

    Only scores from the k-th largest of the maxima of disjoint groups up are looked at: there are at least k of them,
    and maxima are found many times faster than a whole row is partitioned.
    """
    if k == 1:
        return np.asarray(scores.max(axis=1), dtype=np.float32)
    per_group = scores.shape[1] // max(GROUPS, 4 * k)
    if per_group < 2:
        partitioned = np.partition(scores, scores.shape[1] - k, axis=1)
        return np.asarray(partitioned[:, scores.shape[1] - k :].mean(axis=1), dtype=np.float32)
    groups = scores.shape[1] // per_group
    maxima = scores[:, : per_group * groups].reshape(len(scores), per_group, groups).max(axis=1)
    bounds = np.partition(maxima, groups - k, axis=1)[:, groups - k]
    means = np.empty(len(scores), dtype=np.float32)
    for row, (line, bound) in enumerate(zip(scores, bounds, strict=True)):
        large = line[line >= bound]
        means[row] = np.partition(large, len(large) - k)[len(large) - k :].mean()
    return means
