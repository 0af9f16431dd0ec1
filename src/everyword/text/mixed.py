"""LOVE's input: the characters of a word, then its word pieces, as one sequence of ids.

    [CLS] c a t s [SUB] cat ##s [SEP]

One table serves all symbols, so the character "a" and the piece "a" share a row (section 4.1 of the paper).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from everyword.config import Count
from everyword.text.hashing import fnv1a
from everyword.text.units import UNK, UnitBatch, read_units, write_units
from everyword.text.wordpiece import WordPieces

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SUB]", "[SEP]")
CLS, SUB, SEP = range(UNK + 1, len(SPECIALS))


@dataclass(frozen=True)
class MixedUnitsConfig:
    """Settings of the conversion of a normalised word to unit ids."""

    input: Literal["mixed", "char", "subword"] = "mixed"
    buckets: Count | None = None
    """Hash the word pieces into this many rows instead of giving each its own (the paper's Table A1)."""


class MixedUnits:
    """Word → ids. An id is a row of the encoder's table; 0 is padding, 1 an unknown character."""

    NAME = "mixed.v1"
    Config = MixedUnitsConfig

    def __init__(self, units: Iterable[str], config: MixedUnitsConfig | None = None) -> None:
        self.config = config or MixedUnitsConfig()
        self.units = [*SPECIALS, *dict.fromkeys(unit for unit in units if unit and unit not in SPECIALS)]
        rows = self._rows()
        self.size = max(rows.values(), default=SEP) + 1
        self._characters = {unit: row for unit, row in rows.items() if len(unit) == 1}
        self._pieces = WordPieces(rows, unknown=UNK)

    def _rows(self) -> dict[str, int]:
        """The row of each unit but the specials; with buckets, only characters have a row of their own."""
        units = self.units[len(SPECIALS) :]
        if self.config.buckets is None:
            return {unit: row for row, unit in enumerate(units, start=len(SPECIALS))}
        characters = [unit for unit in units if len(unit) == 1]
        rows = {unit: row for row, unit in enumerate(characters, start=len(SPECIALS))}
        first_bucket = len(SPECIALS) + len(characters)
        return {
            unit: rows[unit] if unit in rows else first_bucket + fnv1a(unit.encode()) % self.config.buckets
            for unit in units
        }

    def ids(self, word: str) -> list[int]:
        if self.config.input == "mixed":
            return [CLS, *self._character_ids(word), SUB, *self._pieces.ids(word), SEP]
        inner = self._character_ids(word) if self.config.input == "char" else self._pieces.ids(word)
        return [CLS, *inner, SEP]

    def batch(self, words: Sequence[str]) -> UnitBatch:
        return UnitBatch.one_by_one(self.ids, self.usable, words)

    def _character_ids(self, word: str) -> list[int]:
        row_of = self._characters.get
        return [row_of(character, UNK) for character in word]

    def shown(self, word: str) -> list[str]:
        _, unknown, begin, between, end = SPECIALS
        characters = [character if character in self._characters else unknown for character in word]
        pieces = [self.units[position] for position in self._listed_pieces.ids(word)]
        if self.config.input == "mixed":
            return [begin, *characters, between, *pieces, end]
        return [begin, *(characters if self.config.input == "char" else pieces), end]

    @cached_property
    def _listed_pieces(self) -> WordPieces:
        # By position in the list instead of by row: pieces in buckets share rows, and a row has no spelling.
        positions = {unit: position for position, unit in enumerate(self.units) if position >= len(SPECIALS)}
        return WordPieces(positions, unknown=UNK)

    def usable(self, word: str) -> bool:
        """Return whether at least one character of the word is known."""
        return not self._characters.keys().isdisjoint(word)

    def unknown_characters(self, word: str) -> list[str]:
        return [character for character in dict.fromkeys(word) if character not in self._characters]

    def save(self, path: Path) -> None:
        write_units(path, self.units)

    @classmethod
    def load(cls, path: Path, config: MixedUnitsConfig) -> MixedUnits:
        return cls(read_units(path, SPECIALS), config)
