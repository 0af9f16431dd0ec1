"""How far each source is believed: learnt from words whose translations are known, by least squares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.systems.language.english import Translated
from everyword.systems.language.sources import Said, Sources
from everyword.vectors.neighbours import unit_rows

AT_ONCE = 4096
"""Words whose sources are in memory together."""
RIDGE = 1e-3
"""Share of the mean square by which the regressions are damped."""
SEEN_WITH_CORPUS = ("same word", "like a word", "relatives", "end", "beginning")
"""Sources that are believed more where the corpus agrees."""


def evidence(said: dict[str, Said]) -> list[FloatArray]:
    """Return the vectors that a guess is a weighted sum of: each source by itself, by its strength, by agreement."""
    parts = []
    for source in said.values():
        parts += [source.vectors * source.strength[:, None], source.vectors * (source.strength**2)[:, None]]
    corpus = said["corpus"]
    for name in SEEN_WITH_CORPUS:
        source = said[name]
        agreement = np.maximum(np.einsum("ij,ij->i", source.vectors, corpus.vectors), 0) * source.strength
        parts.append(source.vectors * agreement[:, None])
    return parts


def least_squares(examples: Iterator[tuple[Sequence[FloatArray], FloatArray]]) -> FloatArray:
    """Return the weights of vectors whose sum is nearest to the target, none below 0."""
    products: FloatArray | None = None
    for parts, target in examples:
        both = np.stack([*parts, target])
        added = np.einsum("ikd,jkd->ij", both, both, optimize=True).astype(np.float64)
        products = added if products is None else products + added
    if products is None:
        raise ValueError("there is nothing to learn from")
    squares, right = products[:-1, :-1], products[:-1, -1]
    damping = RIDGE * max(np.trace(squares) / len(squares), np.finfo(np.float32).tiny)
    weights, kept = np.zeros(len(right)), np.arange(len(right))
    while len(kept):
        solved = np.linalg.solve(squares[np.ix_(kept, kept)] + damping * np.eye(len(kept)), right[kept])
        if solved.min() >= 0:
            weights[kept] = solved
            break
        kept = np.delete(kept, int(solved.argmin()))
    return weights.astype(np.float32)


@dataclass(frozen=True)
class Combination:
    """The weights of everything that is known of a word."""

    sources: Sources
    translated: Translated
    guess: FloatArray
    """Of the evidence beside translations."""
    known: FloatArray
    """Of translations, of translations by one over their number, and of the guess."""

    @classmethod
    def learn(cls, sources: Sources, translated: Translated, translations: FloatArray) -> Combination:
        """Learn the weights from translated words, as if their translations, or one of them, were not known."""
        have = np.flatnonzero(translations.any(axis=1))
        guess = least_squares((evidence(sources.said(rows, unseen=True)), translations[rows]) for rows in _parts(have))
        several = np.array(
            [row for row in have.tolist() if len(translated.rows[sources.words[row]]) > 1], dtype=np.int64
        )
        known = np.array([1.0, 0.0, 0.0], dtype=np.float32)
        learnt = cls(sources, translated, guess, known)
        if len(several):
            known = least_squares(learnt._without_one(rows) for rows in _parts(several))
        return cls(sources, translated, guess, known)

    def described(self) -> dict[str, dict[str, float]]:
        """Return the weights by name."""
        names = [f"{source}{how}" for source in self.sources.names for how in ("", ", surely")]
        names += [f"{source}, as the corpus" for source in SEEN_WITH_CORPUS]
        known = ("translations", "one translation", "guess")
        return {
            "guess": {name: round(float(weight), 4) for name, weight in zip(names, self.guess, strict=True)},
            "translated": {name: round(float(weight), 4) for name, weight in zip(known, self.known, strict=True)},
        }

    def _guessed(self, rows: IndexArray, *, unseen: bool) -> FloatArray:
        parts = evidence(self.sources.said(rows, unseen=unseen))
        total: FloatArray = np.einsum("k,knd->nd", self.guess, np.stack(parts), optimize=True)
        return total

    def _without_one(self, rows: IndexArray) -> tuple[list[FloatArray], FloatArray]:
        """Return the evidence of words without one of their translations, and that translation."""
        words = [self.sources.words[row] for row in rows.tolist()]
        targets, rest = np.empty((2, len(words), self.translated.meanings.shape[1]), dtype=np.float32)
        left = np.empty(len(words), dtype=np.float32)
        for number, word in enumerate(words):
            without = rows[number] % len(self.translated.rows[word])
            targets[number] = self.translated.meanings[self.translated.rows[word][without]]
            rest[number], left[number] = self.translated.vector(word, without), len(self.translated.rows[word]) - 1
        return [rest, rest / left[:, None], self._guessed(rows, unseen=True)], targets

    def vectors(self, translations: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return unit vectors of all words, and how reliable they are.

        That is the expected cosine to what the word means; for a word with translations, the cosine to those.
        """
        vectors, sure = np.empty_like(translations), np.empty(len(translations), dtype=np.float32)
        numbers = np.array([len(self.translated.rows.get(word, ())) for word in self.sources.words])
        for rows in _parts(np.arange(len(translations))):
            own, count = translations[rows], np.maximum(numbers[rows], 1)[:, None]
            guessed = self._guessed(rows, unseen=False)
            has = np.asarray(own.any(axis=1))[:, None]
            whole = (self.known[0] + self.known[1] / count) * own + np.where(has, self.known[2], 1) * guessed
            filled = whole + np.where(has, 0, self._unknown(rows, whole))
            guess = np.einsum("ij,ij->i", whole, whole) / _lengths(filled)
            meant = np.einsum("ij,ij->i", whole, own) / _lengths(whole)
            sure[rows] = np.clip(np.where(has[:, 0], meant, guess), 0, 1)
            vectors[rows] = filled
        return unit_rows(vectors, in_place=True), sure

    def _unknown(self, rows: IndexArray, guessed: FloatArray) -> FloatArray:
        """Return directions of their own for words, as long as what is not known of them.

        A guess of length 0.3 has an expected cosine of 0.3 to what the word means. As a unit vector it would be all
        that the word is, and the word would lie where its relatives lie.
        """
        squares = np.einsum("ij,ij->i", guessed, guessed)
        own, share = self.sources.own(rows)
        along = np.einsum("ij,ij->i", own, guessed) / np.maximum(squares, np.finfo(np.float32).tiny)
        across = unit_rows(own - along[:, None] * guessed, in_place=True)
        length = share * np.sqrt(np.maximum(1 - squares, 0)) * (squares > 0)
        filling: FloatArray = across * length[:, None]
        return filling


def _lengths(vectors: FloatArray) -> FloatArray:
    lengths: FloatArray = np.maximum(np.linalg.norm(vectors, axis=1), np.finfo(np.float32).tiny)
    return lengths


def _parts(rows: IndexArray) -> Iterator[IndexArray]:
    return (rows[first : first + AT_ONCE] for first in range(0, len(rows), AT_ONCE))
