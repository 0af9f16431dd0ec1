"""Run a study about measures of texts: how specific they are and how similar, learnt from paraphrases or not at all.

What is trained stays in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from everyword import config as configs
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.tasks.specificity import (
    EntailmentSet,
    SpecificitySet,
    lengths_of,
    norms,
    score_direction,
    score_measure,
)
from everyword.files import checksum_of_all, fingerprint
from everyword.learning.loop import RunContext
from everyword.models.load import load
from everyword.models.model import Model
from everyword.sentences.operators import WordOperators
from everyword.sentences.tokens import tokens_of
from everyword.studies.benchmarks import find_benchmarks
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.systems.operators.config import OperatorsConfig
from everyword.systems.operators.pairs import read_paraphrases, read_scored_pairs
from everyword.systems.operators.train import OperatorsRun, train_operators
from everyword.systems.operators.trained import load_network

Values = NDArray[np.float64]
SIMILARITY = "text-similarity"
"""Columns that compare texts: Pearson's correlation on a file of the study."""


@dataclass(frozen=True, kw_only=True)
class TextVariant(Variant):
    """A row about a measure of texts."""

    measure: Literal["length", "ranks", "weights", "vectors", "trained"]
    """The number of tokens, the ranks of their frequencies, `Model.specificity`, the norm of word vectors, or what is
    learnt from paraphrases."""
    mean: bool = False
    """Whether words are averaged instead of added up."""
    table: bool = False
    """Whether the word vectors are those of --vectors, not of the model."""
    overrides: tuple[str, ...] = ()
    """Overrides of what is trained."""
    typos: bool = False
    """Whether the model reads words without an operator of their own."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.overrides and self.measure != "trained":
            yield f"{self.label!r} is not trained and takes no overrides"


@dataclass(frozen=True, kw_only=True)
class TextStudy(Study):
    """A table about measures of texts; `seeds` counts trainings."""

    kind: Literal["texts"] = "texts"
    variants: tuple[TextVariant, ...]
    pairs: tuple[str, ...]
    """Files of paraphrases to learn from, as paths inside the data folder."""
    dev: str | None = None
    """Scored pairs that choose the best epoch."""
    similarity: dict[str, str] = field(default_factory=dict)
    """By column: scored pairs that similarities are correlated with."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of all trainings, by size."""

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made: what is not trained has one."""
        return self.seeds if isinstance(variant, TextVariant) and variant.measure == "trained" else None

    @property
    def policy(self) -> str:
        """What texts are judged by."""
        return "texts"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for column in self.columns:
            if column.partition("/")[0] not in ("specificity", "entailment-direction", SIMILARITY):
                yield f"{column!r} is not a column about specificity, entailment-direction or {SIMILARITY}"
            if column.startswith(SIMILARITY) and column not in self.similarity:
                yield f"similarity names no file for {column!r}"


class Measure(NamedTuple):
    """A way to measure texts."""

    specificities: Callable[[Sequence[str]], Values]
    similarities: Callable[[Sequence[str], Sequence[str]], Values] | None = None


@dataclass(frozen=True, kw_only=True)
class TextJob(Job):
    """A study about texts to run."""

    study: TextStudy
    model_name: str | None = None
    vectors: Path | None = None
    """A vector file, for rows about a plain table."""

    @cached_property
    def model(self) -> Model:
        """The everyword model."""
        return load(self.model_name)

    def paths(self, names: Sequence[str]) -> list[Path]:
        """Return files of the data folder; raise InputError if one is missing."""
        found = [self.folder / name for name in names]
        for path in found:
            if not path.is_file():
                raise InputError(f"There is no file {path}; check --data.")
        return found


def run_texts(job: TextJob) -> Findings:
    """Measure the texts of every column by every variant.

    Args:
        job: The study, the model, the data folder and the work folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    columns = _columns(job)
    rows: dict[str, Row] = {}
    for variant in job.study.variants:
        runs = []
        for seed in range(job.study.seeds if variant.measure == "trained" else 1):
            measure = _measure(job, variant, seed)
            if measure is None:
                job.report(f"{variant.label}: skipped, because --vectors is missing.")
                continue
            job.report(f"{variant.label}, seed {seed}" if variant.measure == "trained" else variant.label)
            runs.append(_scored(measure, columns))
        rows[variant.label] = mean_row(runs, job.study.columns) if runs else dict.fromkeys(job.study.columns)
    pairs = checksum_of_all(job.paths(job.study.pairs))[:12]
    teacher = f"{job.model.name}, {len(job.study.pairs)} files of paraphrases ({pairs})"
    return Findings(job.study, job.size, rows, teacher, job.overrides)


def _columns(job: TextJob) -> dict[str, Callable[[Measure], float | None]]:
    """Return by column what scores a measure; columns without data are left out and reported."""
    found: dict[str, Callable[[Measure], float | None]] = {}
    plain = [name for name in job.study.benchmarks if not name.startswith(SIMILARITY)]
    for name, benchmark in find_benchmarks(plain, job.data, job.report).items():
        if not hasattr(benchmark, "files"):
            continue
        task, key = name.partition("/")[0], name.partition("#")[2]
        if task == "specificity":
            found[name] = _specificity_of(SpecificitySet.load(benchmark.files[0]), key or "score")
        else:
            found[name] = _direction_of(EntailmentSet.load(benchmark.files[0]), key or "entailment")
    for name, file in job.study.similarity.items():
        found[name] = _similarity_of(job.paths([file])[0])
    return found


