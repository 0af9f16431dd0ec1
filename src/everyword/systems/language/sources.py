"""What each source says of a word: a direction in the English space, and how far it can be relied on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.space.alignment.aligning import align
from everyword.systems.language.config import LanguageConfig
from everyword.systems.language.english import English, Translated
from everyword.systems.language.relatives import Weighted, beginnings, endings, expected_cosines, relatives
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

Map = Callable[[FloatArray], FloatArray]
FLAT = 4
"""One of how many directions of the English space says next to nothing."""
FEWEST_PAIRS = 20
"""Pairs from which a map between two spaces can be learnt, at least."""


class Said(NamedTuple):
    """What a source says of some words."""

    vectors: FloatArray
    """Unit vectors; zeros where it says nothing."""
    strength: FloatArray
    """From 0 to 1."""


@dataclass(frozen=True)
class CorpusVectors:
    """Vectors of a corpus for all words of a language, and maps of them to the English space.

    Two maps were fitted to one half of the translated words each, so that there is something to learn from how well
    each does on the other half.
    """

    vectors: FloatArray
    """Unit vectors of all words; zeros for those that the corpus does not have."""
    trusted: FloatArray
    """How much each is worth, by its occurrences."""
    map: Map
    halves: tuple[Map, Map]

    def said(self, rows: IndexArray, *, unseen: bool) -> Said:
        """Return the mapped vectors of some words, perhaps by maps that were not fitted to those words."""
        vectors = self.vectors[rows]
        if unseen:
            mapped = np.where((rows % 2 == 0)[:, None], self.halves[1](vectors), self.halves[0](vectors))
        else:
            mapped = self.map(vectors)
        return Said(mapped, self.trusted[rows])


def corpus_vectors(
    words: Sequence[str], table: VectorTable, counts: Sequence[int], translations: FloatArray, config: LanguageConfig
) -> CorpusVectors:
    """Map the vectors of a corpus to the English space, by the words that have translations."""
    row_of = {word: row for row, word in enumerate(table.words)}
    vectors, trusted = np.zeros((len(words), table.dim), dtype=np.float32), np.zeros(len(words), dtype=np.float32)
    for number, word in enumerate(words):
        row = row_of.get(word)
        if row is not None:
            vectors[number] = table.matrix[row]
            trusted[number] = counts[row] / (counts[row] + config.trust)
    vectors = unit_rows(vectors, in_place=True)
    both = np.asarray(vectors.any(axis=1) & translations.any(axis=1))
    even = np.arange(len(words)) % 2 == 0
    maps = [_map(words, vectors, translations, chosen, config) for chosen in (both, both & even, both & ~even)]
    return CorpusVectors(vectors, trusted, maps[0], (maps[1], maps[2]))


def _map(
    words: Sequence[str], vectors: FloatArray, translations: FloatArray, chosen: BoolArray, config: LanguageConfig
) -> Map:
    """Learn a map from the vectors of a corpus to the English space, from some of the words."""
    names = [words[row] for row in np.flatnonzero(chosen).tolist()]
    own, english = VectorTable(names, vectors[chosen]), VectorTable(names, translations[chosen])
    return align(own, english, [(word, word) for word in names], method=config.alignment).map_source


class Sources:
    """All sources but the word's own translations."""

    def __init__(
        self,
        words: Sequence[str],
        corpus: CorpusVectors,
        translated: Translated,
        english: English,
        config: LanguageConfig,
    ) -> None:
        self.words, self.corpus, self.english = words, corpus, english
        numbers = {word: number for number, word in enumerate(words) if word in translated.rows}
        self.table = translated.vectors([*numbers])
        rows = np.zeros(len(words), dtype=np.int64)
        rows[[*numbers.values()]] = np.arange(len(numbers))
        translations = np.zeros((len(words), self.table.shape[1]), dtype=np.float32)
        translations[[*numbers.values()]] = self.table
        self.spelling: dict[str, Weighted] = {}
        for name, pairs in (
            ("relatives", relatives(words, numbers, config.shared)),
            ("end", endings(words, numbers)),
            ("beginning", beginnings(words, numbers)),
        ):
            expected = expected_cosines(pairs, words, corpus.vectors, translations)
            self.spelling[name] = Weighted.of(pairs, expected, rows, len(words))

        self._shares = (config.own, config.own_unseen)
        spread = np.linalg.eigh(self.table.T @ self.table)[1]
        self._flat = spread[:, : max(1, spread.shape[1] // FLAT)]

    def own(self, rows: IndexArray) -> tuple[FloatArray, FloatArray]:
        """Return a unit vector for each of some words that no other word has, and how much it may fill.

        It is the mapped vector of the corpus. For a word that the corpus lacks it is drawn by the word's spelling, from
        the directions in which English words differ least.
        """
        vectors = self.corpus.said(rows, unseen=False).vectors
        lacking = np.flatnonzero(~vectors.any(axis=1)).tolist()
        for row in lacking:
            drawn = np.random.default_rng(crc32(self.words[rows[row]].encode())).normal(size=self._flat.shape[1])
            vectors[row] = self._flat @ drawn
        shares = np.full(len(rows), self._shares[0], dtype=np.float32)
        shares[lacking] = self._shares[1]
        return unit_rows(vectors, in_place=True), shares

    @property
    def names(self) -> list[str]:
        """The names of the sources."""
        return ["corpus", "same word", "like a word", *self.spelling]

    def said(self, rows: IndexArray, *, unseen: bool) -> dict[str, Said]:
        """Return what each source says of some words."""
        asked = [self.words[row] for row in rows.tolist()]
        found = {"corpus": self.corpus.said(rows, unseen=unseen)}
        vectors, sure = self.english.read_as_english(asked)
        stored = np.array([word in self.english.index for word in asked])
        found["same word"] = Said(vectors * stored[:, None], sure * stored)
        found["like a word"] = Said(vectors * ~stored[:, None], sure * ~stored)
        for name, weighted in self.spelling.items():
            found[name] = Said(unit_rows(weighted.means(self.table, rows), in_place=True), weighted.strength[rows])
        return found
