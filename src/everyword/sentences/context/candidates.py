"""The words that a word may be a misspelling of, and what the spelling alone says of each.

For a word that is not stored they are those that the model's own reader of spelling finds. A stored word may be another
one misspelt ("form" for "from"): then those within one edit among the frequent words are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.models.model import Model
from everyword.models.retrieval.edit_index import EditIndex
from everyword.models.retrieval.sounds import sound_codes
from everyword.sentences.context.stream import Numbering
from everyword.vectors.neighbours import rows_of_length

NEAR_AMONG = 40_000
"""How many of the most frequent words are searched for those within one edit."""
MEANT_AMONG = 60_000
"""How many of the most frequent words another stored word may be a misspelling of."""
REMEMBERED = 1 << 16
"""Words whose candidates are remembered."""
AT_ONCE = 4096
SPELLING = (
    *("share", "one edit", "read", "same sound", "same first letter", "same last letter", "more letters"),
    *("same letters", "other ending", "cosine"),
)
"""What is told of a candidate."""
OF_WORD = ("own share", "share of form", "misspelt", "length")
"""What is told of the word itself."""
LEAST = 1e-4


class WordCandidates(NamedTuple):
    """The candidates of one word."""

    rows: IndexArray
    """The numbers of the candidates."""
    spelling: FloatArray
    """`SPELLING` of each."""
    word: FloatArray
    """`OF_WORD`."""
    share: float
    """The share of the most likely candidate, by spelling alone."""

    @property
    def likeliest(self) -> int:
        """Return the number of the most likely candidate by spelling alone; -1 without candidates."""
        return int(self.rows[self.spelling[:, 0].argmax()]) if len(self.rows) else -1


class CandidateLists:
    """Finds the candidates of words, and remembers them."""

    def __init__(self, model: Model, numbering: Numbering) -> None:
        self.model, self.numbering = model, numbering
        self._found: dict[str, WordCandidates] = {}

    @cached_property
    def _near(self) -> EditIndex:
        return EditIndex(self.numbering.known.words[: min(NEAR_AMONG, self.numbering.words)], 1)

    def of(self, words: Sequence[str]) -> list[WordCandidates]:
        """Return the candidates of normalised words; a word is not its own candidate."""
        found = self._found
        if len(found) > REMEMBERED:  # a new one, since other threads may still read the old one
            found = self._found = {}
        new = [word for word in dict.fromkeys(words) if word not in found]
        for first in range(0, len(new), AT_ONCE):
            part = new[first : first + AT_ONCE]
            found.update(zip(part, self._of_new(part), strict=True))
        return [found[word] for word in words]

    def _of_new(self, words: list[str]) -> list[WordCandidates]:
        found: list[dict[int, float]] = [{} for _ in words]
        told = np.zeros((len(words), 2), dtype=np.float32)
        if self.model.blender is not None:
            reading = self.model.blender.reader.read(words)
            told[:, 0] = reading.weights.form
            told[:, 1] = 1 - reading.weights.form if reading.best is None else reading.best[:, -1]
            columns = reading.candidates.query, self._numbers(reading.candidates.row), reading.weights.candidates
            for query, row, share in zip(*(column.tolist() for column in columns), strict=True):
                if row >= 0:
                    found[query][row] = share
        query, row, _ = self._near.within(1, words)
        near = set(zip(query.tolist(), row.tolist(), strict=True))
        for which, number in near:
            found[which].setdefault(number, 0.0)
        own = self.numbering.rows_of(words).tolist()
        return [
            self._told(word, number, shares, tuple(of_word), {row for row in shares if (which, row) in near})
            for which, (word, number, shares, of_word) in enumerate(zip(words, own, found, told.tolist(), strict=True))
        ]

    def _numbers(self, rows: AnyArray) -> IndexArray:
        """Return the numbers of rows of the model, which may store other words than those that were counted."""
        known = self.model.known_words
        if known is self.numbering.known:
            return np.asarray(rows, dtype=np.int64)
        different, places = np.unique(rows, return_inverse=True)
        return self.numbering.rows_of([known.words[row] for row in different.tolist()])[places]

    def _cosines(self, own: int, rows: list[int]) -> list[float]:
        """Return the cosines of a stored word to others: other spellings and inflections of it are near."""
        if own < 0 or not rows:
            return [0.0] * len(rows)
        vectors = rows_of_length(self.numbering.known.matrix.floats(np.array([own, *rows])), 1.0)
        cosines: list[float] = (vectors[1:] @ vectors[0]).tolist()
        return cosines

    def _told(
        self, word: str, own: int, shares: dict[int, float], told: tuple[float, ...], near: set[int]
    ) -> WordCandidates:
        own_share = shares.pop(own, 0.0)
        spelt = {row: self.numbering.known.words[row] for row in shares if own < 0 or row < MEANT_AMONG}
        spelt = {row: each for row, each in spelt.items() if each.replace("'", "").isalpha()}
        sounds = sound_codes([word, *spelt.values()])
        letters, beginning = sorted(word), max(3, len(word) - 2)
        cosines = self._cosines(own, [*spelt])
        spelling = np.array(
            [
                (
                    np.log(shares[row] + LEAST),
                    row in near,
                    shares[row] > 0,
                    sound == sounds[0],
                    each[0] == word[:1],
                    each[-1] == word[-1:],
                    len(each) - len(word),
                    sorted(each) == letters,
                    each[:beginning] == word[:beginning],
                    cosine,
                )
                for (row, each), sound, cosine in zip(spelt.items(), sounds[1:], cosines, strict=True)
            ],
            dtype=np.float32,
        ).reshape(len(spelt), len(SPELLING))
        form, misspelt = told
        of_word = (np.log(own_share + LEAST), np.log(form + LEAST), misspelt, min(len(word), 12) / 4)
        share = max((shares[row] for row in spelt), default=0.0)
        return WordCandidates(np.array([*spelt], dtype=np.int64), spelling, np.array(of_word, dtype=np.float32), share)
