"""Run a study about auxiliary languages: taggers that read vectors of other languages beside those of their own.

Scores of taggers stay in the work folder, so the same job goes on where it stopped, and several machines or processes
can train different languages and share the folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import Count
from everyword.corpus.labelled.sets import Splits, TaggedSentences, cut_to
from everyword.corpus.piece_vectors import PiecesConfig
from everyword.errors import InputError, did_you_mean
from everyword.evaluation.catalogue import data_folder
from everyword.evaluation.paired import paired_permutation
from everyword.files import fingerprint, read_kept
from everyword.learning.device import pick_device
from everyword.learning.sources import Source
from everyword.models.load import DEFAULT, load
from everyword.space.combination import Kind
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.languages.inputs import (
    EVERYWORD,
    MULTI,
    WORDS,
    LanguageInputs,
    language_of,
    load_inputs,
    prepare,
)
from everyword.studies.kinds.languages.outcomes import Outcome, average, correlations, median, outcome_of, rounded_mean
from everyword.systems.taggers.config import TaggerConfig
from everyword.systems.taggers.train import train_tagger

OWN, AGAIN, OTHERS, EACH, OWN_WORDS = "own", "again", "others", "each", "words"
"""What sources of a variant stand for: pieces of the language itself, the same once more, those of all other languages
at once or one by one, its whole words, a model of everyword."""
KNOWN = (OWN, AGAIN, OTHERS, EACH, OWN_WORDS, EVERYWORD, MULTI)


@dataclass(frozen=True, kw_only=True)
class LanguageVariant(Variant):
    """A row about sources of vectors."""

    sources: tuple[str, ...]
    combiner: Kind = "concatenation"
    chosen: Literal["mean", "dev"] = "mean"
    """Where a source is each of the other languages in turn: the mean of the scores, or the one that is best on dev."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for name in self.sources:
            if name not in KNOWN:
                yield f"{self.label!r} has the source {name!r}: {did_you_mean(name, KNOWN)}"


@dataclass(frozen=True)
class LanguageSettings:
    """The size of the data, the vectors of pieces, and the taggers."""

    sentences: Count = 5000
    """Most sentences of train."""
    judged: Count = 2000
    """Most sentences of dev and of test."""
    pieces: PiecesConfig = field(default_factory=PiecesConfig)
    """Of each language."""
    multi: PiecesConfig = field(default_factory=PiecesConfig)
    """Of all languages together."""
    tagger: TaggerConfig = field(default_factory=TaggerConfig)


@dataclass(frozen=True, kw_only=True)
class LanguageStudy(Study):
    """A table about auxiliary languages; its columns are "languages/pos CODE" and "languages/ner CODE"."""

    kind: Literal["languages"] = "languages"
    variants: tuple[LanguageVariant, ...]
    tasks: dict[str, str]
    """By column, a folder inside the data folder."""
    corpora: dict[str, str]
    """By language, a text file inside the data folder."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of the settings, by size."""

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "languages"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for column in self.benchmarks:
            if column not in self.tasks:
                yield f"tasks names no folder for {column!r}"


@dataclass(frozen=True, kw_only=True)
class LanguageJob(Job):
    """A study about auxiliary languages to run."""

    study: LanguageStudy
    model_name: str | None = None
    vectors: Path | None = None
    """A folder of vector files by language, for sources of whole words."""
    prepared: Path | None = None
    languages: tuple[str, ...] = ()
    """Only these are trained; others are filled in from earlier runs."""

    @cached_property
    def settings(self) -> LanguageSettings:
        """The size of data and taggers."""
        overrides = [*(self.study.full if self.size == "full" else self.study.small), *self.overrides]
        return configs.build(LanguageSettings, configs.override({}, overrides), "the study")

    @cached_property
    def inputs(self) -> LanguageInputs:
        """The prepared inputs, made first if they are not there and there is a data folder."""
        folder = self.prepared or self.work / "prepared"
        data = data_folder(self.data)
        if data is not None:
            prepare(
                folder,
                data,
                tasks=self.study.tasks,
                corpora=self.study.corpora,
                pieces=self.settings.pieces,
                multi=self.settings.multi,
                sentences=self.settings.sentences,
                judged=self.settings.judged,
                vectors=self.vectors,
                model=(lambda: load(self.model_name)) if self._reads_everyword else None,
                report=self.report,
            )
        return load_inputs(folder)

    @property
    def _reads_everyword(self) -> bool:
        return any(EVERYWORD in variant.sources for variant in self.study.variants)


