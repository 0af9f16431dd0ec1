"""WordNet's own files, and the relations of words that the probe asks about.

The folder holds index.noun, data.noun, index.adj and data.adj, as Princeton publishes them (`dict/`) and as system
packages install them. The reader is written by hand because NLTK refuses folders outside its own downloads and `wn`
needs a download too; this one works offline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from everyword.errors import InputError
from everyword.files import read_lines

T = TypeVar("T")
NOUN, ADJECTIVE = "n", "a"
FILES = {NOUN: "noun", ADJECTIVE: "adj"}
ANTONYM, HYPERNYM, HYPONYM, SIMILAR = "!", "@", "~", "&"
Targets = Iterator[tuple[str, list[str]]]
"""Keywords, each with its targets in the order in which they were found; they are filtered later."""
MARKER = re.compile(r"\([a-z]+\)$")
"""The syntactic marker of an adjective, as in "awake(p)"."""


class Pointer(NamedTuple):
    """A relation from a synset, or from one of its words, to another."""

    symbol: str
    offset: int
    pos: str
    source: int
    """The number of the word that it starts from, from 1; 0 for the whole synset."""
    target: int


@dataclass(frozen=True)
class Synset:
    """A set of synonyms."""

    offset: int
    pos: str
    words: tuple[str, ...]
    pointers: tuple[Pointer, ...]

    def to(self, symbol: str) -> list[Pointer]:
        """Return the pointers of one kind."""
        return [pointer for pointer in self.pointers if pointer.symbol == symbol]


class WordNet:
    """The nouns and adjectives of WordNet, by lemma and by offset."""

    def __init__(self, folder: Path) -> None:
        names = [f"{what}.{pos}" for pos in FILES.values() for what in ("index", "data")]
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            raise InputError(
                f"{folder} lacks {', '.join(missing)}; give the folder with WordNet's own files (dict/ of its release)."
            )
        self._synsets = {pos: dict(_parsed(folder / f"data.{name}", _synset)) for pos, name in FILES.items()}
        self._senses = {pos: dict(_parsed(folder / f"index.{name}", _senses)) for pos, name in FILES.items()}
        self.depth = cache(self._depth)

    def lemmas(self, pos: str) -> list[str]:
        """Return all words of a part of speech, as the index spells them, in its order."""
        return list(self._senses[pos])

    def senses(self, lemma: str, pos: str) -> list[Synset]:
        """Return the synsets of a word, the most frequent first."""
        return [self._synsets[pos][offset] for offset in self._senses[pos].get(lemma, ())]

    def at(self, pointer: Pointer) -> Synset:
        """Return the target of a pointer, which must be a noun or an adjective."""
        return self._synsets[_whole(pointer.pos)][pointer.offset]

    def __contains__(self, lemma: str) -> bool:
        return any(lemma in senses for senses in self._senses.values())

    def _depth(self, synset: Synset) -> int:
        """Return the length of the shortest path to the top of the hierarchy of nouns."""
        above = synset.to(HYPERNYM)
        return 1 + min(self.depth(self.at(pointer)) for pointer in above) if above else 0


def _whole(pos: str) -> str:
    return ADJECTIVE if pos == "s" else pos  # satellites are in the file of adjectives


def _parsed(path: Path, parse: Callable[[list[str]], T]) -> Iterator[T]:
    """Parse each line of a file except those of the license, which begin with a blank."""
    for number, line in enumerate(read_lines(path, "file of WordNet"), start=1):
        if not line.startswith(" "):
            try:
                yield parse(line.partition(" | ")[0].split())
            except (ValueError, IndexError):
                raise InputError(
                    f"{path}:{number}: this is not a line of WordNet: {line[:60]!r}; get the file again."
                ) from None


def _synset(cells: list[str]) -> tuple[int, Synset]:
    words = int(cells[3], 16)
    spelt = tuple(MARKER.sub("", cell) for cell in cells[4 : 4 + 2 * words : 2])
    rest = cells[4 + 2 * words :]
    pointers = tuple(_pointer(rest[1 + 4 * at : 5 + 4 * at]) for at in range(int(rest[0])))
    return int(cells[0]), Synset(int(cells[0]), _whole(cells[2]), spelt, pointers)


def _pointer(cells: list[str]) -> Pointer:
    symbol, offset, pos, ends = cells
    return Pointer(symbol, int(offset), pos, int(ends[:2], 16), int(ends[2:], 16))


def _senses(cells: list[str]) -> tuple[str, tuple[int, ...]]:
    return cells[0], tuple(map(int, cells[-int(cells[2]) :]))


def antonyms(wordnet: WordNet, senses: int) -> Targets:
    """Yield adjectives and the antonyms of their first senses; for a satellite, those of its head."""
    for lemma in _plain_lemmas(wordnet, ADJECTIVE):
        met: list[str] = []
        for synset in wordnet.senses(lemma, ADJECTIVE)[:senses]:
            met += _opposites(wordnet, synset, own=lemma)
            for pointer in synset.to(SIMILAR):
                met += _opposites(wordnet, wordnet.at(pointer))
        yield lemma, met


def _opposites(wordnet: WordNet, synset: Synset, own: str | None = None) -> Iterator[str]:
    for pointer in synset.to(ANTONYM):
        if own is None or synset.words[pointer.source - 1].lower() == own:
            yield wordnet.at(pointer).words[pointer.target - 1]


def hypernyms(wordnet: WordNet, senses: int, steps: int, min_depth: int) -> Targets:
    """Yield nouns and their hypernyms, a few steps up, without the top of the hierarchy."""
    for lemma in _plain_lemmas(wordnet, NOUN):
        level, met = wordnet.senses(lemma, NOUN)[:senses], []
        for _ in range(steps):
            level = [above for synset in level for above in _along(wordnet, synset, HYPERNYM)]
            met += [word for synset in level if wordnet.depth(synset) >= min_depth for word in synset.words]
        yield lemma, met


def cohyponyms(wordnet: WordNet) -> Targets:
    """Yield nouns and their cohyponyms, by their first sense."""
    for lemma in _plain_lemmas(wordnet, NOUN):
        first = wordnet.senses(lemma, NOUN)[0]
        others = [other for above in _along(wordnet, first, HYPERNYM) for other in _along(wordnet, above, HYPONYM)]
        yield lemma, [word for other in others if other.offset != first.offset for word in other.words]


def _along(wordnet: WordNet, synset: Synset, symbol: str) -> Iterator[Synset]:
    return (wordnet.at(pointer) for pointer in synset.to(symbol))


def _plain_lemmas(wordnet: WordNet, pos: str) -> Iterator[str]:
    """Yield single words in lower case; a name is capitalised in its synset, though not in the index."""
    for lemma in wordnet.lemmas(pos):
        if is_plain(lemma) and lemma in wordnet.senses(lemma, pos)[0].words:
            yield lemma


def is_plain(word: str) -> bool:
    """Whether a word consists of three or more lower-case letters."""
    return len(word) >= 3 and word.isascii() and word.isalpha() and word.islower()


def plain_words(words: Iterable[str]) -> list[str]:
    """Return the words that are plain, each once."""
    return list(dict.fromkeys(word for word in words if is_plain(word)))
