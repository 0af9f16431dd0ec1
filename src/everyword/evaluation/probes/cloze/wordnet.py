"""WordNet's own files, read as far as the probe needs them: synsets, their words and their pointers.

The folder holds index.noun, data.noun, index.adj and data.adj, as Princeton publishes them (`dict/`) and as packages of
other systems install them. Nothing is downloaded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from everyword.errors import InputError
from everyword.files import read_lines

NOUN, ADJECTIVE = "n", "a"
FILES = {NOUN: "noun", ADJECTIVE: "adj"}
ANTONYM, HYPERNYM, HYPONYM, SIMILAR = "!", "@", "~", "&"
MARKER = re.compile(r"\([a-z]+\)$")
"""Behind an adjective: where it may stand, as in "awake(p)"."""


class Pointer(NamedTuple):
    """From a synset, or from one of its words, to another."""

    symbol: str
    offset: int
    pos: str
    source: int
    """The number of the word it belongs to, from 1; 0 for the whole synset."""
    target: int


@dataclass(frozen=True)
class Synset:
    """Words of one meaning."""

    offset: int
    pos: str
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]

    def to(self, symbol: str) -> list[Pointer]:
        """The pointers of one kind."""
        return [pointer for pointer in self.pointers if pointer.symbol == symbol]


class WordNet:
    """Nouns and adjectives, by word and by place."""

    def __init__(self, folder: Path) -> None:
        missing = [name for pos in FILES.values() for name in (f"index.{pos}", f"data.{pos}") if not _at(folder, name)]
        if missing:
            raise InputError(
                f"{folder} lacks {', '.join(missing)}; give the folder with WordNet's own files (dict/ of its release)."
            )
        self._synsets = {pos: dict(_read_data(folder / f"data.{name}")) for pos, name in FILES.items()}
        self._senses = {pos: dict(_read_index(folder / f"index.{name}")) for pos, name in FILES.items()}
        self.depth = cache(self._depth)

    def lemmas(self, pos: str) -> list[str]:
        """All words of a part of speech, as the index spells them, in its order."""
        return list(self._senses[pos])

    def senses(self, lemma: str, pos: str) -> list[Synset]:
        """The meanings of a word, the most frequent first."""
        return [self._synsets[pos][offset] for offset in self._senses[pos].get(lemma, ())]

    def at(self, pointer: Pointer) -> Synset:
        """Where a pointer leads; of nouns and adjectives only."""
        return self._synsets[_whole(pointer.pos)][pointer.offset]

    def __contains__(self, lemma: str) -> bool:
        return any(lemma in senses for senses in self._senses.values())

    def _depth(self, synset: Synset) -> int:
        """Steps to the top of the hierarchy of nouns, by the shortest way."""
        above = synset.to(HYPERNYM)
        return 1 + min(self.depth(self.at(pointer)) for pointer in above) if above else 0


def _at(folder: Path, name: str) -> bool:
    return (folder / name).is_file()


def _whole(pos: str) -> str:
    return ADJECTIVE if pos == "s" else pos  # satellites lie in the file of adjectives


def _read_data(path: Path) -> Iterator[tuple[int, Synset]]:
    for number, line in enumerate(read_lines(path, "file of synsets"), start=1):
        if line.startswith(" "):  # the licence
            continue
        try:
            synset = _parsed(line)
        except (ValueError, IndexError):
            raise _damaged(path, number, line) from None
        yield synset.offset, synset


def _parsed(line: str) -> Synset:
    cells = line.partition(" | ")[0].split()
    words = int(cells[3], 16)
    spelt = tuple(MARKER.sub("", cell) for cell in cells[4 : 4 + 2 * words : 2])
    rest = cells[4 + 2 * words :]
    pointers = tuple(_pointer(rest[1 + 4 * at : 5 + 4 * at]) for at in range(int(rest[0])))
    return Synset(int(cells[0]), _whole(cells[2]), spelt, pointers)


def _pointer(cells: list[str]) -> Pointer:
    symbol, offset, pos, ends = cells
    return Pointer(symbol, int(offset), pos, int(ends[:2], 16), int(ends[2:], 16))


def _read_index(path: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    for number, line in enumerate(read_lines(path, "index of WordNet"), start=1):
        if line.startswith(" "):
            continue
        cells = line.split()
        try:
            yield cells[0], tuple(map(int, cells[-int(cells[2]) :]))
        except (ValueError, IndexError):
            raise _damaged(path, number, line) from None


def _damaged(path: Path, number: int, line: str) -> InputError:
    return InputError(f"{path}:{number}: this is no line of WordNet: {line[:60]!r}; get the file again.")
