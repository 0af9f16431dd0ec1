"""Lexicon induction: is the translation of a word the nearest word of another language?

Data: pairs of a word and its translation, and a table of the other language in the same space as the model. A word with
several translations counts by the best of them. It is a miss if it has no vector, or if no translation is in the table;
the scores that end in "_known" leave such words out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.space.alignment.pairs import WordPairs, find_row, read_dictionary
from everyword.space.alignment.retrieval import best_ranks, penalties
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable


@dataclass(frozen=True)
class LexiconSet:
    """Words with their translations, and the table in which these are searched."""

    name: str
    words: Sequence[str]
    translations: Sequence[Sequence[str]]
    """The translations of each word."""
    target: VectorTable
    target_name: str
    noisy: bool = False
    """Whether words are misspelt on purpose, so that they may all be unknown."""

    @classmethod
    def of(cls, name: str, pairs: WordPairs, target: VectorTable, target_name: str) -> LexiconSet:
        """Gather the translations of each word."""
        translations = grouped(pairs)
        return cls(name, list(translations), list(translations.values()), target, target_name)

    @classmethod
    def load(cls, path: Path, target: Path, *, reverse: bool = False) -> LexiconSet:
        """Read pairs, from the second column to the first if `reverse`, and the table of the other language."""
        pairs = read_dictionary(path)
        directed = [(two, one) for one, two in pairs] if reverse else pairs
        return cls.of(path.name.partition(".")[0], directed, VectorTable.load(target), target.name)


def grouped(pairs: WordPairs) -> dict[str, list[str]]:
    """Return all translations of each word.

    >>> grouped([("cat", "Katze"), ("dog", "Hund"), ("cat", "Kater")])
    {'cat': ['Katze', 'Kater'], 'dog': ['Hund']}
    """
    translations: dict[str, list[str]] = {}
    for word, translation in pairs:
        translations.setdefault(word, []).append(translation)
    return translations


def run(model: EvaluatedModel, data: LexiconSet, seed: int) -> Scores:
    """Score precision at 1 and 5 and the mean reciprocal rank, by nearest neighbour and by CSLS."""
    if model.dim != data.target.dim:
        raise InputError(
            f"{data.target_name} has dimension {data.target.dim} and {model.name} has {model.dim}; align the two first."
        )
    right = [_rows(data.target, translations) for translations in data.translations]
    known = np.array([model.known(word) and bool(rows) for word, rows in zip(data.words, right, strict=True)])
    if not any(right):
        raise NoOverlapError(f"No translation of {data.name} is in {data.target_name}; is it of another language?")
    if model.policy == "zero" and not data.noisy and not any(map(model.known, data.words)):
        raise NoOverlapError(f"No word of {data.name} is in {model.name}; is it of another language?")
    targets = unit_rows(data.target.matrix)
    queries = model.units(data.words)
    correction = penalties(model.candidate_units, targets)
    values: dict[str, float | None] = {}
    for prefix, ranks in zip(("", "csls_"), best_ranks(queries, targets, right, correction), strict=True):
        values |= {prefix + name: value for name, value in rank_scores(ranks).items()}
        if known.any():
            values |= {f"{prefix}{name}_known": value for name, value in rank_scores(ranks[known]).items()}
    return Scores(values, len(data.words), int(known.sum()))


def rank_scores(ranks: IndexArray) -> dict[str, float]:
    """Return precision at 1 and 5 and the mean reciprocal rank, in percent; rank 0 is a miss.

    >>> {name: round(value, 2) for name, value in rank_scores(np.array([1, 2, 4])).items()}
    {'p@1': 33.33, 'p@5': 100.0, 'mrr': 58.33}
    """
    found = ranks > 0
    scores = {f"p@{k}": 100 * float((found & (ranks <= k)).mean()) for k in (1, 5)}
    return {**scores, "mrr": 100 * float((found / np.maximum(ranks, 1)).mean())}


def _rows(table: VectorTable, words: Sequence[str]) -> list[int]:
    found = (find_row(table, word) for word in words)
    return list(dict.fromkeys(row for row in found if row is not None))


def misspelt(data: LexiconSet, misspell: Misspell) -> LexiconSet:
    """Return the same translations of misspelt words."""
    return replace(data, words=[misspell(word) for word in data.words], noisy=True)


TASK = Task(
    name="lexicon-induction",
    version=1,
    kind="translation",
    summary="Is the translation of a word the nearest word of the other language? P@1, P@5, MRR.",
    main="csls_p@1",
    load=LexiconSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
    needs_target=True,
)
