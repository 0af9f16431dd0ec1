"""The linguistic profile: which properties of a sentence can be read from the pooled vectors of its words.

As in Miaschi and Dell'Orletta (2020): a linear support vector regression predicts each feature of `sentence_features`
by cross-validation, and is scored by the rank correlation of what it predicts with the truth. The control is the rank
correlation of the feature with the length of the sentence, whatever its sign, because most features go with length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.arrays import AnyArray, IndexArray
from everyword.config import Count
from everyword.errors import InputError
from everyword.evaluation.probes.intervals import TAILS
from everyword.evaluation.probes.linear_svr import LinearSvr, Loss
from everyword.evaluation.probes.parsed import read_treebank
from everyword.evaluation.probes.probe import LENGTH, Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.probes.sentence_features import LEVELS, FeatureTable, feature_table
from everyword.evaluation.tasks.similarity import average_ranks

Doubles = npt.NDArray[np.float64]
POOLING = "average"
OTHER_POOLING = "sum"
QUICK_STEP = 4
"""A quick look takes one sentence of so many."""
DRAWS = 500
ALL = "all"


@dataclass(frozen=True)
class ProfileConfig:
    """How features are predicted."""

    folds: Count = 5
    strengths: tuple[float, ...] = (1.0, 0.05, 0.005, 0.001, 0.0002)
    """Of the regression; a part of each training fold chooses one, the first of equals."""
    loss: Loss = "squared"
    seed: int = 0

    def problems(self) -> list[str]:
        """Return a message for each setting that cannot be used."""
        found = [] if self.folds > 1 else ["folds must be 2 or more"]
        return found + ([] if self.strengths and min(self.strengths) > 0 else ["strengths must be above 0"])


@dataclass(frozen=True)
class Profile:
    """What was predicted for each sentence and feature, each sentence by what others taught."""

    table: FeatureTable
    predicted: Doubles
    fold_of: IndexArray
    """The fold of each sentence."""

    def correlations(self, rows: AnyArray | None = None) -> Doubles:
        """Return Spearman's correlation of each feature, over all sentences or some."""
        chosen = slice(None) if rows is None else rows
        return correlations(self.predicted[chosen], self.table.values[chosen])

    def levels(self, rows: AnyArray | None = None) -> dict[str, float]:
        """Return the mean correlation × 100 of the features of each level, and of all."""
        return by_level(self.table, self.correlations(rows))

    def folds(self) -> list[dict[str, float]]:
        """Return the same of each fold by itself."""
        return [self.levels(self.fold_of == fold) for fold in range(int(self.fold_of.max()) + 1)]

    def interval(self, draws: int = DRAWS, seed: int = 0) -> tuple[float, float]:
        """Return the interval of the mean over all features, × 100, by drawing sentences; ranks stay what they are."""
        one, other = (_ranks(values) for values in (self.predicted, self.table.values))
        items = len(one)
        drawn = np.random.default_rng(seed).multinomial(items, np.full(items, 1 / items), size=draws) / items
        means = drawn @ one, drawn @ other
        covered = drawn @ (one * other) - means[0] * means[1]
        spreads = [np.maximum(drawn @ ranks**2 - mean**2, 0) for ranks, mean in zip((one, other), means, strict=True)]
        product = np.sqrt(spreads[0] * spreads[1])
        found = np.divide(covered, product, out=np.zeros_like(covered), where=product > 0).mean(axis=1)
        low, high = 100 * np.percentile(found, TAILS)
        return float(low), float(high)


def by_level(table: FeatureTable, values: AnyArray) -> dict[str, float]:
    """Return the mean × 100 of a number of each feature, by level and of all."""
    levels = np.array(table.levels)
    found = {level: 100 * float(values[levels == level].mean()) for level in LEVELS if (levels == level).any()}
    return {**found, ALL: 100 * float(values.mean())}


def _ranks(values: AnyArray) -> Doubles:
    """Return the ranks in each column, centred."""
    ranks: Doubles = np.stack([average_ranks(column) for column in values.T], axis=1)
    centred: Doubles = ranks - ranks.mean(axis=0)
    return centred


