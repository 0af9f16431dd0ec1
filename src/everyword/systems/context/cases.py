"""Sentences with errors put into them, and what was written there before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from everyword.corpus.codespell_split import Pair
from everyword.sentences.context.candidates import MEANT_AMONG, CandidateLists
from everyword.sentences.context.stream import Numbering, items_of
from everyword.text.corruption import drop, insert, keyboard, swap

SECOND = 0.3
"""How many of the sentences get two errors."""
HUMAN, CONFUSED, TYPED = 0.45, 0.65, 0.83
"""Up to here an error is one that people make and no word, one that is a word, one slip of the fingers; beyond, it is a
word of similar spelling."""
TYPOS = (swap, drop, drop, insert, keyboard)
FLAT_RANKS = 200
RARELY_WRONG = 40
"""The word of this rank is misspelt half as often as rare ones: nobody errs in every second "the"."""


class Case(NamedTuple):
    """A text, and the right words by the places where wrong ones begin."""

    text: str
    right: dict[int, str]


class ErrorMaker:
    """Puts errors into sentences."""

    def __init__(
        self, misspellings: Iterable[Pair], numbering: Numbering, candidates: CandidateLists, rng: Random
    ) -> None:
        self.numbering, self.candidates, self.rng = numbering, candidates, rng
        self.made_up: dict[str, list[str]] = defaultdict(list)
        self.confused: dict[str, list[str]] = defaultdict(list)
        pairs = [(wrong, right) for wrong, right in misspellings if wrong.replace("'", "").isalpha()]
        known = (numbering.rows_of([wrong for wrong, _ in pairs]) >= 0).tolist()
        for (wrong, right), is_word in zip(pairs, known, strict=True):
            (self.confused if is_word else self.made_up)[right].append(wrong)

    def spoil(self, text: str) -> Case:
        """Return a text with one or two errors, or none if no word could be misspelt."""
        words = [
            item
            for item in items_of(text)
            if item.is_token and item.text.isalpha() and (item.text.islower() or (item.begins and item.text.istitle()))
        ]
        numbers = self.numbering.of_items([item.text for item in words])
        words = [
            item
            for item, number in zip(words, numbers, strict=True)
            if number < MEANT_AMONG and self.rng.random() < (number + 1) / (number + RARELY_WRONG)
        ]
        chosen = self.rng.sample(words, min(len(words), 1 + (self.rng.random() < SECOND)))
        spoilt, right, done = "", dict[int, str](), 0
        for item in sorted(chosen, key=lambda item: item.begin):
            lower = item.text.lower()
            wrong = self._misspelt(lower)
            if not wrong or wrong == lower or not wrong.replace("'", "").isalpha():
                continue
            spoilt += text[done : item.begin]
            right[len(spoilt)] = lower
            spoilt += wrong.capitalize() if item.text[0].isupper() else wrong
            done = item.end
        return Case(spoilt + text[done:], right)

    def _misspelt(self, word: str) -> str | None:
        kind, rng = self.rng.random(), self.rng
        if kind < HUMAN and word in self.made_up:
            return rng.choice(self.made_up[word])
        if kind < CONFUSED and word in self.confused:
            return rng.choice(self.confused[word])
        if kind < TYPED:
            return rng.choice(TYPOS)(word, rng)
        rows = self.candidates.of([word])[0].rows
        rows = rows[rows < MEANT_AMONG]
        if not len(rows):
            return None
        weights = 1 / np.sqrt(rows + FLAT_RANKS)
        row: int = rng.choices(rows.tolist(), weights.tolist())[0]
        return self.numbering.known.words[row]


def spoilt_texts(maker: ErrorMaker, texts: Sequence[str]) -> list[Case]:
    """Return those of the texts that errors could be put into."""
    return [case for case in map(maker.spoil, texts) if case.right]
