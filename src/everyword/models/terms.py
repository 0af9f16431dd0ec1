"""What a caller may ask a model about: a word or several, a vector or several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError

Terms = str | FloatArray | Sequence[str | FloatArray]
"""A word or a vector, or several of them."""


def one_word(word: str) -> str:
    """Return a word; raise InputError for anything else."""
    if not isinstance(word, str):
        raise InputError(f"A word must be text. Got {word!r}, of type {type(word).__name__}, instead.")
    return word


def listed(words: str | Iterable[str]) -> Iterable[str]:
    """Return a list of one word for a word, and an iterable as it is."""
    return words if isinstance(words, Iterable) and not isinstance(words, str) else [one_word(words)]


def numbers(items: Sequence[object]) -> FloatArray:
    """Return numbers, or lists of numbers of equal length, as an array."""
    try:
        return np.asarray(items, dtype=np.float32)
    except (TypeError, ValueError):
        raise InputError("Give words, or a vector or several of equal length.") from None


def fitting(vectors: FloatArray, dim: int) -> FloatArray:
    """Return vectors as float32; raise InputError if they are not finite or of another dimension."""
    if vectors.ndim not in (1, 2) or vectors.shape[-1] != dim:
        raise InputError(f"Vectors of this model have {dim} numbers. Got an array of shape {vectors.shape} instead.")
    if not np.isfinite(vectors).all():
        raise InputError("Vectors must be finite; these have NaN or infinite numbers.")
    return vectors.astype(np.float32)


def terms(given: Terms | None) -> Sequence[str | FloatArray]:
    """Return words and vectors as a list; none for None."""
    if given is None:
        return []
    if isinstance(given, np.ndarray):
        return list(np.atleast_2d(given)) if given.dtype.kind in "fiu" else given.tolist()
    return [given] if isinstance(given, str) else given


def contains_term(longer: str, term: str) -> bool:
    """Return whether a term of several words contains another one.

    >>> [contains_term(longer, "heart") for longer in ("heart attack", "hearts", "sweetheart deal")]
    [True, False, False]
    """
    return " " in longer and f" {term} " in f" {longer} "
