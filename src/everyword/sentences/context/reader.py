"""Decide, for every word of a text, whether another one was meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.models.known import FOREIGN
from everyword.models.model import Model
from everyword.models.retrieval.runs import run_starts
from everyword.sentences.context.candidates import CandidateLists, WordCandidates
from everyword.sentences.context.features import PLACE, Counts, Pairs, Places, features_of
from everyword.sentences.context.scorer import Scorer
from everyword.sentences.context.stream import POSSESSIVE, Item, Numbering, items_of
from everyword.vectors.neighbours import rows_of_length

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
"""A token that may be misspelt: letters only, perhaps with an apostrophe."""
SHORTEST, LONGEST = 2, 40
SURE = 0.5
"""An unknown neighbour with a reading of this share, by spelling alone, stands for that word."""
FOREIGN_SHARE = 0.3
"""A text with more words of other languages than this is left alone."""
ITEMS_AT_ONCE = 1 << 13
REACH = MARGIN = 10
"""How many words and marks on either side are the theme of a word, and how many ends stand between two texts."""
COMMON = 100
"""The most frequent words tell nothing of a theme."""


class Decision(NamedTuple):
    """A word that was looked at, and what it may be."""

    text: int
    """The index of the text that it is in."""
    item: Item
    stem: str
    """The normalised word, without a possessive ending that is not stored with it."""
    known: bool
    read_as: str
    """The most likely other word."""
    share: float
    """How likely that is."""
    meant: bool
    """Whether it is likely enough."""


@dataclass(frozen=True)
class Thresholds:
    """How likely another word must be for it to be taken instead of the one that is written."""

    known: float = 0.8
    unknown: float = 0.5


class Stream:
    """The items of some texts, one after the other, and which of them are looked at."""

    def __init__(self, texts: Iterable[tuple[int, Iterable[Item]]], numbering: Numbering) -> None:
        self.items: list[Item] = []
        self.text: list[int] = []
        self.places: list[int] = []
        """Where each item stands in `numbers`."""
        place = MARGIN
        strings: list[str] = []
        for text, items in texts:
            for item in items:
                self.items.append(item)
                self.text.append(text)
                self.places.append(place)
                strings.append(item.text)
                place += 1
            place += MARGIN
        self.numbers: IndexArray = np.full(place, numbering.end, dtype=np.int64)
        self.numbers[self.places] = numbering.of_items(strings)
        self.capital: BoolArray = np.zeros(place, dtype=np.bool_)
        self.capital[self.places] = [item.is_token and item.text[0].isupper() for item in self.items]
        self.stems, self.own = self._stems(numbering)
        foreign = self._in_other_languages(numbering)
        asked = [
            which
            for which, stem in enumerate(self.stems)
            if stem and self.text[which] not in foreign and self._may_change(which)
        ]
        self.asked = [which for which in asked if self.own[which] >= 0 or self._may_be_misspelt(which, numbering)]

    def _stems(self, numbering: Numbering) -> tuple[list[str], list[int]]:
        plain = [
            item.text.replace("’", "'").lower()
            if item.is_token and SHORTEST <= len(item.text) <= LONGEST and WORD.fullmatch(item.text)
            else ""
            for item in self.items
        ]
        rows = numbering.rows_of(plain).tolist()
        stems = [word.removesuffix(POSSESSIVE) if row < 0 else word for word, row in zip(plain, rows, strict=True)]
        return stems, numbering.rows_of(stems).tolist()

    def _in_other_languages(self, numbering: Numbering) -> set[int]:
        """Return the texts that have many words which the model stores as those of other languages."""
        rows = numbering.known.sections.get(FOREIGN)
        if rows is None:
            return set()
        words, foreign = Counter[int](), Counter[int]()
        for text, stem, row in zip(self.text, self.stems, numbering.known.rows_of(self.stems).tolist(), strict=True):
            words[text] += bool(stem)
            foreign[text] += row >= rows.start
        return {text for text, count in foreign.items() if count > FOREIGN_SHARE * words[text]}

    def _may_change(self, which: int) -> bool:
        """Return whether a word is written in small letters, or begins a sentence or is unknown and has one capital.

        Words with accents and letters of other alphabets stay as they are.
        """
        item = self.items[which]
        rest = item.text[1:]
        if rest != rest.lower() or len(self.stems[which]) < SHORTEST or not self.stems[which].isascii():
            return False
        return item.text[0].islower() or item.begins or self.own[which] < 0

    def _may_be_misspelt(self, which: int, numbering: Numbering) -> bool:
        """Return whether an unknown word is no new contraction ("not've"), and no foreign word among others."""
        stem, place = self.stems[which], self.places[which]
        before, apostrophe, _ = stem.partition("'")
        if apostrophe and before in numbering.known.index:
            return False
        around = self.numbers[[place - 1, place + 1]]
        return bool(stem not in numbering.known.index or (around != numbering.unknown).all())


class ContextReader:
    """Reads words by their spelling and by the words around them."""

    def __init__(
        self, model: Model, counts: Counts, scorers: tuple[Scorer, Scorer], thresholds: Thresholds, numbering: Numbering
    ) -> None:
        self.counts, self.thresholds, self.numbering = counts, thresholds, numbering
        self.known_scorer, self.unknown_scorer = scorers
        self.candidates = CandidateLists(model, numbering)

    def read(self, texts: Sequence[str]) -> Iterator[Decision]:
        """Yield what is to be said about the words of texts, in their order."""
        for stream in self.streams(texts):
            yield from self._decided(stream)

    def streams(self, texts: Iterable[str]) -> Iterator[Stream]:
        """Cut texts into streams of a size that is worked on at once; a longer text is cut."""
        block: list[tuple[int, list[Item]]] = []
        size = 0
        for number, text in enumerate(texts):
            items = items_of(text)
            while part := list(islice(items, ITEMS_AT_ONCE)):
                block.append((number, part))
                size += len(part)
                if size >= ITEMS_AT_ONCE:
                    yield Stream(block, self.numbering)
                    block, size = [], 0
        if block:
            yield Stream(block, self.numbering)

    def pairs_of(self, stream: Stream) -> Pairs:
        """Return the candidates of all words that are looked at, with their features."""
        return features_of(self.counts, self.numbering.known.matrix, *self._places(stream))

    def _places(self, stream: Stream) -> tuple[Places, list[WordCandidates]]:
        found = self.candidates.of([stream.stems[which] for which in stream.asked])
        numbers = stream.numbers.copy()
        place = np.array([stream.places[which] for which in stream.asked], dtype=np.int64)
        own = np.array([stream.own[which] for which in stream.asked], dtype=np.int64)
        for index in (own < 0).nonzero()[0].tolist():
            if found[index].share >= SURE and not stream.capital[place[index]]:
                numbers[place[index]] = found[index].likeliest
        around = numbers[place - 2], numbers[place - 1], numbers[place + 1], numbers[place + 2]
        told = self._told(stream, place, around[1], around[2])
        return Places(around, own, told, *self._themes(numbers, place)), found

    def _themes(self, numbers: IndexArray, place: IndexArray) -> tuple[FloatArray, FloatArray]:
        """Return the means of the words around places that tell something, as unit vectors, and how many they are."""
        known = self.numbering.known
        telling = ((numbers >= COMMON) & (numbers < self.numbering.words)).nonzero()[0]
        sums = np.zeros((len(numbers) + 1, known.dim), dtype=np.float32)
        counts = np.zeros(len(numbers) + 1, dtype=np.float32)
        sums[telling + 1] = rows_of_length(known.matrix.floats(numbers[telling]), 1.0)
        counts[telling + 1] = 1
        vectors = sums[place + 1]
        own = counts[place + 1]
        sums, counts = np.cumsum(sums, axis=0), np.cumsum(counts)
        begin, end = np.maximum(place - REACH, 0), np.minimum(place + REACH + 1, len(numbers))
        themes = sums[end] - sums[begin] - vectors
        return rows_of_length(themes, 1.0), counts[end] - counts[begin] - own

    def _told(self, stream: Stream, place: IndexArray, left: IndexArray, right: IndexArray) -> FloatArray:
        first = np.array([stream.items[which].begins for which in stream.asked], dtype=np.bool_)
        capital, unknown = stream.capital[place], self.numbering.unknown
        columns = (
            *(capital, first, capital & ~first, left == unknown, right == unknown, left > unknown, right > unknown),
            *(stream.capital[place - 1], stream.capital[place + 1]),
        )
        return np.stack(columns, axis=1).astype(np.float32).reshape(len(place), len(PLACE))

    def _decided(self, stream: Stream) -> Iterator[Decision]:
        pairs = self.pairs_of(stream)
        known = np.array([stream.own[which] >= 0 for which in stream.asked], dtype=np.bool_)
        shares = self.shares(pairs, known)
        order = np.lexsort((-shares, pairs.place))
        best = order[run_starts(pairs.place)]
        columns = pairs.place[best], pairs.row[best], shares[best], known[pairs.place[best]]
        for index, row, share, stored in zip(*(column.tolist() for column in columns), strict=True):
            which = stream.asked[index]
            least = self.thresholds.known if stored else self.thresholds.unknown
            word, text, item = self.numbering.known.words[row], stream.text[which], stream.items[which]
            yield Decision(text, item, stream.stems[which], stored, word, share, share >= least)

    def shares(self, pairs: Pairs, known: BoolArray) -> FloatArray:
        """Return how likely each candidate is meant; `known` says of each place whether its word is stored."""
        shares = np.zeros(len(pairs.place), dtype=np.float32)
        of_known = known[pairs.place]
        for which, scorer in ((of_known, self.known_scorer), (~of_known, self.unknown_scorer)):
            asked = which.nonzero()[0]
            if len(asked):
                shares[asked] = scorer.shares(pairs.features[asked], pairs.place[asked], len(known))
        return shares
