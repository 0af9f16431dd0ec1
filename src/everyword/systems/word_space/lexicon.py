"""The lexicon of a space: its words in order of frequency, definitions, relations and translations.

A folder of tab-separated files, each with a header line:

words.tsv, phrases.tsv  entry, Zipf frequency; most frequent first
foreign.tsv             word, languages, Zipf frequency, translations as word=weight;word=weight
definitions.tsv         entry, definition, kind; the best definition of an entry first
inflections.tsv         form, lemma
relations.tsv           entry, other entry, kind (synonym, antonym, slang)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from everyword.corpus.rows import read_rows
from everyword.errors import InputError

MOST_DEFINITIONS = 4
"""Definitions used per entry; the second counts half, the third a third."""
GLOSSARY = "glossary"
LONGEST_ABBREVIATION, MOST_MEANT = 4, 4
"""Letters of an abbreviation, and words that it stands for, at most."""
ARTICLES = frozenset(("a", "an", "the"))
"""A definition that begins with one describes the term and does not stand for it."""
SYNONYM, ANTONYM = ("synonym", "slang"), ("antonym",)


@dataclass(frozen=True)
class Translation:
    """A foreign word and its weighted translations."""

    word: str
    meanings: list[tuple[str, float]]


@dataclass(frozen=True)
class Lexicon:
    """A folder with a lexicon."""

    folder: Path

    @cached_property
    def words(self) -> list[str]:
        """Single words, most frequent first."""
        return list(dict.fromkeys(entry for entry, _ in self._rows("words.tsv", ("word", "zipf"))))

    @cached_property
    def phrases(self) -> list[str]:
        """Terms of several words, most frequent first."""
        known = set(self.words)
        return [p for p in dict.fromkeys(e for e, _ in self._rows("phrases.tsv", ("phrase", "zipf"))) if p not in known]

    @cached_property
    def entries(self) -> list[str]:
        """Words, then phrases."""
        return [*self.words, *self.phrases]

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each entry."""
        return {entry: row for row, entry in enumerate(self.entries)}

    def foreign(self) -> list[Translation]:
        """Return the words of other languages that are not entries themselves, each once."""
        found: dict[str, Translation] = {}
        for word, _, _, text in self._rows("foreign.tsv", ("word", "languages", "zipf", "translations")):
            meanings = [_weighted(part) for part in text.split(";") if part]
            known = [(meaning, weight) for meaning, weight in meanings if meaning in self.index and weight > 0]
            if word not in self.index and known:
                found.setdefault(word, Translation(word, known))
        return list(found.values())

    def definitions(self) -> Iterator[tuple[int, str, float]]:
        """Yield the row of an entry, a definition and its weight; an inflected form has those of its lemma."""
        of_entry: dict[str, list[str]] = {}
        for entry, definition, _ in self._rows("definitions.tsv", ("term", "definition", "kind")):
            listed = of_entry.setdefault(entry, [])
            if len(listed) < MOST_DEFINITIONS and definition not in listed:
                listed.append(definition)
        lemmas = dict(self._rows("inflections.tsv", ("form", "lemma")))
        for row, entry in enumerate(self.entries):
            for nth, definition in enumerate(of_entry.get(entry) or of_entry.get(lemmas.get(entry, ""), [])):
                yield row, definition, 1 / (nth + 1)

    def meanings(self) -> list[tuple[int, list[int]]]:
        """Return slang and abbreviations by row, each with the rows of what it stands for.

        That is a definition of the glossary which is itself an entry ("great") or, for a term as short as abbreviations
        are, a few entries ("in my opinion"). A word that a dictionary defines too, or whose lemma it does, keeps its
        place: "tea" is a drink first, and "ate" is what somebody did.
        """
        found: dict[int, list[int]] = {}
        ordinary = set()
        for entry, definition, kind in self._rows("definitions.tsv", ("term", "definition", "kind")):
            meant = self._meant(entry, definition.lower())
            if kind != GLOSSARY:
                ordinary.add(entry)
            elif meant and entry in self.index:
                found.setdefault(self.index[entry], [row for row in meant if row != self.index[entry]])
        lemmas = dict(self._rows("inflections.tsv", ("form", "lemma")))
        ordinary |= {form for form, lemma in lemmas.items() if lemma in ordinary}
        return [(row, meant) for row, meant in found.items() if meant and self.entries[row] not in ordinary]

    def _meant(self, entry: str, definition: str) -> list[int]:
        if definition in self.index:
            return [self.index[definition]]
        words = definition.split()
        short = len(entry) <= LONGEST_ABBREVIATION or any(letter.isdigit() for letter in entry)
        if not short or len(words) > MOST_MEANT or words[0] in ARTICLES or any(w not in self.index for w in words):
            return []
        return [self.index[word] for word in words]

    def relations(self, kinds: Sequence[str], among: int) -> list[tuple[int, int]]:
        """Return pairs of the first rows in a relation, each once, the smaller row first."""
        pairs = {
            (min(rows), max(rows))
            for one, other, kind in self._rows("relations.tsv", ("word", "other", "kind"))
            if kind in kinds and one in self.index and other in self.index
            for rows in [(self.index[one], self.index[other])]
            if rows[0] != rows[1] and max(rows) < among
        }
        return sorted(pairs)

    def _rows(self, name: str, columns: Sequence[str]) -> Iterator[list[str]]:
        path = self.folder / name
        if not path.is_file():
            raise InputError(f"The lexicon {self.folder} has no {name}; make it anew, or name the right folder.")
        for _, row in read_rows(path, "file of a lexicon", columns):
            yield row


def _weighted(text: str) -> tuple[str, float]:
    meaning, _, weight = text.rpartition("=")
    try:
        return meaning, float(weight)
    except ValueError:
        raise InputError(f"A translation must read word=weight. Got {text!r} instead.") from None
