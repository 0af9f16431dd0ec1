"""Run a study about feature tuples: train word vectors of several sizes on a corpus, and compare words in several ways.

Tables stay in the work folder, and scores in the results, so the same job goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from everyword import config
from everyword.errors import EverywordError, InputError
from everyword.evaluation.benchmark import Benchmark
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.results import Result
from everyword.evaluation.run import evaluate
from everyword.space.scorer import read_scorer
from everyword.studies.benchmarks import find_benchmark
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.systems.skipgram.baselines.config import Word2VecConfig
from everyword.systems.skipgram.baselines.word2vec import word2vec_table
from everyword.systems.skipgram.config import RECORD
from everyword.systems.skipgram.prepared import PreparedCorpus, prepare

HALVES = {"semantic": False, "syntactic": True}
"""Parts of an analogy set, and whether the names of their sections say that they are about grammar."""
GRAMMAR = "gram"


@dataclass(frozen=True, kw_only=True)
class FeatureVariant(Variant):
    """A row: how words are compared."""

    scorer: str = "cosine"
    """As in `everyword evaluate --scorer`."""
    ranking: Literal["entropy", "frequency", "length"] | None = "entropy"
    """How function words are found; None leaves these columns out."""
    tasks: tuple[str, ...] = ("similarity", "analogy", "compounds", "function-words")
    """The tasks that this row is about."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        try:
            read_scorer(self.scorer)
        except EverywordError as error:
            yield f"{self.label!r} has a scorer that cannot be read: {error}"


@dataclass(frozen=True, kw_only=True)
class FeatureStudy(Study):
    """A table about feature tuples; columns are benchmarks and the size of vectors, as in "similarity/simlex999 50"."""

    kind: Literal["features"] = "features"
    variants: tuple[FeatureVariant, ...]
    training: tuple[str, ...] = ()
    """Overrides of the training of the vectors."""
    once: tuple[int, ...] = ()
    """Sizes of vectors that are trained with one seed only."""
    first_only: tuple[str, ...] = ()
    """Tasks that are scored with the first seed only, because they take minutes."""

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made."""
        name, _, dim = column.rpartition(" ")
        return 1 if int(dim) in self.once or name.partition("/")[0] in self.first_only else self.seeds

    @property
    def dims(self) -> list[int]:
        """The sizes of the vectors."""
        return sorted({int(column.rpartition(" ")[2]) for column in self.columns})

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for column in self.columns:
            if not column.rpartition(" ")[2].isdigit():
                yield f"{column!r} must end in the size of the vectors, as in 'similarity/simlex999 50'"


@dataclass(frozen=True, kw_only=True)
class FeatureJob(Job):
    """A study about feature tuples to run."""

    study: FeatureStudy
    corpus: tuple[Path, ...] = ()
    """Text to train on; not needed for tables that the work folder has."""


def run_features(job: FeatureJob) -> Findings:
    """Train the tables that are missing, and score every column by every variant.

    Args:
        job: The study, the corpus, the data folder and the work folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    runs: dict[str, list[dict[str, Score | None]]] = {variant.label: [] for variant in job.study.variants}
    marks = []
    for dim in job.study.dims:
        for seed in range(1 if dim in job.study.once else job.study.seeds):
            model = open_evaluated(str(_table(job, dim, seed)), "zero")
            marks.append(f"{dim}-{seed}: {(model.fingerprint or '')[:12]}")
            for variant in job.study.variants:
                job.report(f"{variant.label}, {dim} dimensions, seed {seed}")
                chosen = [column for column in job.study.columns if _fits(job.study, column, dim, seed)]
                runs[variant.label].append(_scored(job, variant, model, chosen))
    rows: dict[str, Row] = {}
    for label, found in runs.items():
        rows[label] = {
            column: mean_row([run for run in found if column in run], [column])[column] for column in job.study.columns
        }
    vocabulary = PreparedCorpus.load(job.work / "prepared").vocabulary
    teacher = f"skip-gram on {int(vocabulary.counts.sum()):,} occurrences of {len(vocabulary.words):,} words"
    return Findings(job.study, job.size, rows, teacher, job.overrides, models=dict.fromkeys(rows, marks))


def _table(job: FeatureJob, dim: int, seed: int) -> Path:
    """Return the file of a table, trained if it is missing."""
    path = job.work / f"skip-gram-{dim}-{seed}.npy"
    if not path.exists():
        overrides = [*job.study.training, *job.overrides, f"dim={dim}", f"seed={seed}"]
        settings = config.build(Word2VecConfig, config.override({}, overrides), "the study")
        folder = job.work / "prepared"
        if not job.corpus and not (folder / RECORD).exists():
            raise InputError(f"There is no table {path.name} in {job.work}; give --corpus to train it.")
        ready = prepare(job.corpus, folder, settings.sentences, report=job.report) if job.corpus else None
        job.report(f"training {path.name}")
        word2vec_table(ready or PreparedCorpus.load(folder), "skip-gram", settings).save(path)
    return path


def _fits(study: FeatureStudy, column: str, dim: int, seed: int) -> bool:
    """Whether a column is about tables of this size and seed."""
    return int(column.rpartition(" ")[2]) == dim and (seed == 0 or column.partition("/")[0] not in study.first_only)


def _scored(
    job: FeatureJob, variant: FeatureVariant, model: EvaluatedModel, columns: Sequence[str]
) -> dict[str, Score | None]:
    """Return the scores of one table in some columns."""
    compared = model.compared_by(read_scorer(variant.scorer))
    results: dict[str, Result | None] = {}
    row: dict[str, Score | None] = {}
    for column in columns:
        name = column.rpartition(" ")[0]
        base, _, score = name.partition("#")
        if base.partition("/")[0] not in variant.tasks:
            row[column] = None
            continue
        if base not in results:
            benchmark = find_benchmark(base, job.data)
            results[base] = _result(job, compared, benchmark) if isinstance(benchmark, Benchmark) else None
        result = results[base]
        row[column] = None if result is None else _score(result, score, variant)
    return row


def _result(job: FeatureJob, model: EvaluatedModel, benchmark: Benchmark) -> Result | None:
    [outcome] = evaluate(model, [replace(benchmark, named=False)], save_to=job.results)
    return outcome.result


def _score(result: Result, score: str, variant: FeatureVariant) -> Score | None:
    """Return the score of a column: that of a section, of half of the analogies, of a ranking, or one by its name."""
    section, _, measure = score.partition(":")
    if measure:
        value = result.sections.get(section, {}).get(measure)
    elif score in HALVES:
        value = _half(result, grammar=HALVES[score])
    elif result.task == "function-words":
        value = result.scores.get(f"{variant.ranking}_{score}")  # by frequency, more words change nothing
    else:
        value = result.scores[score or result.main]
    return None if value is None else Score(value, n=None if measure or score in HALVES else result.n)


def _half(result: Result, *, grammar: bool) -> float:
    """Return the accuracy over the questions about grammar, or over all others, of those whose words are known."""
    parts = [part for name, part in result.sections.items() if name.startswith(GRAMMAR) == grammar]
    right = sum(part[result.main] * part["n"] for part in parts)
    return right / max(1, sum(part["known"] for part in parts))
