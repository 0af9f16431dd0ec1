"""Build the table of a language: every word with a vector in the English space."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.models.known import PHRASES, WORDS
from everyword.space.pipeline import Reporter, no_report
from everyword.systems.language.combine import Combination
from everyword.systems.language.config import LanguageConfig
from everyword.systems.language.english import English, Translated
from everyword.systems.language.lexicon import choose_words, read_dictionary, read_frequencies, read_judging
from everyword.systems.language.sources import FEWEST_PAIRS, Sources, corpus_vectors
from everyword.text.normalise import Normaliser
from everyword.vectors.table import VectorTable

TEACHER, SECTIONS, RELIABILITY, RECORD = (
    "teacher.npy", "teacher.sections.json", "teacher.reliability.npy", "language.json"
)  # fmt: skip


@dataclass(frozen=True)
class LanguageFiles:
    """The files that say something about a language."""

    dictionary: Path
    frequencies: Path | None = None
    exclude: Sequence[Path] = ()
    """Lists of pairs that judge: the dictionary is read without all words of the language in them."""


def check_files(files: LanguageFiles, normalise: Normaliser, english: English) -> None:
    """Raise InputError for files that cannot be used, before anything takes long."""
    _translated(files, normalise, english, LanguageConfig())
    if files.frequencies is not None:
        read_frequencies(files.frequencies, normalise)


def build_language(
    files: LanguageFiles,
    table: VectorTable,
    english: English,
    config: LanguageConfig,
    folder: Path,
    *,
    normalise: Normaliser,
    counts: Sequence[int] | None = None,
    report: Reporter = no_report,
) -> Path:
    """Build the table in a run folder.

    Args:
        files: The dictionary, and perhaps frequencies and pairs that judge.
        table: Vectors of the words of a corpus, most frequent first, in any space.
        english: Vectors of English words.
        config: How the words are chosen and their vectors put together.
        folder: The run folder.
        normalise: Normalises words of the language.
        counts: How often each word of the table occurs; by default Zipf's law says.
        report: Called with a sentence about each stage.

    Returns:
        The path of the table; sections, reliabilities and a record lie beside it.

    Raises:
        InputError: If a file cannot be used, or dictionary and table have nothing in common.
    """
    translated, dropped = _translated(files, normalise, english, config)
    spelt, occurring = _normalised(table, counts, normalise, config)
    count_of = dict(zip(spelt.words, occurring, strict=True))
    frequencies = {} if files.frequencies is None else read_frequencies(files.frequencies, normalise)
    words, phrases = choose_words(translated.rows, count_of, frequencies, config)
    translations = translated.vectors(words)
    both = sum(word in count_of for word in translated.rows)
    if both < FEWEST_PAIRS:
        raise InputError(
            f"{files.dictionary} and the vectors of the corpus have {both:,} words in common, and {FEWEST_PAIRS} are "
            "needed to map one onto the other; are both of one language?"
        )
    report(f"{len(translated):,} words have translations; {dropped:,} rows of the dictionary judge and were left out")
    corpus = corpus_vectors(words, spelt, occurring, translations, config)
    report(f"mapped {int(corpus.vectors.any(axis=1).sum()):,} vectors of the corpus to the English space")
    combination = Combination.learn(Sources(words, corpus, translated, english, config), translated, translations)
    vectors, sure = combination.vectors(translations)
    kept = np.flatnonzero(vectors.any(axis=1))
    record = {
        "words": len(kept),
        "phrases": len(phrases),
        "translated": int(translations.any(axis=1).sum()),
        "in the corpus": int(corpus.vectors.any(axis=1).sum()),
        "rows left out": dropped,
        "weights": combination.described(),
    }
    report(f"{len(kept):,} words and {len(phrases):,} phrases have vectors in the English space")
    names = [*(words[row] for row in kept.tolist()), *phrases]
    matrix = np.concatenate([vectors[kept], translated.vectors(phrases)])
    sure = np.concatenate([sure[kept], np.ones(len(phrases), dtype=np.float32)])
    _save(folder, VectorTable(names, matrix), {WORDS: len(kept), PHRASES: len(phrases)}, sure, record)
    return folder / TEACHER


def _translated(
    files: LanguageFiles, normalise: Normaliser, english: English, config: LanguageConfig
) -> tuple[Translated, int]:
    judging = read_judging(files.exclude, normalise)
    dictionary = read_dictionary(files.dictionary, normalise, english.normalise, judging)
    translated = Translated(dictionary, english, config)
    if not len(translated):
        raise InputError(f"No English word of {files.dictionary} has a vector; is its first column English?")
    return translated, dictionary.dropped


def _normalised(
    table: VectorTable, counts: Sequence[int] | None, normalise: Normaliser, config: LanguageConfig
) -> tuple[VectorTable, list[int]]:
    """Return the table with normalised words, each once, and how often each occurs."""
    if counts is None:
        counts = [config.least_count * len(table) // rank for rank in range(1, len(table) + 1)]
    first: dict[str, int] = {}
    for row, word in enumerate(table.words):
        if (spelt := normalise(word)) and table.matrix[row].any():
            first.setdefault(spelt, row)
    rows = list(first.values())
    return VectorTable(list(first), table.matrix[rows]), [counts[row] for row in rows]


def _save(folder: Path, table: VectorTable, sections: dict[str, int], sure: FloatArray, record: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {name: count for name, count in sections.items() if count}
    write_atomic(folder / SECTIONS, json.dumps(sizes) + "\n")
    np.save(folder / RELIABILITY, np.rint(sure * 255).astype(np.uint8))
    write_atomic(folder / RECORD, json.dumps(record, indent=2) + "\n")
    # As few numbers as are stored: so the table is the same wherever it is written.
    VectorTable(table.words, table.matrix.astype(np.float16)).save(folder / TEACHER)
