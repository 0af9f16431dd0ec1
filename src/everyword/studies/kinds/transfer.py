"""Run a study about transfer between languages: taggers learnt in some of them and scored in others.

Scores of each tagger stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import torch

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.corpus.labelled.sets import SPLIT_SEED, TaggedSentences, cut_dev, cut_to, read_tagged
from everyword.corpus.labelled.treebanks import read_treebank
from everyword.corpus.text_file import read_text
from everyword.errors import InputError
from everyword.evaluation.tasks.extrinsic.transfer import (
    LanguageVectors,
    TransferConfig,
    TransferLearner,
    in_language,
    joined,
)
from everyword.files import fingerprint, read_kept
from everyword.learning.device import pick_device
from everyword.learning.word_vectors import WordVectors
from everyword.sentences.tokens import tokens_of
from everyword.space.alignment.aligning import align
from everyword.space.alignment.pairs import WordPairs, alike, read_dictionary
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

FORMS = ("npy", "vec", "txt")
FREQUENT = 5000
"""The words of a table from which a map is learnt."""
UNLABELLED = 2000
"""Lines of a text without labels."""
BEFORE, AFTER = "languages before", "languages after"
"""What a fresh probe tells of the language of words, by the features of an untrained and of the trained tagger."""


def _parts(column: str) -> tuple[str, str]:
    """Return the task and the score of a column."""
    task, _, score = column.partition("/")[2].partition(" ")
    return task, score


@dataclass(frozen=True, kw_only=True)
class TransferVariant(Variant):
    """A row about a way to bring languages together."""

    alignment: Literal["none", "identical", "dictionary"] = "none"
    """What an orthogonal map onto the pivot is learnt from: nothing, words spelt alike, or a dictionary."""
    adversary: bool = False
    unlabelled: bool = False
    """Whether the adversary also sees text of the languages without labels."""
    overrides: tuple[str, ...] = ()

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.unlabelled and not self.adversary:
            yield f"{self.label!r} reads text without labels, but has no adversary that could see it"


@dataclass(frozen=True)
class TransferTask:
    """A task in several languages; all paths are inside the data folder."""

    name: str
    train: dict[str, str]
    test: dict[str, str]
    dev: dict[str, str] = field(default_factory=dict)
    """Without it, a tenth of train."""

    @property
    def unseen(self) -> list[str]:
        """The languages that are scored but not learnt from."""
        return [language for language in self.test if language not in self.train]


@dataclass(frozen=True, kw_only=True)
class TransferStudy(Study):
    """A table about transfer between languages; `seeds` counts taggers.

    Its columns are "transfer/TASK LANGUAGE SCORE", and "transfer/TASK languages before" or "after".
    """

    kind: Literal["transfer"] = "transfer"
    variants: tuple[TransferVariant, ...]
    pivot: str
    """The language whose space the others are mapped onto."""
    tasks: tuple[TransferTask, ...]
    dictionaries: dict[str, str] = field(default_factory=dict)
    """By language: pairs of a word of the pivot and its translation."""
    texts: dict[str, str] = field(default_factory=dict)
    """By language: text without labels."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of all taggers, by size."""

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "transfer"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        tests = {task.name: task.test for task in self.tasks}
        for column in self.benchmarks:
            name, rest = _parts(column)
            if name not in tests:
                yield f"{column!r} does not name one of its tasks, {', '.join(tests)}, after 'transfer/'"
            elif rest not in (BEFORE, AFTER) and rest.split(" ")[0] not in tests[name]:
                yield f"{column!r} does not name a language with a test set, {BEFORE!r} or {AFTER!r}"
        for task in self.tasks:
            yield from (
                f"texts has no {code!r}, which {task.name} tests" for code in task.unseen if code not in self.texts
            )


@dataclass(frozen=True, kw_only=True)
class TransferJob(Job):
    """A study about transfer to run."""

    study: TransferStudy
    vectors: Path
    """A folder of vector files named by language, such as en.vec, the frequent words first."""

    @cached_property
    def tables(self) -> dict[str, VectorTable]:
        """The vectors of each language."""
        return {}

    def table(self, language: str) -> VectorTable:
        """Return the vectors of a language."""
        if language not in self.tables:
            found = [path for form in FORMS if (path := self.vectors / f"{language}.{form}").is_file()]
            if not found:
                raise InputError(f"{self.vectors} holds no {language}.{' or .'.join(FORMS)}; put vectors there.")
            self.tables[language] = read_table(found[0])
        return self.tables[language]


@dataclass(frozen=True)
class _Data:
    """A task with its sentences read."""

    train: dict[str, TaggedSentences]
    dev: TaggedSentences
    tests: dict[str, TaggedSentences]
    texts: Mapping[str, Sequence[Sequence[str]]]

    @property
    def languages(self) -> list[str]:
        return list(dict.fromkeys([*self.train, *self.tests]))


def run_transfer(job: TransferJob) -> Findings:
    """Train and score the taggers of every variant on every task.

    Args:
        job: The study, the vectors, the data folder and the work folder.
    """
    pick_device(job.device)
    job.work.mkdir(parents=True, exist_ok=True)
    runs: dict[str, list[dict[str, Score | None]]] = {
        variant.label: [{} for _ in range(job.study.seeds)] for variant in job.study.variants
    }
    for task in job.study.tasks:
        data = _read(job, task)
        for variant in job.study.variants:
            for seed, scores in enumerate(_seeds(job, task, variant, data)):
                runs[variant.label][seed] |= _columns(job, task, scores)
    rows: dict[str, Row] = {label: mean_row(every, job.study.columns) for label, every in runs.items()}
    return Findings(job.study, job.size, rows, _teacher(job), job.overrides)


