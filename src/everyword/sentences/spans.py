"""Vectors of spans: six ways to pool the vectors of some adjacent tokens into one (Toshniwal et al., 2020).

A span is a first and a last token, both included: the pieces of a word, the words of a phrase or of a name. Whole-span
poolings see all tokens of a span, boundary poolings the first and the last only. NumPy throughout; the weights of
attention, if they are learnt, are given as an array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import InputError, UnknownNameError, did_you_mean

ENDS, PRODUCT = 480, 32
"""Coherent pooling divides 1024 dimensions in two parts of 480, which are kept, and two of 32, which are multiplied."""


def check_spans(spans: Sequence[tuple[int, int]] | AnyArray, tokens: int) -> IndexArray:
    """Return spans as an array (spans, 2) of first and last token; raise InputError for one that is none of these.

    >>> check_spans([(0, 1), (2, 2)], tokens=3).tolist()
    [[0, 1], [2, 2]]
    """
    found = np.asarray(spans)
    if not found.size:
        return np.empty((0, 2), dtype=np.int64)
    if found.ndim != 2 or found.shape[1] != 2 or not np.issubdtype(found.dtype, np.integer):
        raise InputError(f"Spans must be pairs of a first and a last token. Got {_shown(spans)} instead.")
    wrong = (found[:, 0] < 0) | (found[:, 1] >= tokens) | (found[:, 0] > found[:, 1])
    if wrong.any():
        first, last = found[wrong.argmax()].tolist()
        raise InputError(
            f"A span must begin at 0 or later, end at its begin or later, and before the end of {tokens} tokens. "
            f"Got {first} to {last}."
        )
    return found.astype(np.int64)


def average(vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray) -> FloatArray:
    """Return the means of the vectors of spans, (spans, dim)."""
    return _each(vectors, spans, lambda part: part.mean(axis=0))


def attention(
    vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray, weights: AnyArray | None = None
) -> FloatArray:
    """Return the means of the vectors of spans, weighted by the softmax of their products with a vector.

    Args:
        vectors: The vectors of tokens, (tokens, dim).
        spans: First and last token of each span.
        weights: The vector that tokens are multiplied with, (dim,); zeros, as before any training, give the plain mean.

    Returns:
        Vectors of spans, (spans, dim).

    Raises:
        InputError: If a span or the vector does not fit.
    """
    matrix = _matrix(vectors)
    weights = np.zeros(matrix.shape[1]) if weights is None else np.asarray(weights)
    if weights.shape != (matrix.shape[1],):
        raise InputError(f"Attention needs a vector of {matrix.shape[1]} weights. Got shape {weights.shape} instead.")
    scores = matrix @ weights
    found = check_spans(spans, len(matrix))
    rows = []
    for first, last in found.tolist():
        exponents = np.exp(scores[first : last + 1] - scores[first : last + 1].max())
        rows.append((exponents / exponents.sum()) @ matrix[first : last + 1])
    return np.array(rows, dtype=np.float32).reshape(len(found), matrix.shape[1])


def maximum(vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray) -> FloatArray:
    """Return the largest value of each dimension in spans, (spans, dim)."""
    return _each(vectors, spans, lambda part: part.max(axis=0))


def endpoint(vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray) -> FloatArray:
    """Return the first and the last vector of spans side by side, (spans, 2 dim)."""
    first, last = _ends(vectors, spans)
    return np.concatenate([first, last], axis=1)


def diff_sum(vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray) -> FloatArray:
    """Return the sum of the last and the first vector of spans, and their difference, (spans, 2 dim)."""
    first, last = _ends(vectors, spans)
    return np.concatenate([last + first, last - first], axis=1)


def coherent(vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray) -> FloatArray:
    """Return a part of the first vector of spans, another part of the last, and the product of two further parts.

    Of every 1024 dimensions 480 are kept of either end and 32 of both are multiplied: 256 dimensions give
    120 + 120 + 1 = 241 numbers.
    """
    first, last = _ends(vectors, spans)
    keep, multiply = coherent_parts(first.shape[1])
    third, fourth = 2 * keep, 2 * keep + multiply
    products = (first[:, third:fourth] * last[:, fourth : fourth + multiply]).sum(axis=1, keepdims=True)
    return np.concatenate([first[:, :keep], last[:, keep:third], products], axis=1)


def coherent_parts(dim: int) -> tuple[int, int]:
    """Return how many dimensions are kept of either end, and how many are multiplied.

    >>> coherent_parts(1024), coherent_parts(256)
    ((480, 32), (120, 8))
    """
    half = dim // 2
    multiply = max(1, round(half * PRODUCT / (ENDS + PRODUCT)))
    if half - multiply < 1:
        raise InputError(f"Coherent pooling needs vectors of 4 dimensions or more. Got {dim}.")
    return half - multiply, multiply


POOLINGS: dict[str, Callable[..., FloatArray]] = {
    "average": average,
    "attention": attention,
    "max": maximum,
    "endpoint": endpoint,
    "diff-sum": diff_sum,
    "coherent": coherent,
}
"""All poolings by name."""
BOUNDARY = ("endpoint", "diff-sum", "coherent")
"""Poolings that see nothing between the ends of a span."""


def pool(
    name: str, vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray, weights: AnyArray | None = None
) -> FloatArray:
    """Pool spans by a pooling of this name.

    Args:
        name: "average", "attention", "max", "endpoint", "diff-sum" or "coherent".
        vectors: The vectors of tokens, (tokens, dim).
        spans: First and last token of each span, both included.
        weights: The vector of attention; other poolings take none.

    Returns:
        One row per span, of `pooled_size(name, dim)` numbers.

    Raises:
        UnknownNameError: If there is no such pooling.
        InputError: If a span does not fit the tokens, or weights the pooling.
    """
    if name not in POOLINGS:
        raise UnknownNameError(f"There is no pooling {name!r}: {did_you_mean(name, POOLINGS)}")
    if name == "attention":
        return attention(vectors, spans, weights)
    if weights is not None:
        raise InputError(f"Weights are for attention; the pooling {name!r} takes none.")
    return POOLINGS[name](vectors, spans)


def pool_batch(
    name: str,
    vectors: Sequence[FloatArray],
    spans: Sequence[Sequence[tuple[int, int]]],
    weights: AnyArray | None = None,
) -> FloatArray:
    """Pool the spans of several texts, given the vectors of the tokens of each; rows are in the order of texts."""
    if len(vectors) != len(spans):
        raise InputError(f"Each text needs vectors and spans. Got {len(vectors)} and {len(spans)}.")
    rows = [pool(name, one, some, weights) for one, some in zip(vectors, spans, strict=True)]
    return np.concatenate(rows) if rows else np.empty((0, 0), dtype=np.float32)


def pooled_size(name: str, dim: int) -> int:
    """Return how many numbers a pooling makes of vectors of some dimension.

    >>> [pooled_size(name, 256) for name in POOLINGS]
    [256, 256, 256, 512, 512, 241]
    """
    if name == "coherent":
        return 2 * coherent_parts(dim)[0] + 1
    return 2 * dim if name in BOUNDARY else dim


def spans_of_pieces(words: Sequence[int], spans: Sequence[tuple[int, int]] | AnyArray) -> IndexArray:
    """Turn spans of words into spans of their pieces.

    Args:
        words: How many pieces each word has, 1 or more.
        spans: First and last word of each span, both included.

    Returns:
        First piece of the first word and last piece of the last, for each span.

    Raises:
        InputError: If a word has no piece, or a span does not fit the words.

    >>> spans_of_pieces([1, 3, 2], [(0, 1), (1, 1)]).tolist()
    [[0, 3], [1, 3]]
    """
    counts = np.asarray(words, dtype=np.int64)
    if (counts < 1).any():
        raise InputError(f"Each word needs at least one piece. Word {int((counts < 1).argmax())} has none.")
    ends = np.cumsum(counts)
    found = check_spans(spans, len(counts))
    return np.stack([(ends - counts)[found[:, 0]], ends[found[:, 1]] - 1], axis=1)


def _matrix(vectors: FloatArray) -> FloatArray:
    matrix = np.asarray(vectors, dtype=np.float32)
    if matrix.ndim != 2:
        raise InputError(f"Tokens need vectors of shape (tokens, dim). Got {matrix.shape} instead.")
    return matrix


def _each(
    vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray, pooled: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    matrix = _matrix(vectors)
    found = check_spans(spans, len(matrix))
    rows = [pooled(matrix[first : last + 1]) for first, last in found.tolist()]
    return np.array(rows, dtype=np.float32).reshape(len(found), matrix.shape[1])


def _ends(vectors: FloatArray, spans: Sequence[tuple[int, int]] | AnyArray) -> tuple[FloatArray, FloatArray]:
    matrix = _matrix(vectors)
    found = check_spans(spans, len(matrix))
    return matrix[found[:, 0]], matrix[found[:, 1]]


def _shown(spans: object) -> str:
    return f"{spans!r:.60}"
