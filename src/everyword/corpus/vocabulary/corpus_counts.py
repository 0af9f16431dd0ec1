"""Count words and phrases of a corpus, and find sentences that define a name, all in one reading.

Text is read in several processes, one file each, which number its tokens. Phrases are then counted on arrays of these
numbers: fifty million tokens take a minute or two.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np

from everyword.arrays import BoolArray, IdArray, IndexArray
from everyword.corpus.text_file import read_text
from everyword.corpus.vocabulary.function_words import OPENERS

TOKEN = re.compile(r"(?:[^\W\d_]\.){2,}|\d+(?:[.,]\d+)+|[^\W_]+(?:[-'&/][^\W_]+)*\+{0,2}|[^\w\s]")
"""Abbreviations with stops, numbers, words (with inner hyphens, apostrophes, ampersands and slashes), punctuation."""
DEFINING = re.compile(
    r"(?:The |An? )?((?:[A-Z][\w'.-]*|\d+)(?:,? (?:[A-Z][\w'.-]*|\d+|of|the|de|la|van|von|and|&|for|in))*)"
    r"(?: \([^()]*\))?(?:,[^,]{1,60},)? (?:is|was|are|were) (?:a|an|the|one of) \w"
)
"""A sentence that says what a name is: "Angela Merkel (born 1954) is a German politician"."""
END, PAUSE = 0, 1
"""The numbers of punctuation that ends a sentence or opens a new one, and of other punctuation."""
SOFT = frozenset(",;&%$£€*+=<>|/~^-–—")
LONGEST_DEFINITION = 400
NUMERALS = frozenset("ivx")
"""Roman numerals behind names, besides those of several letters."""
TABLE_BITS = 23
STRETCH = 10_000
"""Tokens of one article, more or less; a short text still has a hundred stretches."""
STRETCHES = 100


class Defined(NamedTuple):
    """A name and the sentence that says what it is."""

    name: str
    sentence: str


@dataclass(frozen=True)
class NumberedText:
    """The tokens of a corpus as numbers of words; words are in their own case, and the first two stand for breaks."""

    words: Sequence[str]
    tokens: IdArray
    definitions: Sequence[Defined]


def number_text(files: Sequence[Path], workers: int = 2, limit: int | None = None) -> NumberedText:
    """Read a corpus of one sentence per line, at most `limit` lines of each file."""
    numbered = partial(_number_file, limit=limit)
    if workers > 1 and len(files) > 1:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            parts = list(pool.map(numbered, files))
    else:
        parts = list(map(numbered, files))
    number_of: dict[str, int] = {}
    tokens = []
    for part in parts:
        merged = np.array([number_of.setdefault(word, len(number_of)) for word in part.words], dtype=np.int32)
        tokens.append(merged[part.tokens])
    definitions = [found for part in parts for found in part.definitions]
    return NumberedText(list(number_of), np.concatenate(tokens), definitions)


def _number_file(path: Path, limit: int | None) -> NumberedText:
    number_of = {"<end>": END, "<pause>": PAUSE}
    tokens = array("i")
    definitions = []
    for count, line in enumerate(read_text(path, "corpus")):
        if count == limit:
            break
        sentence = line.replace("’", "'")
        for token in TOKEN.findall(sentence):
            if token[0].isalnum():
                tokens.append(number_of.setdefault(token, len(number_of)))
            else:
                tokens.append(PAUSE if token in SOFT else END)
        tokens.append(END)
        found = DEFINING.match(sentence) if len(sentence) <= LONGEST_DEFINITION else None
        if found and found[1].split()[0].lower() not in OPENERS:
            definitions.append(Defined(found[1], sentence))
    return NumberedText(list(number_of), np.array(tokens, dtype=np.int32), definitions)


@dataclass(frozen=True)
class WordCounts:
    """How often words occur, and how often they are capitalised where a small letter was possible."""

    words: Sequence[str]
    """In lower case."""
    total: IndexArray
    inside: IndexArray
    """Occurrences that do not begin a sentence."""
    capitalised: IndexArray
    """How many of those begin with a capital letter."""

    @property
    def size(self) -> int:
        """The number of tokens."""
        return int(self.total.sum())


@dataclass(frozen=True)
class Phrases:
    """Sequences of words with their counts; `capitalised` counts those in which each content word is."""

    words: IndexArray
    """One row of numbers of lower-case words per phrase."""
    counts: IndexArray
    capitalised: IndexArray
    spread: IndexArray
    """In how many stretches of the text they occur: one article alone makes no term."""
    before_name: IndexArray
    after_name: IndexArray
    before_noun: IndexArray
    """How many stand before or after a capitalised content word ("of" may lead to it), and before a noun."""


class CorpusCounts:
    """Counts of the words and phrases of a numbered text, regardless of case."""

    def __init__(self, text: NumberedText) -> None:
        number_of = {"<end>": END, "<pause>": PAUSE}
        lower = [word.lower() for word in text.words]
        folded = np.array([number_of.setdefault(word, len(number_of)) for word in lower], dtype=np.int32)
        is_capital = np.array([word[0].isupper() for word in text.words], dtype=bool)
        self.number_of = number_of
        self._tokens, self._capital = folded[text.tokens], is_capital[text.tokens]
        inside = np.ones(len(self._tokens), dtype=bool)
        inside[1:] = self._tokens[:-1] != END
        inside[:1] = False
        n = len(number_of)
        self._numeral = np.array([word in NUMERALS for word in number_of])
        total = np.bincount(self._tokens, minlength=n)
        total[[END, PAUSE]] = 0
        self.words = WordCounts(
            list(number_of),
            total,
            np.bincount(self._tokens[inside], minlength=n),
            np.bincount(self._tokens[inside & self._capital], minlength=n),
        )

    def phrases(
        self,
        length: int,
        minimum: int,
        inner: BoolArray,
        edges: BoolArray,
        *,
        wanted: Sequence[Sequence[str]] = (),
        linking: BoolArray | None = None,
        nouns: BoolArray | None = None,
    ) -> Phrases:
        """Count the phrases of a length.

        Args:
            length: The number of words.
            minimum: Phrases with fewer occurrences are left out, unless they are wanted.
            inner: For each word whether it may stand inside a phrase.
            edges: For each word whether it may begin and end a phrase; these must be capitalised in a name.
            wanted: Phrases of this length that are counted whatever their words.
            linking: For each word whether it leads from one part of a name to the next, as "of" does; none by default.
            nouns: For each word whether it may continue a noun phrase; none by default.
        """
        tokens = self._tokens
        size = len(tokens) - length + 1
        columns = [tokens[at : at + size] for at in range(length)]
        keys = _hashes(columns)
        fits = edges[columns[0]] & edges[columns[-1]]
        for column in columns[1:-1]:
            fits &= inner[column]
        known = self._wanted_keys(wanted, length)
        if len(known):
            fits[_places(keys, known)] = True
        starts = np.flatnonzero(fits)
        keys = keys[starts]
        order = np.argsort(keys, kind="stable")
        starts, keys = starts[order], keys[order]
        begins = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]]) if len(keys) else np.empty(0, dtype=np.int64)
        count = np.diff(np.r_[begins, len(keys)])
        capital = np.ones(len(starts), dtype=bool)
        for at in range(length):
            capital &= self._capital[starts + at] | ~edges[tokens[starts + at]]
        keep = (count >= minimum) | np.isin(keys[begins], known)
        firsts = starts[begins[keep]]
        rows = np.stack([tokens[firsts + at] for at in range(length)], axis=1) if len(firsts) else np.empty((0, length))
        stretch = starts // min(STRETCH, len(tokens) // STRETCHES + 1)
        is_new = np.ones(len(starts), dtype=bool)
        is_new[1:] = (stretch[1:] != stretch[:-1]) | (keys[1:] != keys[:-1])
        named = self._capital & (edges | self._numeral)[tokens]
        after, beyond = self._at(starts + length), np.minimum(starts + length + 1, len(tokens) - 1)
        none = np.zeros(len(edges), dtype=bool)
        linked = (none if linking is None else linking)[after] & named[beyond]

        def totals(marks: BoolArray) -> IndexArray:
            summed: IndexArray = np.add.reduceat(marks.astype(np.int64), begins) if len(begins) else begins
            kept: IndexArray = summed[keep]
            return kept

        return Phrases(
            rows.astype(np.int64),
            count[keep],
            totals(capital),
            totals(is_new),
            totals(named[np.minimum(starts + length, len(tokens) - 1)] | linked),
            totals(named[np.maximum(starts - 1, 0)] & (starts > 0)),
            totals((none if nouns is None else nouns)[after]),
        )

    def _at(self, places: IndexArray) -> IdArray:
        """Return the tokens at places; beyond the text there are breaks."""
        inside = (places >= 0) & (places < len(self._tokens))
        found: IdArray = np.where(inside, self._tokens[np.clip(places, 0, len(self._tokens) - 1)], END)
        return found

    def _wanted_keys(self, wanted: Sequence[Sequence[str]], length: int) -> IndexArray:
        rows = [[self.number_of.get(word, -1) for word in phrase] for phrase in wanted if len(phrase) == length]
        numbers = np.array([row for row in rows if min(row) > PAUSE], dtype=np.int32).reshape(-1, length)
        return np.unique(_hashes([numbers[:, at] for at in range(length)]))

    def spelt(self, phrases: Phrases) -> Iterator[str]:
        """Yield the phrases as text."""
        words = self.words.words
        for row in phrases.words.tolist():
            yield " ".join(words[number] for number in row)


def _places(keys: IndexArray, known: IndexArray) -> IndexArray:
    """Return where keys are among the known ones; a table of some of their bits rules most out at once."""
    table = np.zeros(1 << TABLE_BITS, dtype=bool)
    table[known & (len(table) - 1)] = True
    maybe = np.flatnonzero(table[keys & (len(table) - 1)])
    return maybe[np.isin(keys[maybe], known)]


def _hashes(columns: Sequence[IdArray]) -> IndexArray:
    """Return one number for each row; rows that differ share it with a chance of about one in 10^19."""
    total = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (column.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
        total = (total * np.uint64(0x100000001B3)) ^ (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    return total.astype(np.int64)
