"""What every unit vocabulary can do: a word becomes a sequence of ids, each a row of the encoder's table.

A vocabulary is a list of strings and a small configuration, so it can be saved as one line a unit and made again from
`kind(units, config)`. Two ids mean the same everywhere: 0 fills up a batch, 1 is something the model never met.
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
    """Word → ids, under a registered name."""

    NAME: ClassVar[str]
    Config: ClassVar[type]

    @property
    def config(self) -> Any:
        """How words are cut; a frozen dataclass."""

    @property
    def units(self) -> list[str]:
        """The units in the order in which they are saved, special ones first."""

    @property
    def size(self) -> int:
        """How many rows the encoder's table needs."""

    def ids(self, word: str) -> list[int]:
        """The id sequence of a normalised word; never empty."""

    def batch(self, words: Sequence[str]) -> UnitBatch:
        """What `ids` and `usable` say of many words, faster where there are many."""

    def shown(self, word: str) -> list[str]:
        """The units of a normalised word as a reader knows them, in step with `ids`."""

    def usable(self, word: str) -> bool:
        """Whether anything of the word is known."""

    def unknown_characters(self, word: str) -> list[str]:
        """The characters of a word that the model never met, each once."""

    def save(self, path: Path) -> None:
        """Write one unit a line."""

    @classmethod
    def load(cls, path: Path, config: Any) -> Units:
        """Read what `save` wrote."""


def write_units(path: Path, units: list[str]) -> None:
    """Write one unit a line."""
    write_atomic(path, "".join(unit + "\n" for unit in units))


def read_units(path: Path, specials: tuple[str, ...]) -> list[str]:
    """Read what `write_units` wrote, after a look at its first lines."""
    # Neither splitlines() nor read_text(): a unit may be a character that counts as a line end there.
    try:
        units = path.read_bytes().decode("utf-8").split("\n")[:-1]
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no unit list of everyword: {error}.") from None
    if tuple(units[: len(specials)]) != specials:
        raise InputError(f"{path} must begin with the lines {' '.join(specials)}; it is no unit list of everyword.")
    return units


class Sequences:
    """Id sequences of different lengths, one after the other."""

    def __init__(self, flat: IndexArray, lengths: IndexArray) -> None:
        self.flat = flat
        self.lengths = lengths

    @classmethod
    def of(cls, sequences: Iterable[Sequence[int]]) -> Sequences:
        """Lists of ids laid out flat.

        >>> Sequences.of([[2, 7], [9]]).flat.tolist()
        [2, 7, 9]
        """
        listed = list(sequences)
        lengths = np.array(list(map(len, listed)), dtype=np.int64)
        return cls(np.array(list(chain.from_iterable(listed)), dtype=np.int64), lengths)

    @classmethod
    def joined(cls, parts: Sequence[Sequences]) -> Sequences:
        """Several as one."""
        return cls(np.concatenate([part.flat for part in parts]), np.concatenate([part.lengths for part in parts]))

    @cached_property
    def starts(self) -> IndexArray:
        """Where each sequence begins."""
        starts: IndexArray = np.cumsum(self.lengths) - self.lengths
        return starts

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, rows: IndexArray | IdArray) -> Sequences:
        """Some of the sequences."""
        lengths = self.lengths[rows]
        shifts = np.repeat(self.starts[rows] - (np.cumsum(lengths) - lengths), lengths)
        return Sequences(self.flat[np.arange(len(shifts)) + shifts], lengths)

    def padded(self) -> IdArray:
        """One row a sequence, filled up with padding to the longest of them.

        >>> Sequences.of([[2], [9, 9, 9]]).padded().tolist()
        [[2, 0, 0], [9, 9, 9]]
        """
        inside = np.arange(self.lengths.max(initial=0)) < self.lengths[:, None]
        padded = np.full(inside.shape, PAD, dtype=np.int32)
        padded[inside] = self.flat
        return padded

    def by_length(self, most: int) -> Iterator[tuple[IndexArray, IndexArray]]:
        """Places and ids of sequences of equal length, at most so many at a time."""
        order = np.argsort(self.lengths, kind="stable")
        borders = np.flatnonzero(np.diff(self.lengths[order])) + 1
        for group in np.split(order, borders) if len(order) else []:
            for first in range(0, len(group), most):
                places = group[first : first + most]
                yield places, self.flat[self.starts[places][:, None] + np.arange(self.lengths[places[0]])]


@dataclass(frozen=True)
class UnitBatch:
    """Many words as units."""

    sequences: Sequences
    usable: BoolArray
    """Of which words anything is known."""

    @classmethod
    def one_by_one(
        cls, ids: Callable[[str], Sequence[int]], usable: Callable[[str], bool], words: Sequence[str]
    ) -> UnitBatch:
        """What two functions say of each word."""
        return cls(Sequences.of(map(ids, words)), np.array(list(map(usable, words)), dtype=bool))
