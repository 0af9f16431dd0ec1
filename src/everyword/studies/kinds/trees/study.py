"""Run a study about trees: how well labels above words are read from vectors, and which vectors fail alike.

A column is "trees/LEVEL", the accuracy at a level; "trees/LEVEL seen" and "trees/LEVEL unseen", of words that training
has and lacks; "trees/LEVEL control", with labels drawn by chance for each word; "trees/LEVEL labels" and "trees/LEVEL
sentences", the correlation of the F1 of labels and of the accuracy of sentences with those of the study's reference
row. Scores stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from everyword import config as configs
from everyword.arrays import FloatArray
from everyword.config import Natural
from everyword.evaluation.compare import correlation, label_correlation, sentence_profiles
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.probes.constituents import (
    LEVELS,
    WordScores,
    ancestor_labels,
    probe_words,
    score_words,
)
from everyword.evaluation.probes.labelled_words import LabelledWords, word_baseline
from everyword.evaluation.probes.mlp import MlpConfig, MlpProbe, RecurrentConfig, RecurrentProbe
from everyword.evaluation.probes.trees import Tree, read_trees
from everyword.files import fingerprint
from everyword.language_models.language_model import LanguageModel
from everyword.learning.device import pick_device
from everyword.studies.claims import MEAN, Score
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.trees.details import details_of, keep_scores, kept_scores
from everyword.studies.kinds.trees.left_to_right import ReaderConfig, TrainedReader, read_sentences
from everyword.studies.kinds.trees.vectors import last_layer, random_vectors, static_vectors

SEEN, UNSEEN, CONTROL, LABELS, SENTENCES = "seen", "unseen", "control", "labels", "sentences"
MEASURES = ("", SEEN, UNSEEN, CONTROL, LABELS, SENTENCES)


def parts_of(column: str) -> tuple[str, str]:
    """Return the level and the measure of a column.

    >>> parts_of("trees/parent"), parts_of("trees/great-grandparent labels")
    (('parent', ''), ('great-grandparent', 'labels'))
    """
    level, _, measure = column.partition("/")[2].partition(" ")
    return level, measure


@dataclass(frozen=True, kw_only=True)
class TreeVariant(Variant):
    """A row about vectors of words."""

    vectors: Literal["word-alone", "random", "model", "table", "reader", "trained-directly", "encoder"]
    """The label a word has most often, random vectors, an everyword model, a vector file, the states of a network that
    has read text, those of one that learns the labels, or the last layer of a language model."""
    table: str = ""
    """The name of the vector file, as in --vectors NAME=FILE."""
    before: Natural = 0
    """How many words before it are put beside a word."""
    target: Literal["next", "same"] = "next"
    """What a network that reads text learns to say."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if bool(self.table) != (self.vectors == "table"):
            yield f'{self.label!r} must have a table with vectors = "table", and only then'


@dataclass(frozen=True, kw_only=True)
class TreeStudy(Study):
    """A table about labels above words; `seeds` counts restarts of a probe."""

    SEEDS_ARE: ClassVar[str] = "restarts of a probe of the same vectors"
    kind: Literal["trees"] = "trees"
    variants: tuple[TreeVariant, ...]
    trees: str
    """The file of trees inside the data folder."""
    text: str
    """The tokenised text inside the data folder that networks read."""
    reference: str
    """The row whose labels and sentences others are compared with."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides by size: probe.KEY, directly.KEY and reader.KEY."""

    def runs(self, variant: Variant, column: str) -> int | None:
        """Return how many times a score is made; beside accuracies, one value is read off all restarts together."""
        if isinstance(variant, TreeVariant) and variant.vectors == "word-alone":
            return None
        return self.seeds if parts_of(column)[1] in ("", CONTROL) else 1

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "trees"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.reference not in [variant.label for variant in self.variants]:
            yield f"the reference {self.reference!r} is not one of its variants"
        for column in self.benchmarks:
            level, measure = parts_of(column)
            if level not in LEVELS or measure not in MEASURES:
                yield (
                    f"{column!r} is not trees/LEVEL, alone or with {', '.join(MEASURES[1:])}; "
                    f"the levels are {', '.join(LEVELS)}"
                )


@dataclass(frozen=True)
class TreeSettings:
    """How the networks of a study of trees are trained."""

    probe: MlpConfig = field(default_factory=MlpConfig)
    directly: RecurrentConfig = field(default_factory=RecurrentConfig)
    reader: ReaderConfig = field(default_factory=ReaderConfig)


@dataclass(frozen=True, kw_only=True)
class TreeJob(Job):
    """A study about trees to run."""

    study: TreeStudy
    model_name: str | None = None
    vectors: Mapping[str, Path] = field(default_factory=dict)
    encoder: str | None = None

    @cached_property
    def settings(self) -> TreeSettings:
        """The networks at the size of the study."""
        device = {"device": str(pick_device(self.device))}
        restarts = {"restarts": self.study.seeds, **device}
        start = {"probe": restarts, "directly": dict(restarts), "reader": device}
        overrides = [*(self.study.full if self.size == "full" else self.study.small), *self.overrides]
        return configs.build(TreeSettings, configs.override(start, overrides), "the study")

    @cached_property
    def trees(self) -> list[tuple[str, Tree]]:
        """All trees."""
        return read_trees(self.folder / self.study.trees)

    @cached_property
    def texts(self) -> list[list[str]]:
        """The words of the trees."""
        return [tree.tokens for _, tree in self.trees]

    @cached_property
    def model(self) -> EvaluatedModel:
        """The everyword model."""
        return open_evaluated(self.model_name)

    def missing(self, variant: TreeVariant) -> str | None:
        """Return the option that a row needs and that is not given."""
        if variant.vectors == "encoder" and not self.encoder:
            return "--encoder"
        if variant.vectors == "table" and variant.table not in self.vectors:
            return f"--vectors {variant.table}=FILE"
        return None


