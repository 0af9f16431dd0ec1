"""Run a study about compositionality: polarity sensitivity of classifiers, and texts rebuilt from their words.

Scores stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from everyword import config as configs
from everyword.arrays import FloatArray, IndexArray
from everyword.atomic import write_atomic
from everyword.config import Count
from everyword.errors import InputError
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.probes.polarity import (
    Rewrite,
    clean_pairs,
    polarity_sensitivity,
    read_rewrites,
    read_sentiments,
)
from everyword.evaluation.probes.reconstruction import ReconstructionConfig, Rule, reconstruct
from everyword.evaluation.probes.sentiment_trees import (
    SentimentTree,
    read_sentiment_trees,
    weighted_node_switching,
)
from everyword.evaluation.probes.word_probes import STRENGTHS, WordList
from everyword.evaluation.tasks.similarity import average_ranks, spearman
from everyword.files import fingerprint, read_kept
from everyword.sentences.tokens import tokens_of
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.compositionality.text_sources import Pooling, TextSources
from everyword.studies.kinds.compositionality.word_average import WordAverageConfig, train_word_average
from everyword.vectors.neighbours import unit_rows

POLARITY, TREES = "polarity", "trees"
MEASURES = {POLARITY: ("accuracy", "both", "relative"), TREES: ("fitted", "held-out", "switching", "partial")}
CONSTANT = "constant"
"""What the mean of all vectors is worth, for trees: a rule that knows no words."""
DEV_SHARE = 0.1
Predict = Callable[[Sequence[str]], IndexArray]


@dataclass(frozen=True, kw_only=True)
class CompositionVariant(Variant):
    """A row: vectors of texts, and what classifies them."""

    vectors: str = "model"
    """model, encoder, random, or the name of a vector file."""
    pooling: Pooling = "mean"
    head: Literal["linear", "deep"] = "linear"
    tuned: bool = False
    """Whether the classifier trains the vectors of words too."""
    rules: tuple[Rule, ...] = ()
    """The rules by which trees are rebuilt."""


@dataclass(frozen=True, kw_only=True)
class CompositionStudy(Study):
    """A table about compositionality; each seed is a fold of the texts that classifiers learn from, and other trees.

    Its columns are "polarity/SET MEASURE", with accuracy, both or relative, and "trees/RULE MEASURE", with fitted,
    held-out, switching or partial; "trees/constant held-out" is the control of the rules.
    """

    SEEDS_ARE: ClassVar[str] = "folds of the texts"
    kind: Literal["compositionality"] = "compositionality"
    variants: tuple[CompositionVariant, ...]
    texts: dict[str, tuple[str, str]]
    """By name of a set: labelled texts and human rewrites, as paths inside the data folder."""
    trees: tuple[str, str]
    """Trees to fit words to, and others to judge them by."""
    fit: Count = 1500
    judge: Count = 500
    """How many trees of either kind are drawn."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of the reconstruction, by size."""
    training: tuple[str, ...] = field(default=())
    """Overrides of classifiers that are networks."""

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "compositionality"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for column in self.benchmarks:
            kind, name, measure = parts_of(column)
            known = {POLARITY: tuple(self.texts), TREES: ("sum", "weighted-sum", "tanh", CONSTANT)}.get(kind, ())
            if name not in known or measure not in MEASURES[kind]:
                yield f"{column!r} is not polarity/SET MEASURE or trees/RULE MEASURE"


def parts_of(column: str) -> tuple[str, str, str]:
    """Return the kind, the name and the measure of a column.

    >>> parts_of("trees/weighted-sum held-out")
    ('trees', 'weighted-sum', 'held-out')
    """
    kind, _, rest = column.partition("/")
    name, _, measure = rest.partition(" ")
    return kind, name, measure


@dataclass(frozen=True, kw_only=True)
class CompositionJob(Job):
    """A study about compositionality to run."""

    study: CompositionStudy
    sources: TextSources = field(default_factory=TextSources)

    @cached_property
    def forests(self) -> tuple[list[SentimentTree], list[SentimentTree]]:
        """The trees to fit words to, and those to judge by."""
        fit, judge = (read_sentiment_trees(self.path(name)) for name in self.study.trees)
        return fit, judge


