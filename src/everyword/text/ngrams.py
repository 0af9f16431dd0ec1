"""Character n-grams of a word between boundary marks, `<where>`: the units of fastText, BoS and KVQ.

Either each n-gram of the training words has a row of its own (all of them, or the most frequent), or n-grams share
rows by a hash. N-grams that no training word has are left out: they add no row, no noise and no memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from everyword import kernel
from everyword.config import Count, NonNegative
from everyword.text.hashing import fnv1a
from everyword.text.ngram_index import NgramIndex
from everyword.text.units import UNK, Sequences, UnitBatch, read_units, write_units
from everyword.text.vocabulary import VocabularyConfig

SPECIALS = ("[PAD]", "[UNK]")
BEGIN, END = "<", ">"
FEW = 16
"""Below this many words, looking up each n-gram in a dictionary takes NumPy less time than setting up arrays."""


@dataclass(frozen=True)
class NgramUnitsConfig:
    """Settings: which n-grams are used, and which row each has."""

    shortest: Count = 3
    longest: Count = 6
    top: Count | None = None
    """Keep only this many n-grams, those in most training words; None keeps all."""
    buckets: Count | None = None
    """Hash n-grams into this many rows instead of giving each its own; then none is listed and all are used."""
    frequency_power: NonNegative = 0.0
    """How much more a frequent word counts when `top` n-grams are chosen: the word at rank r, from 0, counts
    (r + 1)^-power. 0 counts all alike; 0.25 has proved good."""

    def problems(self) -> Iterator[str]:
        if self.shortest > self.longest:
            yield f"shortest must be at most longest. Got {self.shortest} and {self.longest} instead"
        if self.top is not None and self.buckets is not None:
            yield "top and buckets exclude each other: a listed n-gram has a row of its own"


def ngrams(word: str, shortest: int, longest: int) -> list[str]:
    """Return all n-grams of a marked word, from left to right, with repeats.

    >>> ngrams("where", 3, 3)
    ['<wh', 'whe', 'her', 'ere', 're>']
    """
    marked = BEGIN + word + END
    return [
        marked[start : start + length]
        for start in range(len(marked))
        for length in range(shortest, min(longest, len(marked) - start) + 1)
    ]


class NgramUnits:
    """Word → ids of its n-grams. The saved list holds the n-grams or, where they are hashed, the known characters."""

    NAME = "ngrams.v1"
    Config = NgramUnitsConfig

    def __init__(self, units: Iterable[str], config: NgramUnitsConfig | None = None) -> None:
        self.config = config or NgramUnitsConfig()
        self.units = [*SPECIALS, *dict.fromkeys(unit for unit in units if unit and unit not in SPECIALS)]
        listed = self.units[len(SPECIALS) :]
        self._rows = {unit: row for row, unit in enumerate(listed, start=len(SPECIALS))}
        marked = [unit for unit in listed if BEGIN in unit or END in unit]
        self._characters = set[str]().union(*listed) - {BEGIN, END} | set[str]().union(*map(_unmarked, marked))
        self._characters_and_marks = {*self._characters, BEGIN, END}
        self.size = len(SPECIALS) + (self.config.buckets or len(listed))

    def ids(self, word: str) -> list[int]:
        """Return the rows of a word's known n-grams, or one unknown unit for a word without any."""
        config = self.config
        if config.buckets is None:
            found = map(self._rows.get, ngrams(word, config.shortest, config.longest))
            return [row for row in found if row is not None] or [UNK]
        return [len(SPECIALS) + fnv1a(ngram.encode()) % config.buckets for ngram in self._known(word)] or [UNK]

    def batch(self, words: Sequence[str]) -> UnitBatch:
        if self.config.buckets is not None:
            return UnitBatch.one_by_one(self.ids, self.usable, words)
        if kernel.compiled and len(words) == 1:  # a word on its own should not pay for the bookkeeping of many
            sequences = self._index.sequences(words)
            known = sequences.flat[0] != UNK and not self._characters.isdisjoint(words[0])
            return UnitBatch(sequences, np.array([known]))
        if len(words) == 1:
            ids = self.ids(words[0])
            known = ids[0] != UNK and not self._characters.isdisjoint(words[0])
            return UnitBatch(Sequences(np.array(ids), np.array([len(ids)])), np.array([known]))
        if len(words) < FEW and not kernel.compiled:
            listed = list(map(self.ids, words))
            sequences, first = Sequences.of(listed), np.array([ids[0] for ids in listed], dtype=np.int64)
        else:
            sequences = self._index.sequences(words)
            first = sequences.flat[sequences.starts]
        strange = np.array(list(map(self._characters.isdisjoint, words)), dtype=bool)
        return UnitBatch(sequences, (first != UNK) & ~strange)

    @cached_property
    def _index(self) -> NgramIndex:
        return NgramIndex(self._rows, self.config.shortest, self.config.longest, (BEGIN, END))

    def shown(self, word: str) -> list[str]:
        return self._known(word) or [SPECIALS[UNK]]

    def _known(self, word: str) -> list[str]:
        found = ngrams(word, self.config.shortest, self.config.longest)
        if self.config.buckets is None:
            return [ngram for ngram in found if ngram in self._rows]
        # A hash has an answer for everything; that for a character never met in training would be noise.
        return [ngram for ngram in found if self._characters_and_marks.issuperset(ngram)]

    def usable(self, word: str) -> bool:
        """Return whether at least one n-gram and one character of the word itself are known."""
        return not self._characters.isdisjoint(word) and bool(self._known(word))

    def unknown_characters(self, word: str) -> list[str]:
        return [character for character in dict.fromkeys(word) if character not in self._characters]

    def save(self, path: Path) -> None:
        write_units(path, self.units)

    @classmethod
    def load(cls, path: Path, config: NgramUnitsConfig) -> NgramUnits:
        return cls(read_units(path, SPECIALS), config)


def _unmarked(unit: str) -> str:
    """Remove boundary marks from an n-gram; a lone mark counts as a character."""
    return unit.removeprefix(BEGIN).removesuffix(END) if len(unit) > 1 else unit


def build_ngrams(words: Sequence[str], _vocabulary: VocabularyConfig, config: NgramUnitsConfig) -> NgramUnits:
    """Build the vocabulary from normalised words, most frequent first; n-grams in most words come first."""
    if config.buckets is not None:
        return NgramUnits(sorted({character for word in words for character in word}), config)
    weights: dict[str, float] = {}
    for rank, word in enumerate(words):
        weight = (rank + 1) ** -config.frequency_power
        for ngram in set(ngrams(word, config.shortest, config.longest)):
            weights[ngram] = weights.get(ngram, 0.0) + weight
    ranked = sorted(weights, key=lambda ngram: (-weights[ngram], ngram))
    return NgramUnits(ranked[: config.top], config)
