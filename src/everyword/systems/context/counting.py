"""Count the words, pairs and triples of a corpus, in blocks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import InputError
from everyword.sentences.context.features import Counts
from everyword.sentences.context.ngram_table import NgramTable, ngram_keys
from everyword.sentences.context.stream import MARKS, Numbering
from everyword.systems.context.config import ContextConfig

LINES_AT_ONCE = 5_000
BLOCK = 4_000_000
"""Words that are sorted together: their triples take 32 MB."""
MOST_HELD = 60_000_000
"""Different n-grams in memory; beyond, those seen once are dropped."""
BITS = 20


class NgramCounts:
    """Different n-grams and their counts, added to block by block."""

    def __init__(self) -> None:
        self.keys: IndexArray = np.empty(0, dtype=np.int64)
        self.counts: FloatArray = np.empty(0, dtype=np.float32)
        self._new: list[tuple[IndexArray, FloatArray]] = []
        self._size = 0

    def add(self, keys: IndexArray, weight: float) -> None:
        """Count n-grams, each as a number."""
        found, counts = np.unique(keys, return_counts=True)
        self._new.append((found, (counts * weight).astype(np.float32)))
        self._size += len(found)
        if self._size > max(BLOCK, len(self.keys) // 2):
            self.merge()

    def merge(self) -> None:
        """Bring what was counted together."""
        keys = np.concatenate([self.keys, *(keys for keys, _ in self._new)])
        counts = np.concatenate([self.counts, *(counts for _, counts in self._new)])
        order = np.argsort(keys, kind="stable")
        keys, counts = keys[order], counts[order]
        begins = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]][: len(keys)])
        self.keys = keys[begins]
        self.counts = np.add.reduceat(counts, begins) if len(begins) else counts
        if len(self.keys) > MOST_HELD:
            often = self.counts > self.counts.min()
            self.keys, self.counts = self.keys[often], self.counts[often]
        self._new, self._size = [], 0

    def at_least(self, least: float) -> tuple[IndexArray, FloatArray]:
        """Return the n-grams that were seen so often."""
        self.merge()
        often = self.counts >= least
        return self.keys[often], self.counts[often]


class Counter:
    """Counts the n-grams of lines."""

    def __init__(self, numbering: Numbering, config: ContextConfig) -> None:
        self.numbering, self.config = numbering, config
        self.reach = min(config.reach, numbering.words)
        self.words = np.zeros(len(numbering), dtype=np.float64)
        self.pairs, self.triples = NgramCounts(), NgramCounts()

    def count(self, lines: Iterable[str], weight: float = 1.0) -> int:
        """Count lines, each a sentence or a paragraph; return how many words and marks they have."""
        iterator, total, block = iter(lines), 0, list[int]()
        while some := list(islice(iterator, LINES_AT_ONCE)):
            block += self.numbering.of_text("\n\n".join(some))
            if len(block) >= BLOCK:
                total += self._count_block(np.array(block, dtype=np.int64), weight)
                block = []
        return total + self._count_block(np.array(block, dtype=np.int64), weight)

    def _count_block(self, numbers: IndexArray, weight: float) -> int:
        self.words += np.bincount(numbers, minlength=len(self.words)) * weight
        # Smaller numbers, so that three of them fit into one: rare words are unknown, marks come behind the words.
        words, unknown = self.numbering.words, self.reach
        numbers = np.where(numbers >= words, numbers - words + self.reach, np.minimum(numbers, unknown))
        end = self.numbering.end - words + self.reach
        first, second, third = numbers[:-2], numbers[1:-1], numbers[2:]
        pairs = (numbers[:-1] != unknown) & (numbers[1:] != unknown)
        self.pairs.add((numbers[:-1] << BITS | numbers[1:])[pairs], weight)
        triples = (first != unknown) & (second != unknown) & (third != unknown) & (second != end)
        self.triples.add(((first << BITS | second) << BITS | third)[triples], weight)
        return len(numbers)

    def result(self) -> Counts:
        """Return what was counted, without rare n-grams; raise InputError if there is nothing."""
        config = self.config
        pairs, pair_counts = self.pairs.at_least(config.least)
        triples, triple_counts = self.triples.at_least(config.least)
        keys = np.concatenate([self._keys(pairs, 2), self._keys(triples, 3)])
        counts = np.concatenate([pair_counts, triple_counts])
        if len(counts) > config.most:
            kept = np.argsort(-counts, kind="stable")[: config.most]
            keys, counts = keys[kept], counts[kept]
        if not len(keys):
            raise InputError(f"No two words were seen together {config.least:g} times; give more text.")
        return Counts(self.words.astype(np.float32), NgramTable.build(keys, counts), self.numbering.words)

    def _keys(self, packed: IndexArray, size: int) -> AnyArray:
        numbers = [packed >> BITS * (size - 1 - nth) & (1 << BITS) - 1 for nth in range(size)]
        numbers = [np.where(each < self.reach, each, each - self.reach + self.numbering.words) for each in numbers]
        return ngram_keys(*numbers)


assert MARKS < 8, "config.MOST_WORDS leaves room for eight marks"