def run_compositionality(job: CompositionJob) -> Findings:
    """Score every column of every variant.

    Args:
        job: The study, the sources of vectors and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    rows: dict[str, Row] = {}
    for variant in job.study.variants:
        if not job.sources.has(variant.vectors):
            job.report(f"{variant.label}: skipped, because its vectors are not given.")
            rows[variant.label] = dict.fromkeys(job.study.columns)
            continue
        runs = [_columns(job, variant, _kept(job, variant, seed)) for seed in range(job.study.seeds)]
        rows[variant.label] = mean_row(runs, job.study.columns)
    given = [
        job.sources.model.name,
        *job.sources.vectors,
        *([Path(job.sources.encoder).name] if job.sources.encoder else []),
    ]
    return Findings(job.study, job.size, rows, ", ".join(given), job.overrides)


def _columns(job: CompositionJob, variant: CompositionVariant, scores: dict[str, float]) -> dict[str, Score | None]:
    return {name: Score(scores[name]) if name in scores else None for name in job.study.benchmarks}


def _kept(job: CompositionJob, variant: CompositionVariant, seed: int) -> dict[str, float]:
    """Return the scores of a variant with one seed, computed if the work folder lacks them."""
    overrides = [*(job.study.full if job.size == "full" else job.study.small), *job.overrides]
    source = job.sources.identity(variant.vectors)
    settings = [vars(variant), job.study.fit, job.study.judge, overrides, job.study.training, source]
    path = job.work / f"{variant.folder}-{seed}-{fingerprint(json.dumps(settings, default=str))[:12]}.json"
    if not path.exists():
        found = _polarity(job, variant, seed) | _trees(job, variant, seed, overrides)
        job.report(
            f"{variant.label}, seed {seed}: " + ", ".join(f"{name} {value:.1f}" for name, value in found.items())
        )
        write_atomic(path, json.dumps(found, indent=2) + "\n")
    return {name: float(value) for name, value in read_kept(path).items()}


def _polarity(job: CompositionJob, variant: CompositionVariant, seed: int) -> dict[str, float]:
    """Return accuracy on a fold of the labelled texts, and the polarity sensitivity of the same classifier."""
    found: dict[str, float] = {}
    for name, (labelled, rewritten) in job.study.texts.items():
        texts, labels = read_sentiments(job.path(labelled))
        pairs = clean_pairs(read_rewrites(job.path(rewritten)), texts)
        folds = np.array_split(np.random.default_rng(0).permutation(len(texts)), max(3, job.study.seeds))
        train = np.concatenate(folds[:seed] + folds[seed + 1 :])
        predict = _classifier(job, variant, seed, texts, labels, train, pairs)
        accuracy = float((predict([texts[row] for row in folds[seed]]) == labels[folds[seed]]).mean())
        score = polarity_sensitivity(predict, pairs)
        found[f"{POLARITY}/{name} accuracy"] = 100 * accuracy
        found[f"{POLARITY}/{name} both"] = 100 * score.sensitivity
        found[f"{POLARITY}/{name} relative"] = 100 * score.relative(accuracy)
    return found


def _classifier(  # noqa: PLR0917 (texts and labels stand side by side)
    job: CompositionJob,
    variant: CompositionVariant,
    seed: int,
    texts: Sequence[str],
    labels: IndexArray,
    train: IndexArray,
    pairs: Sequence[Rewrite],
) -> Predict:
    """Train on some texts, of which a tenth chooses the penalty or the epoch."""
    every = [*texts, *(text for pair in pairs for text in pair[:2])]
    row_of = {text: row for row, text in enumerate(every)}
    held = round(DEV_SHARE * len(train))
    learn, dev = train[held:], train[:held]
    if variant.head == "linear" and not variant.tuned:
        features = job.sources.texts(variant.vectors, variant.pooling, every, seed=seed)
        return _linear(features, labels, learn, dev, row_of)
    if variant.pooling != "mean":
        raise InputError(f"The row {variant.label!r} trains a network, which takes the mean of word vectors only.")
    words = WordList()
    rows = [words.rows(tokens_of(text)) for text in every]
    vectors = job.sources.words(variant.vectors, words.words, seed=seed)
    known = (vectors != 0).any(axis=1) | variant.tuned
    rows = [row[known[row]] for row in rows]
    given = {"hidden": [500, 100] if variant.head == "deep" else [], "tuned": variant.tuned, "seed": seed}
    options = configs.build(WordAverageConfig, configs.override(given, job.study.training), "the study")
    network = train_word_average(
        vectors,
        ([rows[row] for row in learn], labels[learn]),
        ([rows[row] for row in dev], labels[dev]),
        options,
    )
    return lambda some: network.probabilities([rows[row_of[text]] for text in some]).argmax(axis=1)


def _linear(
    features: FloatArray, labels: IndexArray, learn: IndexArray, dev: IndexArray, row_of: dict[str, int]
) -> Predict:
    fits = [LogisticRegression.fit(features[learn], labels[learn], strength) for strength in STRENGTHS]
    best = fits[int(np.argmax([(fit.predict(features[dev]) == labels[dev]).mean() for fit in fits]))]
    return lambda some: best.predict(features[[row_of[text] for text in some]])


def _trees(job: CompositionJob, variant: CompositionVariant, seed: int, overrides: Sequence[str]) -> dict[str, float]:
    """Return how well texts are rebuilt from their words: cosines, and their correlation with switches of sentiment."""
    if not variant.rules:
        return {}
    fit, judge = _drawn(job, seed)
    texts = [tree.text for tree in (*fit, *judge)]
    wanted = job.sources.texts(variant.vectors, variant.pooling, texts, seed=seed)
    fitted_to, judged = wanted[: len(fit)], wanted[len(fit) :]
    mean = unit_rows(unit_rows(fitted_to).mean(axis=0, keepdims=True))
    found: dict[str, float] = {f"{TREES}/{CONSTANT} held-out": 100 * float((unit_rows(judged) @ mean.T).mean())}
    switches = np.array([weighted_node_switching(tree) for tree in judge])
    lengths = np.array([len(tree.tokens) for tree in judge])
    for rule in variant.rules:
        given = configs.override({"rule": rule, "seed": seed}, overrides)
        result = reconstruct(fit, fitted_to, configs.build(ReconstructionConfig, given, "the study"))
        errors = result.apply(judge, judged)
        found[f"{TREES}/{rule} fitted"] = 100 * float(1 - result.errors.mean())
        found[f"{TREES}/{rule} held-out"] = 100 * float(1 - errors.mean())
        found[f"{TREES}/{rule} switching"] = -100 * spearman(errors, switches)
        found[f"{TREES}/{rule} partial"] = -100 * partial_spearman(errors, switches, lengths)
    return found


def _drawn(job: CompositionJob, seed: int) -> tuple[list[SentimentTree], list[SentimentTree]]:
    rng = np.random.default_rng(seed)
    drawn = []
    for trees, count in zip(job.forests, (job.study.fit, job.study.judge), strict=True):
        drawn.append([trees[row] for row in rng.permutation(len(trees))[:count]])
    return drawn[0], drawn[1]


def partial_spearman(first: Any, second: Any, given: Any) -> float:
    """Return the rank correlation of two things without what a third explains of both; 0.0 if nothing is left.

    >>> partial_spearman([1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4])
    0.0
    """
    ranks = [average_ranks(np.asarray(values)) for values in (first, second, given)]
    one, other, third = (values - values.mean() for values in ranks)
    left = [values - third * (values @ third) / max(float(third @ third), 1e-12) for values in (one, other)]
    spread = float(np.sqrt((left[0] @ left[0]) * (left[1] @ left[1])))
    return float(left[0] @ left[1]) / spread if spread > 1e-9 else 0.0
