"""WordNet's own files: words, senses, glosses, relations and irregular forms.

The folder holds index.noun, data.noun and so on, as Princeton publishes them (`dict/`) and as system packages install
them. The reader is written by hand because NLTK refuses folders outside its own downloads and `wn` needs a download
too; this one works offline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from everyword.errors import InputError
from everyword.files import read_lines

T = TypeVar("T")
NOUN, VERB, ADJECTIVE, ADVERB = "n", "v", "a", "r"
FILES = {NOUN: "noun", VERB: "verb", ADJECTIVE: "adj", ADVERB: "adv"}
ANTONYM, HYPERNYM, HYPONYM, SIMILAR = "!", "@", "~", "&"
MARKER = re.compile(r"\([a-z]+\)$")
"""The syntactic marker of an adjective, as in "awake(p)"."""
EXAMPLE = re.compile(r'"([^"]*)"')
"""Glosses end in examples between quotes."""
SUPERSENSES = (
    *("adj.all", "adj.pert", "adv.all", "noun.tops", "noun.act", "noun.animal", "noun.artifact", "noun.attribute"),
    *("noun.body", "noun.cognition", "noun.communication", "noun.event", "noun.feeling", "noun.food", "noun.group"),
    *("noun.location", "noun.motive", "noun.object", "noun.person", "noun.phenomenon", "noun.plant"),
    *("noun.possession", "noun.process", "noun.quantity", "noun.relation", "noun.shape", "noun.state"),
    *("noun.substance", "noun.time", "verb.body", "verb.change", "verb.cognition", "verb.communication"),
    *("verb.competition", "verb.consumption", "verb.contact", "verb.creation", "verb.emotion", "verb.motion"),
    *("verb.perception", "verb.possession", "verb.social", "verb.stative", "verb.weather", "adj.ppl"),
)
"""The files of the lexicographers, by the number that each synset has."""


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
    gloss: str = ""
    supersense: str = ""

    def to(self, symbol: str) -> list[Pointer]:
        """Return the pointers of one kind."""
        return [pointer for pointer in self.pointers if pointer.symbol == symbol]

    @property
    def definition(self) -> str:
        """The gloss without its examples."""
        return self.gloss.split('; "')[0].split(' "')[0].strip(" ;")

    @property
    def examples(self) -> list[str]:
        """The examples of the gloss."""
        return EXAMPLE.findall(self.gloss)


class WordNet:
    """The words of WordNet, by lemma and by offset."""

    def __init__(self, folder: Path, parts: Sequence[str] = (NOUN, VERB, ADJECTIVE, ADVERB)) -> None:
        files = {pos: FILES[pos] for pos in parts}
        names = [f"{what}.{pos}" for pos in files.values() for what in ("index", "data")]
        missing = [name for name in names if not (folder / name).is_file()]
        if missing:
            raise InputError(
                f"{folder} lacks {', '.join(missing)}; give the folder with WordNet's own files (dict/ of its release)."
            )
        self._synsets = {pos: dict(_parsed(folder / f"data.{name}", _synset)) for pos, name in files.items()}
        self._senses = {pos: dict(_parsed(folder / f"index.{name}", _senses)) for pos, name in files.items()}
        self.depth = cache(self._depth)

    @property
    def parts(self) -> list[str]:
        """The parts of speech that were read."""
        return list(self._senses)

    def lemmas(self, pos: str) -> list[str]:
        """Return all words of a part of speech, as the index spells them, in its order."""
        return list(self._senses[pos])

    def senses(self, lemma: str, pos: str) -> list[Synset]:
        """Return the synsets of a word, the most frequent first."""
        return [self._synset(pos, offset) for offset in self._senses[pos].get(lemma, ())]

    def at(self, pointer: Pointer) -> Synset:
        """Return the target of a pointer, whose part of speech must have been read."""
        return self._synset(_whole(pointer.pos), pointer.offset)

    def _synset(self, pos: str, offset: int) -> Synset:
        try:
            return self._synsets[pos][offset]
        except KeyError:
            raise InputError(
                f"WordNet has no sense {offset} of part of speech {pos!r:.9}; get its files again."
            ) from None

    def __contains__(self, lemma: str) -> bool:
        return any(lemma in senses for senses in self._senses.values())

    def _depth(self, synset: Synset) -> int:
        """Return the length of the shortest path to the top of the hierarchy of nouns."""
        above = synset.to(HYPERNYM)
        try:
            return 1 + min(self.depth(self.at(pointer)) for pointer in above) if above else 0
        except RecursionError:
            raise InputError("The hypernyms of WordNet form a circle; get its files again.") from None


def read_exceptions(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield irregular forms with their lemmas and parts of speech, from the files that end in .exc."""
    for pos, name in FILES.items():
        for line in read_lines(folder / f"{name}.exc", "list of irregular forms"):
            form, *lemmas = line.split() or [""]
            yield from ((form, lemma, pos) for lemma in lemmas)


def sense_counts(folder: Path) -> dict[str, dict[str, int]]:
    """Return how often each word was tagged as each part of speech in WordNet's texts, from cntlist.rev."""
    counts: dict[str, dict[str, int]] = {}
    kinds = {"1": NOUN, "2": VERB, "3": ADJECTIVE, "4": ADVERB, "5": ADJECTIVE}
    path = folder / "cntlist.rev"
    for number, line in enumerate(read_lines(path, "list of tagged senses"), start=1):
        try:
            key, _, count = line.split()
            lemma, _, sense = key.partition("%")
            pos, times = kinds[sense[:1]], int(count)
        except (ValueError, KeyError):
            raise _not_of_wordnet(path, number, line) from None
        parts = counts.setdefault(lemma, {})
        parts[pos] = parts.get(pos, 0) + times
    return counts


def _whole(pos: str) -> str:
    return ADJECTIVE if pos == "s" else pos  # satellites are in the file of adjectives


def _parsed(path: Path, parse: Callable[[list[str], str], T]) -> Iterator[T]:
    """Parse each line of a file except those of the license, which begin with a blank."""
    for number, line in enumerate(read_lines(path, "file of WordNet"), start=1):
        if not line.startswith(" "):
            cells, _, gloss = line.partition(" | ")
            try:
                yield parse(cells.split(), gloss.strip())
            except (ValueError, IndexError):
                raise _not_of_wordnet(path, number, line) from None


def _not_of_wordnet(path: Path, number: int, line: str) -> InputError:
    return InputError(f"{path}:{number}: this is not a line of WordNet: {line[:60]!r}; get the file again.")


def _synset(cells: list[str], gloss: str) -> tuple[int, Synset]:
    words = int(cells[3], 16)
    spelt = tuple(MARKER.sub("", cell) for cell in cells[4 : 4 + 2 * words : 2])
    rest = cells[4 + 2 * words :]
    pointers = tuple(_pointer(rest[1 + 4 * at : 5 + 4 * at]) for at in range(int(rest[0])))
    supersense = SUPERSENSES[int(cells[1])]
    return int(cells[0]), Synset(int(cells[0]), _whole(cells[2]), spelt, pointers, gloss, supersense)


def _pointer(cells: list[str]) -> Pointer:
    symbol, offset, pos, ends = cells
    return Pointer(symbol, int(offset), pos, int(ends[:2], 16), int(ends[2:], 16))


def _senses(cells: list[str], gloss: str) -> tuple[str, tuple[int, ...]]:
    return cells[0], tuple(map(int, cells[-int(cells[2]) :]))
