"""Unit vocabularies: a word becomes a sequence of ids, each a row of the encoder's table.

A vocabulary is a list of strings and a small configuration, so it can be saved with one unit per line and rebuilt by
`kind(units, config)`. Two ids mean the same everywhere: 0 is padding, 1 is an unknown unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np

from everyword.arrays import BoolArray, IdArray, IndexArray
from everyword.atomic import write_atomic
from everyword.errors import InputError

PAD, UNK = 0, 1


class Units(Protocol):
    """A unit vocabulary under a registered name."""

    NAME: ClassVar[str]
    Config: ClassVar[type]

    @property
    def config(self) -> Any:
        """The settings, a frozen dataclass."""

    @property
    def units(self) -> list[str]:
        """The units in the order in which they are saved, special ones first."""

    @property
    def size(self) -> int:
        """Number of rows of the encoder's table."""

    def ids(self, word: str) -> list[int]:
        """Return the ids of a normalised word; never empty."""

    def batch(self, words: Sequence[str]) -> UnitBatch:
        """Return the ids of many words, and which of them are usable."""

    def shown(self, word: str) -> list[str]:
        """Return the units of a normalised word as text, parallel to `ids`."""

    def usable(self, word: str) -> bool:
        """Return whether anything of the word is known."""

    def unknown_characters(self, word: str) -> list[str]:
        """Return the characters of a word that the vocabulary does not have, each once."""

    def save(self, path: Path) -> None:
        """Write one unit per line."""

    @classmethod
    def load(cls, path: Path, config: Any) -> Units:
        """Read what `save` wrote."""


def write_units(path: Path, units: list[str]) -> None:
    """Write one unit per line."""
    write_atomic(path, "".join(unit + "\n" for unit in units))


def read_units(path: Path, specials: tuple[str, ...]) -> list[str]:
    """Read a file that `write_units` wrote; the special units must come first."""
    # Neither splitlines() nor read_text(): a unit may be a character that counts as a line end there.
    try:
        units = path.read_bytes().decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a unit list of everyword: {error}.") from None
    if tuple(units[: len(specials)]) != specials:
        raise InputError(f"{path} is not a unit list of everyword: it must begin with the lines {' '.join(specials)}.")
    return units


class Sequences:
    """Id sequences of different lengths in one flat array, so that one long word does not pad all others."""

    def __init__(self, flat: IndexArray, lengths: IndexArray) -> None:
        self.flat = flat
        self.lengths = lengths

    @classmethod
    def of(cls, sequences: Iterable[Sequence[int]]) -> Sequences:
        """Concatenate lists of ids.

        >>> Sequences.of([[2, 7], [9]]).flat.tolist()
        [2, 7, 9]
        """
        listed = list(sequences)
        lengths = np.array(list(map(len, listed)), dtype=np.int64)
        return cls(np.array(list(chain.from_iterable(listed)), dtype=np.int64), lengths)

    @classmethod
    def joined(cls, parts: Sequence[Sequences]) -> Sequences:
        """Concatenate several."""
        return cls(np.concatenate([part.flat for part in parts]), np.concatenate([part.lengths for part in parts]))

    @cached_property
    def starts(self) -> IndexArray:
        """Start of each sequence."""
        starts: IndexArray = np.cumsum(self.lengths) - self.lengths
        return starts

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: IndexArray | IdArray) -> Sequences:
        """Select sequences."""
        lengths = self.lengths[rows]
        shifts = np.repeat(self.starts[rows] - (np.cumsum(lengths) - lengths), lengths)
        return Sequences(self.flat[np.arange(len(shifts)) + shifts], lengths)

    def padded(self) -> IdArray:
        """Return one row per sequence, padded to the longest.

        >>> Sequences.of([[2], [9, 9, 9]]).padded().tolist()
        [[2, 0, 0], [9, 9, 9]]
        """
        inside = np.arange(self.lengths.max(initial=0)) < self.lengths[:, None]
        padded = np.full(inside.shape, PAD, dtype=np.int32)
        padded[inside] = self.flat
        return padded

    def by_length(self, most: int) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Yield indices and ids of sequences of equal length, at most `most` at a time."""
        order = np.argsort(self.lengths, kind="stable")
        borders = np.flatnonzero(np.diff(self.lengths[order])) + 1
        for group in np.split(order, borders) if len(order) else []:
            for first in range(0, len(group), most):
                indices = group[first : first + most]
                yield indices, self.flat[self.starts[indices][:, None] + np.arange(self.lengths[indices[0]])]


@dataclass(frozen=True)
class UnitBatch:
    """The units of many words."""

    sequences: Sequences
    usable: BoolArray
    """Whether anything of each word is known."""

    @classmethod
    def one_by_one(
        cls, ids: Callable[[str], Sequence[int]], usable: Callable[[str], bool], words: Sequence[str]
    ) -> UnitBatch:
        """Apply two functions to each word."""
        return cls(Sequences.of(map(ids, words)), np.array(list(map(usable, words)), dtype=bool))
