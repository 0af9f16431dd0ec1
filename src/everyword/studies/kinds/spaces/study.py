"""Run a study about changes of a space: cuts of its principal components, or tables in fewer bytes.

A column is "spaces/TABLE TASK": the table is one given as --vectors TABLE=FILE, or "model" for an everyword model; the
task is similarity (the mean of all similarity sets), a set of texts, classification (the mean of all these), or, of a
table that is shrunk, size or neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from everyword.arrays import BoolArray, FloatArray
from everyword.config import Count, Fraction, Natural
from everyword.errors import EverywordError, InputError
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.probes.components import CLASSIFICATION, SIMILARITY, fit_space, read_probes, vectors_of
from everyword.evaluation.probes.text_sets import TEXT_SETS
from everyword.evaluation.probes.word_probes import Probe, SimilarityProbe, TextProbe, WordList
from everyword.space.compression.method import read_method
from everyword.space.compression.storage import Codes, Pruned
from everyword.space.principal import PrincipalSpace
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.spaces.shrunk_tables import MEASURES, Shrinker
from everyword.vectors.table import VectorTable

MODEL = "model"
TEXTS = tuple(one.name for one in TEXT_SETS)


def parts_of(column: str) -> tuple[str, str]:
    """Return the table and the task of a column.

    >>> parts_of("spaces/skip-gram sst2")
    ('skip-gram', 'sst2')
    """
    table, _, task = column.partition("/")[2].rpartition(" ")
    return table, task


@dataclass(frozen=True, kw_only=True)
class SpaceVariant(Variant):
    """A row about a change of the space."""

    change: Literal["none", "components", "random", "shrink"]
    """Vectors as they are, some of their principal components, random vectors, or a table in fewer bytes."""
    method: str = ""
    """How the table is shrunk, as in `everyword shrink --method`."""
    begin: Fraction = 0.0
    end: Fraction = 1.0
    """Shares of the components, by decreasing variance: from 1/3 to 2/3 is the middle block."""
    removed: Natural = 0
    """Top components that are removed besides."""
    twice: bool = False
    """Whether as many are removed again after the reduction to `end`, as in PPA-PCA."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if bool(self.method) != (self.change == "shrink"):
            yield f'{self.label!r} must have a method with change = "shrink", and only then'
        elif self.method:
            try:
                read_method(self.method)
            except EverywordError as error:
                yield f"{self.label!r} cannot be made: {error}"

    @property
    def is_drawn(self) -> bool:
        """Whether there is chance in it: random vectors, random masks, or learnt codes.

        >>> [SpaceVariant(label="A", change="shrink", method=one).is_drawn for one in ("prune:0.5:by=random", "int8")]
        [True, False]
        """
        if not self.method:
            return self.change == "random"
        storage = read_method(self.method).storage
        return isinstance(storage, Codes) or (isinstance(storage, Pruned) and storage.by == "random")

    def method_of(self, seed: int) -> str:
        """Return how the table is shrunk with a seed."""
        return f"{self.method}:seed={seed}" if seed else self.method

    def bounds(self, dim: int) -> tuple[int, int]:
        """Return the first component, from 0, and the one behind the last.

        >>> SpaceVariant(label="PPA-PCA", change="components", end=0.5, removed=7, twice=True).bounds(300)
        (14, 157)
        """
        first, last = round(self.begin * dim) + self.removed, round(self.end * dim)
        return (first + self.removed, min(last + self.removed, dim)) if self.twice else (first, last)