def run_trees(job: TreeJob) -> Findings:
    """Read labels from the vectors of every row, and compare the rows.

    Args:
        job: The study, the vectors and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    asked = dict.fromkeys((level, measure == CONTROL) for level, measure in map(parts_of, job.study.benchmarks))
    scores: dict[str, dict[tuple[str, bool], WordScores]] = {}
    for variant in job.study.variants:
        if missing := job.missing(variant):
            job.report(f"{variant.label}: skipped, because {missing} is missing.")
            continue
        scores[variant.label] = dict(_score_row(job, variant, list(asked)))
    rows = {
        variant.label: {
            column: _cell(job, scores, variant.label, column) if column != MEAN else None
            for column in job.study.columns
        }
        for variant in job.study.variants
    }
    made_of = [job.model.name, *(path.name.partition(".")[0] for path in job.vectors.values())]
    made_of += [Path(job.encoder).name] if job.encoder else []
    details = details_of(scores, job.study.reference)
    return Findings(job.study, job.size, rows, ", ".join(made_of), job.overrides, details=details)


def _score_row(
    job: TreeJob, variant: TreeVariant, asked: Sequence[tuple[str, bool]]
) -> Iterator[tuple[tuple[str, bool], WordScores]]:
    vectors: FloatArray | None = None
    for level, control in asked:
        if control and variant.vectors == "trained-directly":
            continue  # it is no probe of vectors: it may learn what it can
        data = ancestor_labels(job.trees, level, job.folder / job.study.trees)
        data = data.with_control_labels() if control else data
        path = job.work / f"{variant.folder}-{level}{'-control' if control else ''}-{_mark(job, variant)}.json"
        if not path.exists():
            vectors = _vectors(job, variant) if vectors is None else vectors
            scores = probe_row(job, variant, data, vectors)
            job.report(f"{variant.label}, {level}{', control' if control else ''}: {scores.accuracy:.1f}")
        yield (level, control), kept_scores(path, data, variant.label) if path.exists() else keep_scores(path, scores)


def probe_row(job: TreeJob, variant: TreeVariant, data: LabelledWords, vectors: FloatArray) -> WordScores:
    """Learn and score the labels of one level."""
    if variant.vectors == "word-alone":
        words = word_baseline(data.words("train"), data.gold("train"), data.words("test"))
        return score_words(data, [words], variant.label)
    if variant.vectors == "trained-directly":
        return probe_words(data, vectors, RecurrentProbe(job.settings.directly), variant.label)
    return probe_words(data, vectors, MlpProbe(job.settings.probe), variant.label)


def _vectors(job: TreeJob, variant: TreeVariant) -> FloatArray:
    """Return the vectors of all words of the trees."""
    if variant.vectors == "encoder":
        return last_layer(LanguageModel.load(str(job.encoder), device=job.device), job.texts)
    if variant.vectors == "reader":
        given = {**configs.to_dict(job.settings.reader), "target": variant.target}
        reader = configs.build(ReaderConfig, given, "the study")
        sentences = read_sentences(job.folder / job.study.text, reader.words)
        job.report(f"{variant.label}: reading {sum(map(len, sentences)):,} words")
        return TrainedReader(sentences, job.model.encode, reader).train().states(job.texts)
    if variant.vectors == "random":
        return static_vectors(job.texts, lambda words: random_vectors(len(words), job.model.dim), variant.before)
    source = open_evaluated(str(job.vectors[variant.table])) if variant.table else job.model
    return static_vectors(job.texts, source.encode, variant.before)


def _mark(job: TreeJob, variant: TreeVariant) -> str:
    """Return a fingerprint of what decides the scores of a row."""
    source = {
        "encoder": job.encoder,
        "table": str(job.vectors.get(variant.table)),
        "word-alone": None,
    }.get(variant.vectors, job.model.fingerprint)
    settings = configs.to_dict(job.settings)
    for part in settings.values():
        part.pop("device")
    used = {"trained-directly": ("directly",), "reader": ("probe", "reader"), "word-alone": ()}
    chosen = [settings[name] for name in used.get(variant.vectors, ("probe",))]
    return fingerprint([variant.vectors, variant.before, variant.target, str(source), chosen])[:12]


def _cell(
    job: TreeJob, scores: Mapping[str, Mapping[tuple[str, bool], WordScores]], label: str, column: str
) -> Score | None:
    if label not in scores:
        return None
    level, measure = parts_of(column)
    mine = scores[label].get((level, measure == CONTROL))
    if mine is None:
        return None
    if measure in (LABELS, SENTENCES):
        theirs = scores.get(job.study.reference, {}).get((level, False))
        if theirs is None:
            return None
        if measure == LABELS:
            found = label_correlation(mine.items, theirs.items)
        else:
            found = correlation(*sentence_profiles(mine.items.scores, theirs.items.scores, np.array(mine.items.groups)))
        return None if found is None else Score(100 * found)
    if measure == UNSEEN:
        return None if mine.unseen is None else Score(mine.unseen, n=mine.n_unseen)
    if measure == SEEN:
        seen = mine.n - mine.n_unseen
        return Score((mine.accuracy * mine.n - (mine.unseen or 0.0) * mine.n_unseen) / seen, n=seen)
    runs = mine.accuracies
    return Score(mine.accuracy, mine.spread if len(runs) > 1 else None, seeds=len(runs), n=mine.n, runs=runs)
