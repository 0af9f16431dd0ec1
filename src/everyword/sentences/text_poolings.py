"""Poolings: one vector for a text, given the vectors of its tokens.

A token whose vector is zero is unknown: it has no part in the average, the maximum and the minimum. The poolings of
ends are those of `spans`, applied to the whole text.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import UnknownNameError, did_you_mean
from everyword.sentences.spans import pool

REDUCED = ("average", "sum", "max", "min")
SINGLE: dict[str, Callable[[IndexArray], IndexArray]] = {
    "first": lambda last: last * 0,
    "third": lambda last: np.rint((last + 1) / 3).astype(np.int64).clip(0, last),
    "two-thirds": lambda last: np.rint(2 * (last + 1) / 3).astype(np.int64).clip(0, last),
    "last": lambda last: last,
}
"""Poolings that take the vector of one token: which one, given the number of the last."""
ENDS = ("endpoint", "diff-sum", "coherent")
TEXT_POOLINGS = (*REDUCED, *SINGLE, *ENDS)


def pool_texts(name: str, vectors: FloatArray, starts: IndexArray) -> FloatArray:
    """Return a vector for each text; zeros for a text without known tokens.

    Args:
        name: One of `TEXT_POOLINGS`.
        vectors: The vectors of all tokens, text after text, (tokens, dim).
        starts: The row of the first token of each text, and behind the last.

    Raises:
        UnknownNameError: If there is no such pooling.

    >>> vectors = np.array([[1, -1], [3, 0], [0, 0]], dtype=np.float32)
    >>> [pool_texts(name, vectors, np.array([0, 3])).tolist() for name in ("average", "sum", "min", "last")]
    [[[2.0, -0.5]], [[4.0, -1.0]], [[1.0, -1.0]], [[0.0, 0.0]]]
    """
    if name not in TEXT_POOLINGS:
        raise UnknownNameError(f"There is no pooling of texts {name!r}: {did_you_mean(name, TEXT_POOLINGS)}")
    lengths = np.diff(starts)
    if name in REDUCED:
        return _reduced(name, vectors, np.repeat(np.arange(len(lengths)), lengths), len(lengths))
    some = np.flatnonzero(lengths)
    if name in SINGLE:
        found = np.zeros((len(lengths), vectors.shape[1]), dtype=np.float32)
        found[some] = vectors[starts[some] + SINGLE[name](lengths[some] - 1)]
        return found
    pooled = [pool(name, vectors[starts[text] : starts[text + 1]], [(0, int(lengths[text]) - 1)])[0] for text in some]
    found = np.zeros((len(lengths), len(pooled[0]) if pooled else 0), dtype=np.float32)
    found[some] = pooled
    return found


def _reduced(name: str, vectors: FloatArray, text_of: IndexArray, texts: int) -> FloatArray:
    known = np.flatnonzero(vectors.any(axis=1))
    counts = np.bincount(text_of[known], minlength=texts)
    some = counts > 0
    found = np.zeros((texts, vectors.shape[1]), dtype=np.float32)
    if some.any():
        firsts = (np.cumsum(counts) - counts)[some]
        reduce = {"max": np.maximum, "min": np.minimum}.get(name, np.add)
        found[some] = reduce.reduceat(vectors[known].astype(np.float32), firsts, axis=0)
    if name == "average":
        found[some] /= counts[some, None].astype(np.float32)
    return found
