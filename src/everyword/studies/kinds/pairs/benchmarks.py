"""Benchmarks with development and test halves, for choices such as alpha: similarity, analogies and labelled texts.

A table is scored on the development halves as often as needed, and on the test halves once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
import torch
from torch.nn import functional as F

from everyword.arrays import FloatArray, IndexArray
from everyword.corpus.labelled.sets import Texts, chosen, cut_dev, cut_to, read_texts
from everyword.evaluation.benchmark import MissingData
from everyword.evaluation.catalogue import data_folder
from everyword.evaluation.tasks.analogy import NOT_A_CANDIDATE, AnalogySet, answers, three_cos_add
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman
from everyword.studies.benchmarks import base_of, find_benchmark
from everyword.text.word_pattern import WORD_PATTERN, spelling
from everyword.vectors.table import VectorTable

Part = Literal["dev", "test"]
SIMILARITY, ANALOGY, TEXTS, MEAN = "similarity", "analogy", "texts", "similarity/mean"
SEMANTIC, SYNTACTIC = "semantic", "syntactic"
DECAY = 1e-3


@dataclass(frozen=True)
class PairBenchmarks:
    """The data of a study's columns; columns whose data is missing have no score."""

    similarity: Mapping[str, SimilaritySet]
    analogies: Mapping[str, AnalogySet]
    texts: Mapping[str, tuple[Texts, Texts]]
    """Train and test."""
    questions_every: int = 1
    """Only each n-th question of analogies is asked."""
    training_texts: int | None = None
    """How many texts train a classifier; None for all of them."""

    @classmethod
    def load(
        cls,
        columns: Sequence[str],
        data: Path | None,
        report: Callable[[str], None],
        *,
        questions_every: int = 1,
        training_texts: int | None = None,
    ) -> PairBenchmarks:
        """Load the data of columns such as similarity/men3000, analogy/google and texts/imdb."""
        similarity, analogies, texts = (
            dict[str, SimilaritySet](),
            dict[str, AnalogySet](),
            dict[str, tuple[Texts, Texts]](),
        )
        for column in dict.fromkeys(map(base_of, columns)):
            kind, _, name = column.partition("/")
            folder = data_folder(data)
            if column == MEAN:
                continue
            if kind == TEXTS:
                home = None if folder is None else folder / "classification" / name
                if home is None or not (home / "train.tsv.gz").is_file():
                    report(f"{column}: skipped, because the data folder has no classification/{name}/train.tsv.gz.")
                    continue
                train = cut_to(read_texts(home / "train.tsv.gz"), training_texts)
                texts[column] = (train, read_texts(home / "test.tsv.gz"))
                continue
            found = find_benchmark(column, data)
            if isinstance(found, MissingData):
                report(f"{column}: skipped. {found.reason}")
            elif kind == SIMILARITY:
                similarity[column] = SimilaritySet.load(found.files[0])
            else:
                analogies[column] = AnalogySet.load(found.files[0])
        return cls(similarity, analogies, texts, questions_every, training_texts)

    @cached_property
    def kinds(self) -> list[str]:
        """What a choice is made for: all similarity sets together, all analogies, and each set of texts."""
        together = [kind for kind, sets in ((SIMILARITY, self.similarity), (ANALOGY, self.analogies)) if sets]
        return [*together, *self.texts]

    def score(self, table: VectorTable, part: Part, kinds: Sequence[str]) -> dict[str, float]:
        """Return the scores of a table in percent, by column, for some kinds of columns."""
        units, scores = table.unit(), dict[str, float]()
        if SIMILARITY in kinds:
            for column, data in self.similarity.items():
                scores[column] = 100 * _similarity(units, data, part)
            scores[MEAN] = float(np.mean(list(scores.values())))
        if ANALOGY in kinds:
            for column, questions in self.analogies.items():
                scores |= _analogies(units, questions, part, column, self.questions_every)
        for column, (train, test) in self.texts.items():
            if column in kinds:
                scores[column] = 100 * _classification(units, train, test, part)
        return scores

    def main(self, scores: Mapping[str, float], kind: str) -> float:
        """Return the score by which a choice for a kind of columns is made."""
        if kind == SIMILARITY:
            return scores[MEAN]
        return scores[next(iter(self.analogies))] if kind == ANALOGY else scores[kind]


def kind_of_column(column: str) -> str:
    """Return the kind of columns that one belongs to.

    >>> kind_of_column("similarity/mean"), kind_of_column("analogy/google#semantic"), kind_of_column("texts/imdb")
    ('similarity', 'analogy', 'texts/imdb')
    """
    kind = column.partition("/")[0]
    return column if kind == TEXTS else kind


