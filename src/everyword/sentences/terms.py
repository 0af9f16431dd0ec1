"""Terms of several words that a model stores, such as "heart attack", found in rows of words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from everyword.arrays import AnyArray, HashArray, IdArray, IndexArray
from everyword.errors import DamagedModelError
from everyword.models.known import PHRASES, KnownWords
from everyword.sentences.tokens import tokens_of

NO_TERM = -1
_SHIFT = np.uint64(32)


@dataclass(frozen=True)
class Terms:
    """A tree of the words of terms: from a state and the next word to the next state.

    The first word of a term is its first state; further states are numbered behind the rows of words.
    """

    keys: HashArray
    """A state and the row of a word each, in increasing order."""
    states: IdArray
    """The state behind each key."""
    rows: IdArray
    """The row of the term that ends with each key, -1 where none ends."""
    longest: int
    """How many words the longest term has."""

    @classmethod
    def of(cls, known: KnownWords) -> Terms:
        """Find the terms among known words; those with a word that is not known itself are left out."""
        section = known.sections.get(PHRASES, range(0))
        listed = list(map(tokens_of, known.words[section.start : section.stop]))
        row_of = _rows_of(known, listed)
        states: dict[tuple[int, int], int] = {}
        ends: dict[tuple[int, int], int] = {}
        longest = 1
        for term, parts in enumerate(listed, section.start):
            rows = [row_of[part] for part in parts]
            if len(rows) < 2 or min(rows) < 0:
                continue
            state, key = rows[0], (0, 0)
            for row in rows[1:]:
                key = (state, row)
                state = states.setdefault(key, len(known) + len(states))
            ends.setdefault(key, term)
            longest = max(longest, len(rows))
        ordered = sorted(states)
        pairs = np.array(ordered, dtype=np.uint64).reshape(-1, 2)
        return cls(
            (pairs[:, 0] << _SHIFT) | pairs[:, 1],
            np.array([states[key] for key in ordered], dtype=np.int32),
            np.array([ends.get(key, NO_TERM) for key in ordered], dtype=np.int32),
            longest,
        )

    @classmethod
    def none(cls) -> Terms:
        """Return no terms."""
        empty = np.empty(0, dtype=np.int32)
        return cls(empty.astype(np.uint64), empty, empty, 1)

    def find(self, rows: IndexArray, text_of: IndexArray) -> list[tuple[int, int, int]]:
        """Return where terms stand in the words of texts: first word, number of words and row of each.

        The longest term wins, and the first of those that overlap.

        Args:
            rows: The rows of all words, one text after the other; -1 for a word that is not stored.
            text_of: The number of the text of each word, in increasing order.
        """
        if not len(self.keys) or len(rows) < 2:
            return []
        place, state = np.arange(len(rows)), rows
        found: dict[int, tuple[int, int]] = {}
        for length in range(2, self.longest + 1):
            inside = (place + length - 1 < len(rows)) & (state >= 0)
            place, state = place[inside], state[inside]
            last = place + length - 1
            there = (rows[last] >= 0) & (text_of[last] == text_of[place])
            place, state, last = place[there], state[there], last[there]
            key = (state.astype(np.uint64) << _SHIFT) | rows[last].astype(np.uint64)
            at = np.minimum(self.keys.searchsorted(key), len(self.keys) - 1)
            fits = self.keys[at] == key
            place, at = place[fits], at[fits]
            state = self.states[at].astype(np.int64)
            ending = self.rows[at]
            ends = ending >= 0
            found.update(zip(place[ends].tolist(), ((length, row) for row in ending[ends].tolist()), strict=True))
            if not len(place):
                break
        chosen, free = [], 0
        for start in sorted(found):
            if start >= free:
                length, row = found[start]
                chosen.append((start, length, row))
                free = start + length
        return chosen

    def to_tensors(self) -> dict[str, AnyArray]:
        """Return the arrays to save, by name."""
        return {"terms.keys": self.keys, "terms.states": self.states, "terms.rows": self.rows}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, AnyArray], words: int, longest: int) -> Terms:
        """Read what `to_tensors` made; raise DamagedModelError for arrays that it cannot have made."""
        empty = np.empty(0, dtype=np.bool_)
        keys, states, rows = (tensors.get(f"terms.{name}", empty) for name in ("keys", "states", "rows"))
        if (
            [array.dtype for array in (keys, states, rows)] != [np.uint64, np.int32, np.int32]
            or keys.ndim != 1
            or not keys.shape == states.shape == rows.shape
            or (len(rows) and int(rows.max()) >= words)
            or not 1 <= longest < 1000
        ):
            raise DamagedModelError("The terms of the model's part for texts are incomplete or of the wrong size.")
        return cls(keys, states, rows, longest)


def _rows_of(known: KnownWords, listed: list[list[str]]) -> dict[str, int]:
    words = list(dict.fromkeys(word for parts in listed for word in parts))
    return dict(zip(words, known.rows_of(words).tolist(), strict=True))
