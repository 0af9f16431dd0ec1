"""Clustering: do words of one class lie together? K-means on vectors of length 1, and the purity of its clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.kmeans import kmeans

SEEDS = 20


@dataclass(frozen=True)
class ClusteringSet:
    """Words and their classes."""

    name: str
    words: Sequence[str]
    classes: AnyArray
    noisy: bool = False
    """Whether words are misspelt on purpose, so that it is no wonder if none is known."""

    @classmethod
    def load(cls, path: Path) -> ClusteringSet:
        """Read tab-separated word and category with one header line."""
        rows = [cells for _, cells in read_rows(path, "clustering set", ("word", "category"))]
        classes = np.array([category for _, category in rows])
        if len(set(classes)) < 2:
            raise InputError(f"{path} holds {len(set(classes))} classes; clustering needs two or more.")
        return cls(path.stem, [word for word, _ in rows], classes)


def purity(clusters: IndexArray, classes: AnyArray) -> float:
    """The share of points that belong to the most frequent class of their cluster.

    >>> purity(np.array([0, 0, 0, 1, 1]), np.array(["a", "a", "b", "b", "b"]))
    0.8
    """
    _, labels = np.unique(classes, return_inverse=True)
    counts = np.zeros((int(clusters.max()) + 1, int(labels.max()) + 1), dtype=int)
    np.add.at(counts, (clusters, labels), 1)
    return float(counts.max(axis=1).sum() / len(labels))


def run(model: EvaluatedModel, data: ClusteringSet, seed: int) -> Scores:
    """Mean purity over many starts; k is the number of classes."""
    known = np.array([model.known(word) for word in data.words])
    if model.policy == "zero" and not (data.noisy or known.any()):
        raise NoOverlapError(f"No word of {data.name} is in {model.name}; is it of another language?")
    units = model.units(data.words)
    everything = _purities(units, data.classes, seed)
    values: dict[str, float | None] = {"purity": float(np.mean(everything)), "purity_known": None}
    spread = {"purity": float(np.std(everything))}
    if len(set(data.classes[known])) > 1:
        known_only = _purities(units[known], data.classes[known], seed)
        values["purity_known"], spread["purity_known"] = float(np.mean(known_only)), float(np.std(known_only))
    return Scores(values, len(data.words), int(known.sum()), spread, SEEDS)


def _purities(units: FloatArray, classes: AnyArray, seed: int) -> list[float]:
    k = len(set(classes))
    starts = (np.random.default_rng([seed, number]) for number in range(SEEDS))
    return [100 * purity(kmeans(units, k, rng), classes) for rng in starts]


def misspelt(data: ClusteringSet, misspell: Misspell) -> ClusteringSet:
    """The same words in other spellings."""
    return replace(data, words=[misspell(word) for word in data.words], noisy=True)


TASK = Task(
    name="clustering",
    version=1,
    kind="clustering",
    summary="Do words of one class lie together? Purity of k-means clusters.",
    main="purity",
    load=ClusteringSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