def correlations(predicted: AnyArray, values: AnyArray) -> Doubles:
    """Return Spearman's correlation of each column with the same column of the other; 0 where one never changes."""
    one, other = _ranks(predicted), _ranks(values)
    spread = np.sqrt((one**2).sum(axis=0) * (other**2).sum(axis=0))
    found: Doubles = np.divide((one * other).sum(axis=0), spread, out=np.zeros(one.shape[1]), where=spread > 0)
    return found


def given_length(rho: Doubles, with_length: tuple[Doubles, Doubles]) -> Doubles:
    """Return partial correlations: what predictions and truth share beyond length, given their correlations with it."""
    predicted, real = with_length
    left = np.sqrt(np.maximum((1 - predicted**2) * (1 - real**2), 0))
    found: Doubles = np.divide(rho - predicted * real, left, out=np.zeros_like(rho), where=left > 1e-9)
    return found


def profile_vectors(vectors: AnyArray, table: FeatureTable, config: ProfileConfig | None = None) -> Profile:
    """Predict all features from vectors of sentences by cross-validation.

    Args:
        vectors: (sentences, dim).
        table: The features of the same sentences.
        config: Folds and regression.

    Raises:
        InputError: If there are fewer than 4 sentences per fold.
    """
    config = config or ProfileConfig()
    items = len(table.values)
    if len(vectors) != items or items < 4 * config.folds:
        raise InputError(f"A profile needs 4 sentences per fold and a vector of each. Got {items} and {len(vectors)}.")
    fold_of = np.random.default_rng(config.seed).permutation(np.arange(items) % config.folds)
    predicted = np.zeros_like(table.values)
    for fold in range(config.folds):
        train, test = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        strength = _strength(vectors[train], table.values[train], config)
        fitted = LinearSvr.fit(vectors[train], table.values[train], strength, config.loss)
        predicted[test] = fitted.predict(vectors[test])
    return Profile(table, predicted, fold_of)


def _strength(vectors: AnyArray, values: Doubles, config: ProfileConfig) -> float:
    """Return the strength with which four fifths of the training sentences predict the others best."""
    if len(config.strengths) == 1:
        return config.strengths[0]
    dev = np.arange(len(values)) % 5 == 0
    scores = []
    for strength in config.strengths:
        fitted = LinearSvr.fit(vectors[~dev], values[~dev], strength, config.loss)
        scores.append(correlations(fitted.predict(vectors[dev]), values[dev]).mean())
    return config.strengths[int(np.argmax(scores))]


def run(asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress) -> ProbeScore:
    """Profile the averages of vectors, beside their sums and the length of sentences alone."""
    sentences = read_treebank(paths)[:: QUICK_STEP if settings.quick else 1]
    table, config = feature_table(sentences), ProfileConfig(seed=settings.seed)
    texts = [sentence.forms for sentence in sentences]
    progress(1, 3)
    profile = profile_vectors(asked.texts(texts, pooling=POOLING), table, config)
    progress(2, 3)
    summed = profile_vectors(asked.texts(texts, pooling=OTHER_POOLING), table, config)
    levels, rho = profile.levels(), profile.correlations()
    lengths = np.repeat([[float(len(text))] for text in texts], len(table.names), axis=1)
    with_length = correlations(profile.predicted, lengths), correlations(table.values, lengths)
    by_length = np.abs(with_length[1])
    columns = {
        "rho": 100 * rho,
        "rho of the sum": 100 * summed.correlations(),
        "length": 100 * by_length,
        "beyond length": 100 * given_length(rho, with_length),
    }
    progress(3, 3)
    return ProbeScore(
        value=levels.pop(ALL),
        metric="rho × 100",
        n=len(texts),
        interval=profile.interval(seed=settings.seed),
        controls={LENGTH: by_level(table, by_length)[ALL]},
        parts={**levels, "all, sum of vectors": summed.levels()[ALL]},
        details={
            f"{level}/{name}": {column: float(values[place]) for column, values in columns.items()}
            for place, (level, name) in enumerate(zip(table.levels, table.names, strict=True))
        },
    )


PROBE = Probe(
    name="linguistic-profile",
    version=1,
    summary="Which properties of a sentence (lengths, tags, trees) can be read from the average of its vectors?",
    needs=tuple(f"multilingual/ud/English-ParTUT/{part}.conllu.gz" for part in ("train", "dev", "test")),
    run=run,
)