def _specificity_of(data: SpecificitySet, key: str) -> Callable[[Measure], float | None]:
    return lambda measure: score_measure(measure.specificities(data.texts), data)[key]


def _direction_of(data: EntailmentSet, key: str) -> Callable[[Measure], float | None]:
    return lambda measure: score_direction(
        measure.specificities(data.premises), measure.specificities(data.hypotheses), data.labels
    )[key]


def _similarity_of(path: Path) -> Callable[[Measure], float | None]:
    data = read_scored_pairs(path)

    def score(measure: Measure) -> float | None:
        if measure.similarities is None:
            return None
        return 100 * float(np.corrcoef(measure.similarities(data.first, data.second), data.scores)[0, 1])

    return score


def _scored(measure: Measure, columns: Mapping[str, Callable[[Measure], float | None]]) -> dict[str, Score | None]:
    values = {name: score(measure) for name, score in columns.items()}
    return {name: None if value is None else Score(value) for name, value in values.items()}


def _measure(job: TextJob, variant: TextVariant, seed: int) -> Measure | None:
    def averaged(texts: Sequence[str], sums: Values) -> Values:
        return sums / np.maximum(lengths_of(texts), 1) if variant.mean else sums

    if variant.measure == "length":
        return Measure(lambda texts: lengths_of(texts).astype(np.float64))
    if variant.measure == "ranks":
        return Measure(lambda texts: averaged(texts, _ranks(job.model, texts)))
    if variant.measure == "weights":
        return Measure(lambda texts: averaged(texts, job.model.specificity(texts)), _text_cosines(job.model))
    if variant.measure == "vectors":
        if variant.table and job.vectors is None:
            return None
        name = str(job.vectors) if variant.table else job.model_name
        return _norms(open_evaluated(name), mean=variant.mean)
    return _trained(job, variant, seed)


def _text_cosines(model: Model) -> Callable[[Sequence[str], Sequence[str]], Values]:
    return lambda first, second: model.similarity_of_texts(first, second).astype(np.float64)


def _ranks(model: Model, texts: Sequence[str]) -> Values:
    """Return the sums of ranks; a word that is not known has the last one."""
    known = model.known_words
    found = np.zeros(len(texts))
    for number, text in enumerate(texts):
        rows = known.rows_of([model.normalise(token) for token in tokens_of(text)])
        found[number] = np.where(rows < 0, len(known), rows + 1).sum()
    return found


def _norms(model: EvaluatedModel, *, mean: bool) -> Measure:
    def cosines(first: Sequence[str], second: Sequence[str]) -> Values:
        one, other = (_directions(model, texts) for texts in (first, second))
        found: Values = np.einsum("ij,ij->i", one, other)
        return found

    def norm(texts: Sequence[str]) -> Values:
        sums, means, _ = norms(model, texts)
        return means if mean else sums

    return Measure(norm, cosines)


def _directions(model: EvaluatedModel, texts: Sequence[str]) -> Values:
    cut = [tokens_of(text) for text in texts]
    words = list(dict.fromkeys(token for tokens in cut for token in tokens))
    vectors, row_of = model.encode(words).astype(np.float64), {word: row for row, word in enumerate(words)}
    sums = np.array([vectors[[row_of[token] for token in tokens]].sum(axis=0) for tokens in cut])
    directions: Values = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    return directions


def _trained(job: TextJob, variant: TextVariant, seed: int) -> Measure:
    overrides = [*(job.study.full if job.size == "full" else job.study.small), *job.overrides, *variant.overrides]
    settings = configs.build(OperatorsConfig, configs.override({}, [*overrides, f"seed={seed}"]), "the study")
    pairs = job.paths(job.study.pairs)
    mark = fingerprint([configs.to_dict(settings), checksum_of_all(pairs), job.study.dev])[:12]
    path = job.work / f"{settings.method}-{seed}-{mark}.safetensors"
    if not path.exists():
        dev = read_scored_pairs(job.paths([job.study.dev])[0]) if job.study.dev else None
        model = job.model if settings.method == "mapped" else None
        job.report(f"training {settings.method}, seed {seed}")
        context = RunContext(path.with_suffix(""), resume=path.with_suffix("").is_dir())
        trained = train_operators(OperatorsRun(settings, read_paraphrases(pairs), model, dev, context))
        if trained is None:
            raise KeyboardInterrupt
        trained.save(path)
    if settings.method in ("operators", "mapped"):
        operators = WordOperators.load(path, job.model if variant.typos else None)
        return Measure(operators.specificities, operators.similarities)
    network = load_network(path)
    summed = settings.method == "average" and not variant.mean
    return Measure(lambda texts: network.specificities(texts, summed=summed), network.similarities)