def run_languages(job: LanguageJob) -> Findings:
    """Train a tagger for every column, variant and seed.

    Args:
        job: The study, the prepared inputs or what they are made of, and the languages to train.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    unknown = set(job.languages) - {language_of(column) for column in job.study.benchmarks}
    if unknown:
        raise InputError(f"The study has no language {min(unknown)!r}; it has {', '.join(_languages(job.study))}.")
    device = str(pick_device(job.device))
    runs = _Runs(job, device)
    found = {column: _column(runs, column) for column in job.study.benchmarks}
    rows: dict[str, Row] = {}
    for variant in job.study.variants:
        seeds = [
            {column: _score(cells.get(variant.label), seed) for column, cells in found.items()}
            for seed in range(job.study.seeds)
        ]
        rows[variant.label] = mean_row(seeds, job.study.columns)
    columns = {name: _details(runs, name, cells) for name, cells in found.items() if cells}
    details = {"settings": configs.to_dict(job.settings), "columns": columns}
    teacher = f"{job.model_name or DEFAULT} and {len(job.study.corpora)} corpora"
    return Findings(job.study, job.size, rows, teacher, job.overrides, details=details)


def _languages(study: LanguageStudy) -> list[str]:
    return sorted({language_of(column) for column in study.benchmarks})


Cells = dict[str, list[Outcome]]
"""By label, an outcome per seed."""


def _score(outcomes: Sequence[Outcome] | None, seed: int) -> Score | None:
    return Score(outcomes[seed].score) if outcomes else None


class _Runs:
    """Trains taggers or reads their scores."""

    def __init__(self, job: LanguageJob, device: str) -> None:
        self.job, self.device = job, device

    def __call__(self, column: str, names: Sequence[str], kind: Kind, seed: int) -> Outcome | None:
        """Return the scores of a tagger over sources; None if it is not trained and must not be."""
        job, settings = self.job, self.job.settings
        combiner = replace(settings.tagger.combiner, kind=kind)
        config = replace(settings.tagger, combiner=combiner, seed=seed)
        mark = fingerprint([configs.to_dict(replace(settings, tagger=config)), column, list(names)])[:16]
        path = job.work / f"{column.partition('/')[2].replace(' ', '-')}-{mark}.json"
        if not path.exists():
            if job.languages and language_of(column) not in job.languages:
                return None
            outcome = self._train(column, names, config)
            write_atomic(path, json.dumps(outcome.__dict__) + "\n")
            job.report(f"{column}, {' + '.join(names)}, {kind}, seed {seed}: {outcome.score:.2f}")
        return Outcome(**read_kept(path))

    def sources(self, column: str, names: Sequence[str]) -> list[Source]:
        """Return the sources of these names."""
        stored = self.job.inputs.sources
        found: list[Source] = []
        for name in names:
            if name == AGAIN:
                found.append(stored[language_of(column)].renamed(AGAIN))
            else:
                found.append(stored[name])
        return found

    def _train(self, column: str, names: Sequence[str], config: TaggerConfig) -> Outcome:
        folds = self.job.inputs.tasks[column]
        data = folds[config.seed % len(folds)]
        train = cut_to(data.train, self.job.settings.sentences)
        trained = train_tagger(train, data.dev, self.sources(column, names), config, device=self.device)
        assert trained is not None  # it keeps no state, so Ctrl-C is raised
        return outcome_of(trained, train, data.test, names)


def _named(job: LanguageJob, column: str, variant: LanguageVariant, each: str | None) -> list[str] | None:
    """Return the names of a variant's sources for a column; None if the column cannot have it."""
    language, found = language_of(column), list[str]()
    others = _helpers(job, column)
    for name in variant.sources:
        if name in (OWN, AGAIN):
            if language in job.study.corpora:
                found.append(language if name == OWN else AGAIN)
            elif not {OTHERS, EACH} & set(variant.sources):
                return None
        elif name == OTHERS:
            found += others
        elif name == EACH:
            found.append(str(each))
        elif name == OWN_WORDS:
            if f"{WORDS}{language}" not in job.inputs.sources:
                return None
            found.append(f"{WORDS}{language}")
        else:
            found.append(name)
    return found


