"""Attributes of words, such as WordNet's supersenses and hypernyms: a lexicon and its file.

A line of the file is a word, a tab, and its attributes with blanks between them. A word may have none: then it is not
taken for a form of another word.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random

from everyword.atomic import write_lines
from everyword.corpus.lexicons.wordnet import HYPERNYM, Synset, WordNet
from everyword.corpus.rows import read_rows
from everyword.corpus.vocabulary.inflections import ENDINGS, base_forms
from everyword.errors import InputError
from everyword.files import read_lines

WHAT = "attribute lexicon"
SENSES, HYPERNYMS = 1, 3
"""How many senses of a word count, of each part of speech, and how many hypernyms of a sense."""
COLUMNS = ("word", "pos", "sense_rank", "supersense", "hypernym1", "hypernym2", "hypernym3")
NONE = "-"
SHORTEST_BASE = 3
"""Of a form: "was" is not a form of WA, nor "has" of ha."""

Entries = Iterable[tuple[str, Iterable[str]]]


@dataclass(frozen=True)
class AttributeLexicon:
    """The attributes of words; words are in lower case and without accents."""

    entries: Mapping[str, tuple[str, ...]]

    @classmethod
    def collect(cls, entries: Entries) -> AttributeLexicon:
        """Make a lexicon of words and attributes; a word that comes again gets more of them."""
        found: dict[str, dict[str, None]] = {}
        for word, attributes in entries:
            found.setdefault(plain(word), {}).update(dict.fromkeys(attributes))
        return cls({word: tuple(attributes) for word, attributes in found.items()})

    @classmethod
    def read(cls, path: Path) -> AttributeLexicon:
        """Read the file of a lexicon, which may be gzipped.

        Raises:
            InputError: If there is no such file, or a line is not a word and attributes.
        """
        return cls.collect(_rows(path))

    def write(self, path: Path) -> None:
        """Write the file of a lexicon."""
        write_lines(path, (f"{word}\t{' '.join(attributes)}" for word, attributes in self.entries.items()))

    def of(self, word: str, *, inflected: bool = False) -> tuple[str, ...]:
        """Return the attributes of a word, or none.

        Args:
            word: The word.
            inflected: Whether a word that is not listed may have the attributes of the word that it is a regular
                English form of.

        >>> AttributeLexicon({"city": ("place",)}).of("cities", inflected=True)
        ('place',)
        """
        key = plain(word)
        if key in self.entries or not inflected:
            return self.entries.get(key, ())
        bases = (base for pos in ENDINGS for base in base_forms(key, pos) if len(base) >= SHORTEST_BASE)
        return next((self.entries[base] for base in bases if base in self.entries), ())

    def shuffled(self, seed: int) -> AttributeLexicon:
        """Return a lexicon of the same words in which each has the attributes of another: a control."""
        words = [word for word, attributes in self.entries.items() if attributes]
        lists = [self.entries[word] for word in words]
        Random(seed).shuffle(lists)
        return AttributeLexicon({**self.entries, **dict(zip(words, lists, strict=True))})

    def spelt(self) -> AttributeLexicon:
        """Return a lexicon of the same words whose attributes are their letters, three by three: a control.

        >>> AttributeLexicon({"cat": ("animal",)}).spelt().entries["cat"]
        ('<ca', 'cat', 'at>')
        """
        return AttributeLexicon({word: _trigrams(word) if own else () for word, own in self.entries.items()})

    def expanded(self, words: Iterable[str]) -> AttributeLexicon:
        """Return a lexicon that lists some words too, if they are regular forms of those it has."""
        forms = {plain(word): self.of(word, inflected=True) for word in words}
        return AttributeLexicon({**self.entries, **{word: own for word, own in forms.items() if own}})


def _trigrams(word: str) -> tuple[str, ...]:
    marked = f"<{word}>"
    return tuple(dict.fromkeys(marked[start : start + 3] for start in range(len(marked) - 2)))


def plain(word: str) -> str:
    """Return a word as vocabularies of uncased models have it.

    >>> plain("Café")
    'cafe'
    """
    return "".join(one for one in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(one) != "Mn")


def wordnet_lexicon(wordnet: WordNet, *, senses: int = SENSES, without: Collection[str] = ()) -> AttributeLexicon:
    """Make a lexicon of WordNet: the supersense of each word and the hypernyms of its first senses.

    Args:
        wordnet: WordNet.
        senses: How many senses of a word count, of each part of speech.
        without: Words that have no attributes, such as those that WordNet knows as units of measurement only.
    """
    found = (
        (lemma.replace("_", " "), (synset.supersense, *_above(wordnet, synset)))
        for pos in wordnet.parts
        for lemma in wordnet.lemmas(pos)
        if lemma not in without
        for synset in wordnet.senses(lemma, pos)[:senses]
    )
    return AttributeLexicon.collect(chain(((word, ()) for word in sorted(without)), found))


def read_wordnet_rows(path: Path, *, senses: int = SENSES, without: Collection[str] = ()) -> AttributeLexicon:
    """Read the same from a table of senses, with a hyphen where a sense has no further hypernym."""
    found = (
        (word, [one for one in attributes if one != NONE])
        for number, (word, _, rank, *attributes) in read_rows(path, "table of senses", COLUMNS)
        if _rank(rank, f"{path}:{number}") <= senses and word not in without
    )
    return AttributeLexicon.collect(chain(((word, ()) for word in sorted(without)), found))


def _rank(text: str, where: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"{where}: the rank of a sense must be a number. Got {text[:60]!r}; fix this line.") from None


def _above(wordnet: WordNet, synset: Synset) -> Iterator[str]:
    """Yield the first words of the hypernyms of a sense, from the nearest up."""
    for _ in range(HYPERNYMS):
        above = synset.to(HYPERNYM)
        if not above:
            return
        synset = wordnet.at(above[0])
        yield from (word.lower() for word in synset.words[:1])


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(read_lines(path, WHAT), start=1):
        word, tab, attributes = line.partition("\t")
        if not line.strip():
            continue
        if not word.strip() or not tab or "\t" in attributes:
            raise InputError(
                f"{path}:{number}: needs a word, a tab and attributes with blanks between them. "
                f"Got {line[:60]!r}; fix this line."
            )
        yield word.strip(), attributes.split()