def half(count: int, part: Part) -> IndexArray:
    """Return the rows of one half, the same in every run."""
    order = np.random.default_rng(0).permutation(count)
    return np.sort(order[: count // 2] if part == "dev" else order[count // 2 :])


def _rows(units: VectorTable, words: Sequence[str]) -> IndexArray:
    """Return rows of words, looked up as they are and then in lower case; -1 for others."""
    index = units.index
    return np.array([index.get(word, index.get(word.lower(), NOT_A_CANDIDATE)) for word in words], dtype=np.int64)


def _similarity(units: VectorTable, data: SimilaritySet, part: Part) -> float:
    """Return the rank correlation over the pairs of a half whose words are both known; 0 for fewer than two."""
    asked = half(len(data.pairs), part)
    first, second = (_rows(units, [data.pairs[row][side] for row in asked]) for side in (0, 1))
    known = (first != NOT_A_CANDIDATE) & (second != NOT_A_CANDIDATE)
    cosines = np.einsum("ij,ij->i", units.matrix[first[known]], units.matrix[second[known]])
    return spearman(cosines, data.scores[asked][known]) if known.sum() > 1 else 0.0


def _analogies(units: VectorTable, data: AnalogySet, part: Part, column: str, every: int) -> dict[str, float]:
    """Return the accuracy of 3CosAdd over all questions of a half, and over semantic and syntactic ones."""
    asked = half(len(data.questions), part)[::every]
    rows = np.array([_rows(units, data.questions[row]) for row in asked])
    known = np.flatnonzero((rows != NOT_A_CANDIDATE).all(axis=1))
    right = np.zeros(len(rows), dtype=bool)
    words, questions = np.unique(rows[known][:, :3], return_inverse=True)
    found = answers(three_cos_add, units.matrix[words], questions.reshape(-1, 3), units.matrix, rows[known][:, :3])
    right[known] = found == rows[known][:, 3]
    syntactic = np.array([data.sections[row].startswith("gram") for row in asked])
    return {
        column: 100 * float(right.mean()),
        f"{column}#{SEMANTIC}": 100 * float(right[~syntactic].mean()) if (~syntactic).any() else 0.0,
        f"{column}#{SYNTACTIC}": 100 * float(right[syntactic].mean()) if syntactic.any() else 0.0,
    }


def _classification(units: VectorTable, train: Texts, test: Texts, part: Part) -> float:
    """Return the accuracy of a linear classifier of the mean vectors of texts."""
    if part == "dev":
        train, test = cut_dev(train, 0.25)
    labels = sorted({*train.labels})
    known = chosen(test, [row for row, label in enumerate(test.labels) if label in labels], test.name)
    features, others = (_means(units, texts) for texts in (train, known))
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-6
    targets = torch.tensor([labels.index(label) for label in train.labels])
    predicted = _fitted((features - mean) / spread, targets, len(labels), (others - mean) / spread)
    right = sum(labels[row] == label for row, label in zip(predicted, known.labels, strict=True))
    return right / len(test)


def _fitted(features: FloatArray, targets: torch.Tensor, classes: int, others: FloatArray) -> list[int]:
    """Fit a softmax regression by L-BFGS and return the classes of other rows."""
    given = torch.from_numpy(features)
    weights = torch.zeros(given.shape[1] + 1, classes, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=60, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = F.cross_entropy(given @ weights[:-1] + weights[-1], targets) + DECAY * (weights[:-1] ** 2).sum() / 2
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        return (torch.from_numpy(others) @ weights[:-1] + weights[-1]).argmax(dim=1).tolist()


def _means(units: VectorTable, texts: Texts) -> FloatArray:
    """Return the mean of the unit vectors of each text's known words; zeros where none is known."""
    rows, lengths = _known_rows(texts, tuple(units.words))
    means = np.zeros((len(texts), units.dim), dtype=np.float32)
    stops = np.cumsum(lengths)
    for text in np.flatnonzero(lengths):
        means[text] = units.matrix[rows[stops[text] - lengths[text] : stops[text]]].mean(axis=0)
    return means


@lru_cache(maxsize=8)
def _known_rows(texts: Texts, words: tuple[str, ...]) -> tuple[IndexArray, IndexArray]:
    """Return the rows of the known words of all texts, one after the other, and how many each text has."""
    row_of = {word: row for row, word in enumerate(words)}
    found = [
        [row_of[word] for word in WORD_PATTERN.findall(spelling(" ".join(tokens))) if word in row_of]
        for tokens in texts.tokens
    ]
    rows = np.array([row for one in found for row in one], dtype=np.int64)
    return rows, np.array([len(one) for one in found], dtype=np.int64)
