"""Vectors of all entries from each source: the encoder's templates, occurrences, texts and definitions, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.language_models.corpus_pooling import CorpusRun, pool_corpus
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.text_vectors import text_vectors
from everyword.learning.checkpoint import read_arrays, write_arrays
from everyword.space.moments import Moments, principal_directions
from everyword.systems.word_space.config import WordSpaceConfig
from everyword.systems.word_space.lexicon import Lexicon
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class Source:
    """Unit vectors of all entries, zero where the source knows nothing, and how often each was seen."""

    vectors: FloatArray
    counts: FloatArray

    @property
    def known(self) -> FloatArray:
        """1 for an entry that the source knows, otherwise 0."""
        known: FloatArray = (self.counts > 0).astype(np.float32)
        return known

    def take(self, rows: IndexArray) -> Source:
        """Return some of the entries."""
        return Source(self.vectors[rows], self.counts[rows])

    def save(self, path: Path, fingerprint: str) -> None:
        """Write the vectors in half precision."""
        write_arrays(path, {"vectors": self.vectors.astype(np.float16), "counts": self.counts}, {}, fingerprint)

    @classmethod
    def load(cls, path: Path, fingerprint: str) -> Source:
        """Read what `save` wrote."""
        arrays, _ = read_arrays(path, fingerprint)
        return cls(arrays["vectors"].astype(np.float32), arrays["counts"])


def reduced(vectors: FloatArray, counts: FloatArray, config: WordSpaceConfig) -> Source:
    """Return a source of few dimensions: centred, its principal directions, rows of length 1."""
    known = counts > 0
    fitted = np.flatnonzero(known[: config.fit_on])
    if not len(fitted):
        raise InputError("A source of the space knows none of the most frequent words; is it of another language?")
    moments = Moments.of(vectors[fitted])
    _, directions = principal_directions(moments.covariance)
    kept = directions[:, : config.source_dim].astype(np.float32)
    rows = unit_rows((vectors - moments.mean.astype(np.float32)) @ kept)
    rows[~known] = 0
    return Source(rows, counts.astype(np.float32))


def from_templates(
    model: LanguageModel, entries: Sequence[str], config: WordSpaceConfig, *, show_progress: bool
) -> Source:
    """Encode every entry in all templates."""
    total = np.zeros((len(entries), model.dim), dtype=np.float32)
    for template in config.templates:
        texts = [template.replace("{}", entry) for entry in entries]
        vectors = text_vectors(model, texts, show_progress=show_progress, label=template)
        total += vectors - vectors[: config.fit_on].mean(axis=0)
    return reduced(total, np.ones(len(entries), dtype=np.float32), config)


def from_definitions(model: LanguageModel, lexicon: Lexicon, config: WordSpaceConfig, *, show_progress: bool) -> Source:
    """Encode the definitions of entries, alone and after the entry."""
    rows, definitions, weights = zip(*lexicon.definitions(), strict=True)
    owners, shares = np.array(rows), np.array(weights, dtype=np.float32)
    total = np.zeros((len(lexicon.entries), model.dim), dtype=np.float32)
    named = [f"{lexicon.entries[row]}: {text}" for row, text in zip(rows, definitions, strict=True)]
    for texts in (definitions, named):
        vectors = text_vectors(model, texts, show_progress=show_progress, label="definitions")
        part = np.zeros_like(total)
        np.add.at(part, owners, (vectors - vectors.mean(axis=0)) * shares[:, None])
        total += unit_rows(part)
    counts = np.bincount(owners, minlength=len(total)).astype(np.float32)
    return reduced(total, counts, config)


def from_corpus(
    model: LanguageModel,
    entries: Sequence[str],
    corpus: Sequence[Path],
    config: WordSpaceConfig,
    *,
    show_progress: bool,
) -> tuple[Source, Source]:
    """Average the encoder's outputs over occurrences of entries, and the vectors of the texts that they occur in."""
    run = CorpusRun(
        entries, corpus, config.occurrences, texts=True, workers=config.workers, show_progress=show_progress
    )
    pooled = pool_corpus(model, run)
    if pooled is None:
        raise KeyboardInterrupt
    counts = pooled.counts_of_words.astype(np.float32)
    seen = np.flatnonzero(counts)

    def spread(table: VectorTable) -> Source:
        vectors = np.zeros((len(entries), model.dim), dtype=np.float32)
        vectors[seen] = table.matrix
        return reduced(vectors, counts, config)

    return spread(pooled.word_table()), spread(pooled.text_table())


def from_table(table: VectorTable, lexicon: Lexicon, config: WordSpaceConfig) -> Source:
    """Take the rows of a table; of several spellings of an entry, the first."""
    vectors = np.zeros((len(lexicon.entries), table.dim), dtype=np.float32)
    counts = np.zeros(len(lexicon.entries), dtype=np.float32)
    for row, word in enumerate(table.words):
        entry = lexicon.index.get(word.lower().replace("_", " "))
        if entry is not None and not counts[entry]:
            vectors[entry], counts[entry] = table.matrix[row], 1
    return reduced(vectors, counts, config)
