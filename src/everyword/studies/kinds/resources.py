"""Run a study about sizes of resources: scores by the frequency of words, or by the size of corpora of languages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from everyword.errors import InputError
from everyword.evaluation.benchmark import MissingData
from everyword.evaluation.by_frequency import FREQUENCY, score_by_frequency
from everyword.evaluation.by_resource import Regression, regress
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_table, open_evaluated
from everyword.evaluation.probes.cloze.counts import read_counts
from everyword.evaluation.probes.linear_tagger import Sentence, first_tokens, read_tagged, tagging_accuracy
from everyword.studies.benchmarks import find_benchmark
from everyword.studies.claims import Row, Score
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.vectors.read import read_table

FIT = ("per doubling", "low", "high")
"""Columns of a regression: the points that a doubling brings, and the ends of its 95 % interval."""


@dataclass(frozen=True, kw_only=True)
class ResourceVariant(Variant):
    """A row: a model or a table by the frequency of words, a language, or a regression over the languages."""

    vectors: Literal["model", "table", "language", "regression"]
    policy: str | None = None
    language: str = ""
    """The name of its files in --vectors: LANGUAGE.vec and LANGUAGE.tsv, the words of its corpus and their counts."""
    train: str = ""
    test: str = ""
    """Treebanks of a language, as paths inside the data folder."""
    size: Literal["corpus", "training", ""] = ""
    """What a regression is about."""
    together: bool = False
    """Whether the regression has both sizes."""


@dataclass(frozen=True, kw_only=True)
class ResourceStudy(Study):
    """A table of scores by sizes of resources."""

    kind: Literal["resources"] = "resources"
    variants: tuple[ResourceVariant, ...]
    width: int = 3
    """Powers of 2 per band of frequency."""
    candidates: int = 100_000
    """Known words of a model or table that are used, and rows of the table of a language."""
    tokens: tuple[int, ...] = ()
    """Numbers of tokens that taggers are trained on."""

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return None: vectors are given, and taggers have a closed form."""
        return None

    @property
    def by_words(self) -> bool:
        """Whether it is about the frequency of words."""
        return not self.tokens

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for variant in self.variants:
            if (variant.vectors in ("model", "table")) != self.by_words:
                yield f"{variant.label!r} does not fit: languages need tokens, and models and tables go without"


@dataclass(frozen=True, kw_only=True)
class ResourceJob(Job):
    """A study about resources to run."""

    study: ResourceStudy
    model_name: str | None = None
    vectors: Path | None = None
    """A vector file; for languages, the folder of their files."""
    frequencies: Path | None = None
    """Words and their counts."""


def run_resources(job: ResourceJob) -> Findings:
    """Score every row of a study about resources.

    Args:
        job: The study, the vectors, the counts and the data folder.
    """
    if job.study.by_words:
        if job.frequencies is None:
            raise InputError("Scores by frequency need the counts of words: give --frequencies.")
        counts = read_counts(job.frequencies)
        rows: dict[str, Row] = {variant.label: _by_words(job, variant, counts) for variant in job.study.variants}
        about = f"counts of {sum(counts.values()):,} words"
    else:
        rows, about = _by_languages(job)
    return Findings(job.study, job.size, rows, about, job.overrides)


def _by_words(job: ResourceJob, variant: ResourceVariant, counts: Mapping[str, int]) -> Row:
    """Score a model or a table in bands of frequency; columns read "similarity/rareword 46-362"."""
    if variant.vectors == "table" and job.vectors is None:
        job.report(f"{variant.label}: skipped, because --vectors is missing.")
        return dict.fromkeys(job.study.columns)
    name = str(job.vectors) if variant.vectors == "table" else job.model_name
    model = open_evaluated(name, variant.policy, candidates=job.study.candidates)
    row: dict[str, Score | None] = dict.fromkeys(job.study.columns)
    for base in dict.fromkeys(column.partition(" ")[0] for column in job.study.columns):
        benchmark = find_benchmark(base, job.data)
        if isinstance(benchmark, MissingData):
            job.report(f"{base}: skipped. {benchmark.reason}")
            continue
        job.report(f"{variant.label}: {base}")
        found = score_by_frequency(model, benchmark, counts, width=job.study.width)
        values: dict[str, float | None] = {band.name: band.score for band in found.bands}
        items = {band.name: band.n for band in found.bands}
        values |= _fit(found.regression, FREQUENCY) if found.regression else {}
        for column in job.study.columns:
            name = column.partition(" ")[2]
            if column.startswith(base + " ") and (value := values.get(name)) is not None:
                row[column] = Score(value, n=items.get(name))
    return row


def _fit(regression: Regression, name: str) -> dict[str, float | None]:
    found = regression[name]
    return dict(zip(FIT, (found.value, found.low, found.high), strict=True))


def _by_languages(job: ResourceJob) -> tuple[dict[str, Row], str]:
    """Train a linear tagger for each language and number of tokens, and regress accuracies on both sizes."""
    rows: dict[str, Row] = {}
    sizes: dict[str, list[float]] = {"corpus": [], "training": []}
    scores: list[float] = []
    languages = [variant for variant in job.study.variants if variant.vectors == "language"]
    for variant in languages:
        model, corpus = _language(job, variant)
        train, test = (read_tagged(job.folder / name) for name in (variant.train, variant.test))
        row: dict[str, Score | None] = dict.fromkeys(job.study.columns)
        row |= {"corpus, M words": Score(corpus / 1e6), "known": Score(_known(model, test))}
        for tokens in job.study.tokens:
            sentences = list(first_tokens(train, tokens))
            given = sum(map(len, sentences))
            job.report(f"{variant.label}: {given:,} tokens")
            if given >= tokens:
                accuracy = tagging_accuracy(sentences, test, model.encode)
                row[f"accuracy, {tokens} tokens"] = Score(accuracy, n=sum(map(len, test)))
                scores.append(accuracy)
                sizes["corpus"].append(corpus)
                sizes["training"].append(given)
        rows[variant.label] = row
    for variant in job.study.variants:
        if variant.vectors == "regression":
            chosen = [name for name in sizes if variant.together or name == variant.size]
            values = _fit(regress({name: sizes[name] for name in chosen}, scores), variant.size)
            rows[variant.label] = {name: _score(values.get(name)) for name in job.study.columns}
    return rows, f"{len(languages)} languages, {len(scores)} taggers"


def _score(value: float | None) -> Score | None:
    return None if value is None else Score(value)


def _language(job: ResourceJob, variant: ResourceVariant) -> tuple[EvaluatedModel, int]:
    """Return the vectors of a language and the number of words of its corpus."""
    if job.vectors is None:
        raise InputError("The vectors of languages are read from a folder: give --vectors.")
    table = read_table(job.vectors / f"{variant.language}.vec", limit=job.study.candidates)
    corpus = sum(read_counts(job.vectors / f"{variant.language}.tsv").values())
    return evaluated_table(table, variant.language), corpus


def _known(model: EvaluatedModel, sentences: Sequence[Sentence]) -> float:
    tokens = [word for sentence in sentences for word, _ in sentence]
    return 100 * sum(map(model.known, tokens)) / len(tokens)
