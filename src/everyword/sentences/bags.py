"""Tokens → the stored words that they stand for, each with a share, and the vectors of what is not stored.

A stored word stands for itself. A misspelling stands for the words it may be, a number, a hashtag or an emoji for the
words it is read as; what only the spelling tells is a vector of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.models.model import Model
from everyword.models.readings.composer import Composer
from everyword.vectors.neighbours import rows_of_length

POSSESSIVE = ("'s", "’s", "s'", "s’")


class Bag(NamedTuple):
    """What tokens stand for."""

    token: IndexArray
    """The index of a token, for each pair."""
    row: IndexArray
    """The row of a stored word that it stands for."""
    share: FloatArray
    made_token: IndexArray
    """The index of a token, for each vector that is not stored."""
    made: FloatArray
    """Vectors of length 1, or 0 if nothing is known."""
    made_share: FloatArray


def bag_of(model: Model, tokens: Sequence[str]) -> Bag:
    """Return what tokens stand for that are not stored as they are written."""
    if model.blender is None:
        vectors = rows_of_length(model.encode(tokens), 1.0)
        nothing = np.empty(0, dtype=np.int64)
        everything = np.arange(len(tokens))
        ones = np.ones(len(tokens), dtype=np.float32)
        return Bag(nothing, nothing, nothing.astype(np.float32), everything, vectors, ones)
    return _read(model, tokens)


class _Pairs:
    """Pairs as they are collected."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self.rows: list[int] = []
        self.shares: list[float] = []

    def add(self, token: int, row: int, share: float) -> None:
        self.tokens.append(token)
        self.rows.append(row)
        self.shares.append(share)

    def columns(self) -> tuple[IndexArray, IndexArray, FloatArray]:
        return (
            np.array(self.tokens, dtype=np.int64),
            np.array(self.rows, dtype=np.int64),
            np.array(self.shares, dtype=np.float32),
        )


def _read(model: Model, tokens: Sequence[str]) -> Bag:
    index = model.known_words.index
    stored, unknown = _Pairs(), _Pairs()
    place: dict[str, int] = {}
    for number, terms in enumerate(_weighted_texts(model, tokens)):
        total = sum(weight for _, weight in terms)
        for text, weight in terms:
            row = index.get(text)
            if row is None:
                unknown.add(number, place.setdefault(text, len(place)), weight / total)
            else:
                stored.add(number, row, weight / total)
    return _with_unknown(model, stored, list(place), unknown)


def _with_unknown(model: Model, stored: _Pairs, words: Sequence[str], unknown: _Pairs) -> Bag:
    """Add to stored words what unknown ones may be; the rows of `unknown` are places among the words."""
    if not words or model.blender is None:
        nothing = np.empty(0, dtype=np.int64)
        made = np.empty((0, model.dim), dtype=np.float32)
        return Bag(*stored.columns(), nothing, made, nothing.astype(np.float32))
    gate = model.blender.gate
    reading = model.blender.reader.read(words)
    counting = np.flatnonzero(reading.weights.candidates >= gate.LEAST_SHARE)
    form = np.flatnonzero(reading.weights.form >= gate.LEAST_OF_FORM)
    vectors = rows_of_length(model.form_encoder([words[each] for each in form.tolist()]), 1.0)
    token, text, weight = unknown.columns()
    use, which = spread(text, reading.candidates.query[counting])
    form_use, form_which = spread(text, form)
    tokens, rows, shares = stored.columns()
    candidates = counting[which]
    return Bag(
        np.concatenate([tokens, token[use]]),
        np.concatenate([rows, reading.candidates.row[candidates]]),
        np.concatenate([shares, weight[use] * reading.weights.candidates[candidates]]),
        token[form_use],
        vectors[form_which],
        weight[form_use] * reading.weights.form[form[form_which]],
    )


def _weighted_texts(model: Model, tokens: Sequence[str]) -> list[Sequence[tuple[str, float]]]:
    """Return the texts that tokens are read as, each a known word or one to be made from its spelling."""
    composer = model.maker if isinstance(model.maker, Composer) else None
    if composer is None:
        return [[(token, 1.0)] if token else [] for token in map(model.normalise, tokens)]
    found: list[Sequence[tuple[str, float]]] = []
    others: list[tuple[int, str]] = []
    for number, token in enumerate(tokens):
        if composer.reader.is_word(token):
            found.append([(token, 1.0)])
            continue
        lower = token.lower()
        stem = lower[:-2] if lower.endswith(POSSESSIVE[:2]) else lower[:-1] if lower.endswith(POSSESSIVE[2:]) else ""
        if stem in model.known_words.index:
            found.append([(stem, 1.0)])
        elif composer.reader.is_word(lower) and not token.isupper():
            found.append([(lower, 1.0)])
        else:
            found.append([])
            others.append((number, token))
    if others:
        for (number, _), terms in zip(others, composer.weighted_texts([token for _, token in others]), strict=True):
            found[number] = terms
    return found


def spread(uses: IndexArray, groups: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Return, for every use of a group and every item of the group, the indices of both.

    >>> [pairs.tolist() for pairs in spread(np.array([1, 0, 1]), np.array([0, 1, 1]))]
    [[0, 0, 1, 2, 2], [1, 2, 0, 1, 2]]
    """
    order = np.argsort(groups, kind="stable")
    sizes = np.bincount(groups, minlength=int(uses.max(initial=-1)) + 1)
    starts = np.cumsum(sizes) - sizes
    repeats = sizes[uses]
    use = np.repeat(np.arange(len(uses)), repeats)
    first = np.repeat(np.cumsum(repeats) - repeats, repeats)
    return use, order[starts[uses][use] + np.arange(len(use)) - first]
