"""Features of a word and a known word, letter by letter, as the input of the gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from everyword.arrays import FloatArray, IndexArray
from everyword.models.retrieval.candidates import FAR, Candidates
from everyword.models.retrieval.sounds import sound_codes
from everyword.models.retrieval.spellings import as_rows, as_rows_backwards, code_points, in_parts, sums_of_words

WIDTH = 24
"""Letters of a word that are compared; the rest of a longer one is cut off."""
LETTERS = 28
"""No letter, a to z, anything else."""
LETTER_PAIRS = LETTERS * LETTERS

FEATURES = (
    "one edit",
    "two edits",
    "further",
    "shared beginning",
    "shared end",
    "shared in all",
    "rest of the word",
    "rest of the candidate",
    "difference in length",
    "length",
    "commonness",
    "beginnings differ",
    "ends differ",
    "same letters",
    "doubled letter in the word",
    "doubled letter in the candidate",
    "letters left out",
    "letters too many",
    "candidate begins the word",
    "candidate ends the word",
    "word begins the candidate",
    "sounds alike",
)

Letters = NDArray[np.uint8]
_LETTER_OF = np.full(128, LETTERS - 1, dtype=np.uint8)
_LETTER_OF[0] = 0
_LETTER_OF[ord("a") : ord("z") + 1] = np.arange(1, 27)
_LETTER_HASH = np.random.default_rng(1).integers(1, 2**63, size=LETTERS, dtype=np.uint64)


@dataclass(frozen=True)
class LetterFeatures:
    """Letters of words as small numbers, aligned left and right, so that beginnings and ends compare at once.

    The last column is empty.
    """

    forwards: Letters
    backwards: Letters
    lengths: IndexArray
    bags: NDArray[np.uint64]
    """A hash of the letters in any order: equal for anagrams, such as words with two letters swapped."""
    sounds: NDArray[np.uint64]
    """Codes of `sound_codes`; 0 for a word without a consonant."""

    @classmethod
    def of(cls, words: Sequence[str]) -> LetterFeatures:
        """Return the letters of words."""
        spelt = cls(
            np.empty((len(words), WIDTH + 1), dtype=np.uint8),
            np.empty((len(words), WIDTH + 1), dtype=np.uint8),
            np.empty(len(words), dtype=np.int64),
            np.empty(len(words), dtype=np.uint64),
            sound_codes(words),
        )
        for part, some in in_parts(words):
            joined, lengths = code_points([word[:WIDTH] for word in some])
            letters = _LETTER_OF[np.minimum(joined, len(_LETTER_OF) - 1)]
            spelt.forwards[part] = as_rows(letters, lengths, WIDTH + 1)
            spelt.backwards[part] = as_rows_backwards(letters, lengths, WIDTH + 1)
            spelt.lengths[part] = lengths
            spelt.bags[part] = sums_of_words(_LETTER_HASH[letters], lengths)
        return spelt

    def take(self, rows: IndexArray) -> LetterFeatures:
        """Return some of the words."""
        return LetterFeatures(
            self.forwards[rows], self.backwards[rows], self.lengths[rows], self.bags[rows], self.sounds[rows]
        )


@dataclass(frozen=True)
class Comparison:
    """The input of the gate for each pair of word and candidate."""

    features: FloatArray
    """(pairs, FEATURES)"""
    letter_pairs: IndexArray
    """(pairs, 3): the letters where the two begin to differ, those where they cease to, and the word's own letters
    before and at the first; numbers below `LETTER_PAIRS`."""


def compare(words: LetterFeatures, known: LetterFeatures, candidates: Candidates) -> Comparison:
    """Compare each word with each of its candidates."""
    word, candidate = words.take(candidates.query), known.take(candidates.row)
    shorter = np.minimum(word.lengths, candidate.lengths)
    begin = np.minimum(_agreeing(word.forwards, candidate.forwards), shorter)
    end = np.minimum(_agreeing(word.backwards, candidate.backwards), shorter - begin)
    word_rest, candidate_rest = word.lengths - begin - end, candidate.lengths - begin - end
    at, before = _letter(word.forwards, begin), _letter(word.forwards, begin - 1)
    candidate_at = _letter(candidate.forwards, begin)
    longer = np.maximum(word.lengths, candidate.lengths)
    columns = (
        candidates.distance == 1,
        candidates.distance == 2,
        candidates.distance == FAR,
        begin / longer,
        end / longer,
        (begin + end) / longer,
        word_rest / 4,
        candidate_rest / 4,
        (word.lengths - candidate.lengths) / 4,
        word.lengths / 10 - 1,
        2 - np.log10(candidates.row + 10) / 2,
        begin == 0,
        end == 0,
        word.bags == candidate.bags,
        at == before,
        candidate_at == before,
        (word_rest == 0) & (candidate_rest > 0),
        (candidate_rest == 0) & (word_rest > 0),
        begin >= candidate.lengths,
        end >= candidate.lengths,
        begin >= word.lengths,
        (word.sounds == candidate.sounds) & (word.sounds != 0),
    )
    last, candidate_last = _letter(word.backwards, end), _letter(candidate.backwards, end)
    pairs = (at * LETTERS + candidate_at, last * LETTERS + candidate_last, before * LETTERS + at)
    return Comparison(np.ascontiguousarray(np.array(columns, dtype=np.float32).T), np.array(pairs).T)


def _agreeing(first: Letters, second: Letters) -> IndexArray:
    """Return how many letters agree from the start of the rows on."""
    differ = first != second
    differ[:, -1] = True
    agreeing: IndexArray = differ.argmax(axis=1)
    return agreeing


def _letter(letters: Letters, position: IndexArray) -> IndexArray:
    """Return the letter at an index of each row; the empty last column stands for indices outside the word."""
    return letters[np.arange(len(letters)), position].astype(np.int64)
