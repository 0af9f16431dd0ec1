"""What every unit vocabulary can do: a word becomes a sequence of ids, each a row of the encoder's table.

A vocabulary is a list of strings and a small configuration, so it can be saved as one line a unit and made again from
`kind(units, config)`. Two ids mean the same everywhere: 0 fills up a batch, 1 is something the model never met.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from everyword.atomic import write_atomic
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.text.sequences import UnitBatch

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