def _seeds(job: TransferJob, task: TransferTask, variant: TransferVariant, data: _Data) -> Iterator[Mapping[str, Any]]:
    """Yield the scores of each seed, those in the work folder as they are."""
    learner = None
    for seed in range(job.study.seeds):
        config = _config(job, variant, seed)
        path = _path(job, task, variant, config, seed)
        if not path.exists():
            learner = _learner(job, variant, data, config) if learner is None else learner.with_config(config)
            scores = _scores(learner, data, seed)
            write_atomic(path, json.dumps(scores, indent=2) + "\n")
            told = ", ".join(f"{key} {value:.1f}" for key, value in scores.items())
            job.report(f"{task.name}, {variant.label}, seed {seed}: {told}")
        yield read_kept(path)


def _columns(job: TransferJob, task: TransferTask, scores: Mapping[str, Any]) -> dict[str, Score | None]:
    found: dict[str, Score | None] = {}
    for column in job.study.benchmarks:
        name, key = _parts(column)
        if name == task.name:
            if key not in scores:
                raise InputError(f"There is no score {key!r}; choose from {', '.join(scores)}.")
            found[column] = Score(float(scores[key]))
    return found


def _teacher(job: TransferJob) -> str:
    languages = dict.fromkeys(name for task in job.study.tasks for name in (*task.train, *task.test))
    tables = ", ".join(f"{name} {len(job.table(name)):,}" for name in languages)
    return f"vectors of dimension {job.table(job.study.pivot).dim} (words: {tables})"


def _config(job: TransferJob, variant: TransferVariant, seed: int) -> TransferConfig:
    size = job.study.full if job.size == "full" else job.study.small
    overrides = [*size, *job.overrides, *variant.overrides]
    given = {**configs.to_dict(TransferConfig()), "adversarial": variant.adversary}
    values = configs.override(
        given, [*overrides, f"adversary.seed={seed}", f"tagger.learning.device={pick_device(job.device)}"]
    )
    return configs.build(TransferConfig, values, "the study")


def _path(job: TransferJob, task: TransferTask, variant: TransferVariant, config: TransferConfig, seed: int) -> Path:
    settings = configs.to_dict(config)
    del settings["tagger"]["learning"]["device"]
    if not config.adversarial:
        del settings["adversary"]
    described = [settings, variant.alignment, variant.unlabelled, configs.to_dict(task), _teacher(job)]
    return job.work / f"{task.name}-{variant.folder}-{seed}-{fingerprint(described)[:12]}.json"


def _read(job: TransferJob, task: TransferTask) -> _Data:
    train, dev = {}, []
    for language, name in task.train.items():
        part = in_language(language, _tagged(job.path(name)))
        if language in task.dev:
            held = in_language(language, _tagged(job.path(task.dev[language])))
        else:
            part, held = cut_dev(part, seed=SPLIT_SEED)
        train[language] = part
        dev.append(held)
    tests = {language: in_language(language, _tagged(job.path(name))) for language, name in task.test.items()}
    texts = {language: _text(job.path(job.study.texts[language])) for language in task.unseen}
    return _Data(train, joined(dev, "dev"), tests, texts)


def _tagged(path: Path) -> TaggedSentences:
    return read_treebank(path) if ".conllu" in path.name else read_tagged(path)


def _text(path: Path) -> list[list[str]]:
    lines = islice((line for line in read_text(path, "text without labels") if line.strip()), UNLABELLED)
    return [tokens_of(line) for line in lines]


def _learner(job: TransferJob, variant: TransferVariant, data: _Data, config: TransferConfig) -> TransferLearner:
    vectors = LanguageVectors({name: _mapped(job, variant, name) for name in data.languages})
    parts = [cut_to(part, config.sentences, SPLIT_SEED) for part in data.train.values()]
    texts = data.texts if variant.unlabelled else None
    words = WordVectors(vectors.encode, vectors.dim)
    return TransferLearner(words, joined(parts, "train"), data.dev, config, texts)


def _mapped(job: TransferJob, variant: TransferVariant, language: str) -> VectorTable:
    """Return the vectors of a language, mapped onto those of the pivot if the variant has a map."""
    table, pivot = job.table(language), job.table(job.study.pivot)
    if variant.alignment == "none" or language == job.study.pivot:
        return table
    source, target = table.head(FREQUENT), pivot.head(FREQUENT)
    pairs: WordPairs
    if variant.alignment == "identical":
        pairs = alike(source, target, "identical")
    else:
        pairs = [(other, one) for one, other in read_dictionary(job.path(job.study.dictionaries[language]))]
    alignment = align(source, target, pairs, names=(language, job.study.pivot))
    return VectorTable.from_checked(table.words, alignment.map_source(table.matrix))


def _scores(learner: TransferLearner, data: _Data, seed: int) -> dict[str, float]:
    """Train a tagger and return its scores by language, with what a probe tells of the languages."""
    tests = list(data.tests.values())
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        fresh = learner.network().to(learner.learning.device)
    scores: dict[str, Any] = {BEFORE: learner.language_accuracy(fresh, tests, seed)}
    trained = learner.fit(learner.learning.rates[0], seed)
    scores[AFTER] = learner.language_accuracy(trained.network, tests, seed)
    for language, test in data.tests.items():
        scores |= {f"{language} {name}": value for name, value in learner.score(trained.network, test).items()}
    return {**scores, "dev": trained.dev, "epoch": float(trained.epoch), "seconds": trained.seconds}