def _helpers(job: LanguageJob, column: str) -> list[str]:
    return [name for name in sorted(job.study.corpora) if name != language_of(column)]


def _column(runs: _Runs, column: str) -> Cells:
    """Return the outcomes of all variants on a column; none where nothing is trained."""
    job, cells = runs.job, Cells()
    for variant in job.study.variants:
        outcomes = []
        for seed in range(job.study.seeds):
            candidates = _outcomes(runs, column, variant, seed)
            if not candidates:
                break
            if variant.chosen == "dev":
                outcomes.append(max(candidates.values(), key=lambda one: one.dev))
            elif len(candidates) == 1:
                outcomes += candidates.values()
            else:
                outcomes.append(average(list(candidates.values())))
        if len(outcomes) == job.study.seeds:
            cells[variant.label] = outcomes
    return cells


def _outcomes(runs: _Runs, column: str, variant: LanguageVariant, seed: int) -> dict[str, Outcome]:
    """Return the outcomes of a variant by the helping language, or one outcome."""
    found: dict[str, Outcome] = {}
    for each in _helpers(runs.job, column) if EACH in variant.sources else [""]:
        names = _named(runs.job, column, variant, each)
        outcome = None if names is None else runs(column, names, variant.combiner, seed)
        if outcome is None:
            return {}
        found[each] = outcome
    return found


def _details(runs: _Runs, column: str, cells: Cells) -> dict[str, Any]:
    """Return what the table does not show: unknown tokens, weights, each helper, distances, a paired test."""
    details: dict[str, Any] = {
        "unseen": {label: rounded_mean(one.unseen for one in outcomes) for label, outcomes in cells.items()},
        "weights": {
            label: {name: rounded_mean(one.weights[name] for one in outcomes) for name in outcomes[0].weights}
            for label, outcomes in cells.items()
            if len(outcomes[0].weights) > 1 and _combiner(runs.job.study, label) != "concatenation"
        },
        "sentences": _sizes(runs, column),
    }
    each = next((variant for variant in runs.job.study.variants if EACH in variant.sources), None)
    if each is not None and each.label in cells:
        seeds = [_outcomes(runs, column, each, seed) for seed in range(runs.job.study.seeds)]
        helpers = {name: rounded_mean(one[name].score for one in seeds) for name in seeds[0]}
        details |= {
            "helpers": helpers,
            "correlations": correlations(runs.job.inputs.distances, language_of(column), helpers),
        }
    if len(pair := [label for label in ("Meta", "Mono+X, best on dev") if label in cells]) == 2:
        first, second = (median(cells[label]).counts for label in pair)
        details["p"] = paired_permutation(np.array(first), np.array(second))
    return details


def _combiner(study: LanguageStudy, label: str) -> Kind:
    return next(variant.combiner for variant in study.variants if variant.label == label)


def _sizes(runs: _Runs, column: str) -> dict[str, int]:
    data: Splits[TaggedSentences] = runs.job.inputs.tasks[column][0]
    train = cut_to(data.train, runs.job.settings.sentences)
    return {"train": len(train), "dev": len(data.dev), "test": len(data.test)}
