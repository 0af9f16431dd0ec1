"""Texts → vectors: the weighted sum of what their words stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import numpy as np

from everyword import kernel
from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.models.retrieval.runs import run_starts, run_sums
from everyword.sentences.bags import Bag, bag_of, spread
from everyword.sentences.tokens import tokens_of
from everyword.sentences.weights import TextWeights
from everyword.vectors.neighbours import rows_of_length
from everyword.vectors.storage.quantised import Matrix

BATCH = 2048
"""Texts that are encoded together: enough that calls cost nothing."""
PAIRS_AT_ONCE = 1 << 14
"""Rows that are floats at the same time without the compiled kernel: 16 MB for 256 dimensions."""
UNKNOWN = -1
INSIDE_TERM = 0.6
"""How much a word counts that is part of a stored term, beside the term."""
TINY = np.finfo(np.float32).tiny


class TextEncoder:
    """Turns texts into vectors by a model's words and weights."""

    def __init__(self, model: Model, weights: TextWeights) -> None:
        self.model, self.weights = model, weights

    def batches(self, texts: Iterable[str], size: int) -> Iterator[FloatArray]:
        """Encode texts as they come; raise InputError for an item that is not text."""
        iterator, done = iter(texts), 0
        while batch := list(islice(iterator, size)):
            for number, text in enumerate(batch):
                if not isinstance(text, str):
                    raise InputError(
                        f"Texts must be text. Item {done + number} is {text!r:.40}, of type {type(text).__name__}."
                    )
            yield self.encode(batch)
            done += len(batch)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return the weighted means of the words of texts, (texts, dim); zeros for a text without words."""
        return self.weighted_means(self.words_of(texts), len(texts))

    def words_of(self, texts: Sequence[str]) -> Bag:
        """Return what the tokens of texts stand for; what is called a token in a bag is a text here.

        A term of several words stands beside its words, which count less than alone.
        """
        cut = list(map(tokens_of, texts))
        tokens = [token for words in cut for token in words]
        text_of = np.repeat(np.arange(len(texts)), np.fromiter(map(len, cut), np.int64, len(cut)))
        rows = rows_of_tokens(self.model, tokens)
        terms, shares = self.weights.terms.find(rows, text_of), np.ones(len(rows), dtype=np.float32)
        for first, length, _ in terms:
            shares[first : first + length] = INSIDE_TERM
        places = np.array([first for first, _, _ in terms], dtype=np.int64)
        known, unknown = np.flatnonzero(rows >= 0), np.flatnonzero(rows == UNKNOWN)
        place: dict[str, int] = {}
        which = np.array([place.setdefault(tokens[each], len(place)) for each in unknown.tolist()], dtype=np.int64)
        bag = bag_of(self.model, list(place))
        use, found = spread(which, bag.token)
        made_use, made = spread(which, bag.made_token)
        return Bag(
            np.concatenate([text_of[known], text_of[places], text_of[unknown[use]]]),
            np.concatenate([rows[known], np.array([term for _, _, term in terms], dtype=np.int64), bag.row[found]]),
            np.concatenate([shares[known], np.ones(len(places), dtype=np.float32), bag.share[found]]),
            text_of[unknown[made_use]],
            bag.made[made],
            bag.made_share[made],
        )

    def weighted_means(self, bag: Bag, count: int) -> FloatArray:
        """Return the weighted means of what `count` texts stand for."""
        weights = self.weights
        weight = weights.gains[bag.row] * bag.share
        made_weight = bag.made_share * np.float32(weights.made_gain)
        vectors = np.zeros((count, self.model.dim), dtype=np.float32)
        _add_known(self.model.known_words.matrix, (bag.token, bag.row, weight), vectors)
        _add_made(bag.made, bag.made_token, made_weight, vectors)
        if weights.turn is not None:
            vectors = vectors @ weights.turn
        if (corrections := weights.corrections) is not None:
            corrected = np.flatnonzero(bag.row < len(corrections.rows))
            row = bag.row[corrected]
            sums = np.zeros((count, corrections.rows.shape[1]), dtype=np.float32)
            pairs = bag.token[corrected], row, bag.share[corrected] * corrections.lengths[row]
            _add_known(corrections.rows, pairs, sums)
            vectors += sums @ corrections.basis
        totals = np.bincount(bag.token, weight, count) + np.bincount(bag.made_token, made_weight, count)
        vectors /= np.maximum(totals, TINY).astype(np.float32)[:, None]
        return vectors


def rows_of_tokens(model: Model, tokens: Sequence[str]) -> IndexArray:
    """Return the row of each token among the stored words, -1 for one that is not stored."""
    joined = "\n".join(tokens)
    known: KnownWords = model.known_words
    if joined.isascii() and model.normalise.lowercase:
        return known.rows_of(joined.lower().split("\n") if tokens else []).copy()
    normalise = model.normalise
    if not normalise.lowercase:
        return known.rows_of([token if token.isascii() else normalise(token) for token in tokens]).copy()
    return known.rows_of([token.lower() if token.isascii() else normalise(token) for token in tokens]).copy()


def _add_made(rows: FloatArray, text: IndexArray, weight: FloatArray, vectors: FloatArray) -> None:
    """Add weighed vectors to those of texts."""
    if len(text):
        order = np.argsort(text, kind="stable")
        starts = run_starts(text[order])
        vectors[text[order][starts]] += run_sums(rows[order] * weight[order, None], starts)


def _add_known(matrix: Matrix, pairs: tuple[IndexArray, IndexArray, FloatArray], vectors: FloatArray) -> None:
    """Add weighed stored rows, each scaled to length 1, to the vectors of texts."""
    text, row, weight = pairs
    packed = matrix.packed if kernel.compiled else None
    if packed is not None:
        packed.add_directions((text, row, weight), 0.0, vectors)
        return
    order = np.argsort(text, kind="stable")
    for first in range(0, len(order), PAIRS_AT_ONCE):
        part = order[first : first + PAIRS_AT_ONCE]
        weighed = rows_of_length(matrix.floats(row[part]), 1.0) * weight[part, None]
        starts = run_starts(text[part])
        vectors[text[part][starts]] += run_sums(weighed, starts)