@dataclass(frozen=True, kw_only=True)
class SpaceStudy(Study):
    """A table about changes of a space; `seeds` counts draws of random vectors and masks, and of learnt codes."""

    SEEDS_ARE: ClassVar[str] = "draws of random vectors, masks and codes"
    kind: Literal["spaces"] = "spaces"
    variants: tuple[SpaceVariant, ...]
    fit_on: Count = 100_000
    """Known words that components are fitted to."""
    rows: Count | None = None
    """How many rows of a table are shrunk; None for all."""

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made: only random vectors, random masks and codebooks are drawn."""
        return self.seeds if isinstance(variant, SpaceVariant) and variant.is_drawn else None

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "spaces"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for column in self.benchmarks:
            table, task = parts_of(column)
            if not table or task not in (known := (SIMILARITY, CLASSIFICATION, *TEXTS, *MEASURES)):
                yield f"{column!r} is not spaces/TABLE TASK with a task of {', '.join(known)}"


@dataclass(frozen=True, kw_only=True)
class SpaceJob(Job):
    """A study about changes of a space to run."""

    study: SpaceStudy
    vectors: Mapping[str, Path] = field(default_factory=dict)
    """Vector files by the names that columns give them."""
    model_name: str | None = None

    @cached_property
    def words(self) -> WordList:
        """The words of all tasks."""
        return WordList()

    @cached_property
    def probes(self) -> dict[str, list[Probe]]:
        """The probes of each task."""
        tasks = {parts_of(column)[1] for column in self.study.benchmarks}
        texts = [name for name in TEXTS if not tasks.isdisjoint((name, CLASSIFICATION))]
        similarity = [SIMILARITY] if SIMILARITY in tasks else []
        found = read_probes([*similarity, *texts], self.data, self.words)
        by_task: dict[str, list[Probe]] = {probe.name: [probe] for probe in found if isinstance(probe, TextProbe)}
        by_task[CLASSIFICATION] = [probe for probe in found if isinstance(probe, TextProbe)]
        by_task[SIMILARITY] = [probe for probe in found if isinstance(probe, SimilarityProbe)]
        return by_task

    def open(self, table: str) -> EvaluatedModel | None:
        """Return a table or the model; None for a table that is not given."""
        if table == MODEL:
            return open_evaluated(self.model_name)
        return open_evaluated(str(self.vectors[table])) if table in self.vectors else None


def run_spaces(job: SpaceJob) -> Findings:
    """Score every change of every table.

    Args:
        job: The study, the tables and the data folder.
    """
    tables = list(dict.fromkeys(parts_of(column)[0] for column in job.study.benchmarks))
    if unknown := set(job.vectors) - set(tables):
        raise InputError(f"The study {job.study.name} has no table {min(unknown)!r}; name {', '.join(tables)}.")
    names: list[str] = []
    runs: dict[str, list[dict[str, Score | None]]] = {
        variant.label: [dict.fromkeys(job.study.benchmarks) for _ in range(job.study.seeds)]
        for variant in job.study.variants
    }
    for table in tables:
        model = job.open(table)
        if model is None:
            job.report(f"{table}: skipped, because --vectors {table}=FILE is missing.")
            continue
        names.append(f"{table} {model.name} {(model.fingerprint or '')[:12]}")
        _score_table(job, table, model, runs)
    rows: dict[str, Row] = {}
    for variant in job.study.variants:
        made = runs[variant.label] if variant.is_drawn else runs[variant.label][:1]
        rows[variant.label] = mean_row(made, job.study.columns)
    return Findings(job.study, job.size, rows, ", ".join(names) or "no table", job.overrides)


def _score_table(
    job: SpaceJob, table: str, model: EvaluatedModel, runs: Mapping[str, list[dict[str, Score | None]]]
) -> None:
    probes = job.probes
    vectors, known = vectors_of(model, job.words.words)
    space = fit_space(model, job.study.fit_on)
    view = _View(vectors, known, space)
    shrinker = Shrinker(VectorTable.load(job.vectors[table], limit=job.study.rows)) if table in job.vectors else None
    columns = [(column, parts_of(column)[1]) for column in job.study.benchmarks if parts_of(column)[0] == table]
    for variant in job.study.variants:
        for seed, run in enumerate(runs[variant.label]):
            if seed and not variant.is_drawn:
                break
            shrunk = shrinker.shrink(variant.method_of(seed)) if shrinker is not None and variant.method else None
            if variant.method and shrunk is None:
                continue  # a model cannot be shrunk
            changed = shrunk.vectors(job.words.words) if shrunk is not None else None
            scores = view.scorer(variant, seed, changed)
            for column, task in columns:
                if task in MEASURES:
                    values = [shrunk.measure(task)] if shrunk is not None else []
                else:
                    values = [scores(probe) for probe in probes.get(task, [])]
                found = [value for value in values if value is not None]
                run[column] = Score(float(np.mean(found))) if found else None
        first = runs[variant.label][0]
        shown = ", ".join(f"{task} {score.value:.1f}" for column, task in columns if (score := first[column]))
        job.report(f"{table}, {variant.label}: {shown}")


class _View:
    """The words' vectors, and what is made of them once for all variants."""

    def __init__(self, vectors: FloatArray, known: BoolArray, space: PrincipalSpace) -> None:
        self.vectors, self.known, self.space = vectors, known, space
        self.coordinates = np.where(known[:, None], space.apply(vectors), np.float32(0))
        self._features: dict[str, FloatArray] = {}
        self._strengths: dict[str, float] = {}

    def scorer(
        self, variant: SpaceVariant, seed: int, changed: tuple[FloatArray, BoolArray] | None
    ) -> Callable[[Probe], float]:
        """Return what scores a probe under a change; each text set is classified once."""
        matrix, cut, known = self.coordinates, slice(*variant.bounds(len(self.space))), self.known
        if changed is not None:
            (matrix, known), cut = changed, slice(None)
        elif variant.change == "none":
            matrix, cut = self.vectors, slice(None)
        elif variant.change == "random":
            drawn = np.random.default_rng(seed).standard_normal(self.vectors.shape, dtype=np.float32)
            matrix, cut = np.where(self.known[:, None], drawn, np.float32(0)), slice(None)
        found: dict[str, float] = {}

        def score(probe: Probe) -> float:
            if probe.name not in found:
                if isinstance(probe, SimilarityProbe):
                    found[probe.name] = probe.score(matrix[:, cut])
                else:
                    found[probe.name] = probe.score(self._texts(probe, matrix, known)[:, cut], self._strength(probe))
            return found[probe.name]

        return score

    def _strength(self, probe: TextProbe) -> float:
        """Return the penalty that dev chooses for the whole space, which all its changes get."""
        if probe.name not in self._strengths:
            self._strengths[probe.name] = probe.strength(self._texts(probe, self.coordinates, self.known))
        return self._strengths[probe.name]

    def _texts(self, probe: TextProbe, matrix: FloatArray, known: BoolArray) -> FloatArray:
        if matrix is not self.coordinates:
            return probe.features(matrix, known)
        if probe.name not in self._features:
            self._features[probe.name] = probe.features(matrix, known)
        return self._features[probe.name]


def named_files(given: Sequence[str]) -> dict[str, Path]:
    """Read NAME=FILE; raise InputError for anything else."""
    found = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals or not name or not path:
            raise InputError(f"--vectors takes NAME=FILE, as in glove=glove.vec. Got {text!r} instead.")
        found[name] = Path(path)
    return found
