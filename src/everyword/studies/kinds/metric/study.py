"""Run a study about losses of classifiers: what they make of texts is judged by a vote of neighbours.

Scores stay in the work folder, so the same job goes on where it stopped. No text is ever printed: some are abusive.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

import numpy as np
import torch

from everyword import config as configs
from everyword import registry
from everyword.arrays import FloatArray, IndexArray
from everyword.atomic import write_atomic
from everyword.config import Natural
from everyword.corpus.labelled.documents import Documents, read_documents
from everyword.evaluation.tasks.knn import NEIGHBOURS, NONE, count_votes, macro_f1
from everyword.files import fingerprint, read_kept
from everyword.language_models.language_model import load_pretrained
from everyword.learning.device import neighbours_on_device, pick_device
from everyword.learning.sources import Source, open_source
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.metric.encoders import TunedConfig, TunedEncoder, as_array, labels_of, pieces_of, tune
from everyword.systems.classifiers.classifier import ClassifierConfig, words_read
from everyword.systems.classifiers.train import loss_options, train_classifier
from everyword.vectors.neighbours import unit_rows

WORDS, ENCODER, ALL = "words", "encoder", "all"
MEASURES = ("knn", "accuracy", "f1", "knn-categories")
"""Macro F1 of the balanced vote; accuracy and macro F1 of the output layer; the vote without the class of none."""


@dataclass(frozen=True)
class MetricSet:
    """Labelled texts in the data folder; a tenth of train is dev if there is no file."""

    name: str
    train: str
    test: str
    dev: str | None = None
    label: str | None = None
    """The column of the classes."""
    unseen: Natural = 0
    """How many classes are left out of training; then only these are scored, among their own training texts."""


@dataclass(frozen=True, kw_only=True)
class MetricVariant(Variant):
    """A row: a loss, and settings of which the vote on dev chooses one."""

    loss: str
    settings: tuple[tuple[str, ...], ...] = ((),)


@dataclass(frozen=True, kw_only=True)
class MetricStudy(Study):
    """A table about losses; `seeds` counts networks. Columns are "metric/SOURCE SET MEASURE".

    The source is words or encoder; the set "all" is the mean over sets whose classes are all seen.
    """

    kind: Literal["metric"] = "metric"
    variants: tuple[MetricVariant, ...]
    sets: tuple[MetricSet, ...]
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of classifiers over word vectors, by size."""
    encoder: tuple[str, ...] = ()
    """Overrides of fine-tuning."""

    @property
    def policy(self) -> str:
        """What vectors of texts are judged by."""
        return "neighbours"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        sets = (*(one.name for one in self.sets), ALL)
        known = {f"metric/{source} {name} {one}" for source in (WORDS, ENCODER) for name in sets for one in MEASURES}
        yield from (f"{name!r} is not metric/SOURCE SET MEASURE" for name in self.benchmarks if name not in known)
        losses = registry.classification_losses
        yield from (f"there is no loss {one.loss!r}" for one in self.variants if one.loss not in losses)


@dataclass(frozen=True)
class MetricParts:
    """The parts of a set: to learn from, to choose by, to compare with and to score."""

    train: Documents
    dev: Documents
    near: Documents
    test: Documents


@dataclass(frozen=True, kw_only=True)
class MetricJob(Job):
    """A study about losses to run."""

    study: MetricStudy
    model_name: str | None = None
    encoder: str | None = None
    only: str | None = None
    """Only the columns of words, or of the encoder."""
    limit: int | None = None
    """Use only this many texts of each part."""

    @cached_property
    def source(self) -> _Once:
        """What gives word vectors, each made once."""
        return _Once(open_source(self.model_name or "everyword-en"))

    @cached_property
    def loaded(self) -> Any:
        """The transformer as it is before training, and its tokenizer."""
        network, *others = load_pretrained(str(self.encoder), lambda transformers, _: transformers.AutoModel)
        return network.float(), *others

    @cached_property
    def chosen_device(self) -> str:
        """The device of torch."""
        return str(pick_device(self.device))

    def parts(self, files: MetricSet) -> MetricParts:
        """Read a set."""
        train, test = (read_documents(self.path(name), files.label) for name in (files.train, files.test))
        if self.limit is not None:
            train, test = (part.take(range(0, len(part), max(1, len(part) // self.limit))) for part in (train, test))
        train, dev = (train, read_documents(self.path(files.dev), files.label)) if files.dev else train.cut_dev()
        if self.limit is not None:  # so few that a class may be missing
            dev, test = (
                _of(part.take(range(min(len(part), self.limit))), set(train.known), True) for part in (dev, test)
            )
        if not files.unseen:
            return MetricParts(train, dev, train, test)
        # Every third class or so, so that neither part is one end of the alphabet.
        names = train.known
        left_out = {names[place] for place in np.linspace(0, len(names) - 1, files.unseen).astype(int)}
        seen, near, scored = (
            _of(part, left_out, inside) for part, inside in ((train, False), (train, True), (test, True))
        )
        return MetricParts(seen, _of(dev, left_out, False), near, scored)


class _Once:
    """A source of vectors that makes each only once."""

    def __init__(self, source: Source) -> None:
        self.source, self.name, self._kept = source, source.name, dict[str, FloatArray]()

    @property
    def dim(self) -> int:
        return self.source.dim

    def encode(self, words: Sequence[str]) -> FloatArray:
        new = [word for word in words if word not in self._kept]
        if new:
            self._kept |= dict(zip(new, self.source.encode(new), strict=True))
        return np.stack([self._kept[word] for word in words]) if words else np.zeros((0, self.dim), dtype=np.float32)


def run_metric(job: MetricJob) -> Findings:
    """Train every network with every loss, and score the vote of neighbours and the output layer.

    Args:
        job: The study, the model that gives word vectors, the transformer and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    sources = [source for source in (WORDS, ENCODER) if job.only in (None, source)]
    if ENCODER in sources and job.encoder is None:
        job.report("The columns of the encoder are skipped, because --encoder is missing.")
        sources.remove(ENCODER)
    runs: dict[str, list[dict[str, Score | None]]] = {
        variant.label: [dict.fromkeys(job.study.benchmarks) for _ in range(job.study.seeds)]
        for variant in job.study.variants
    }
    settings: dict[str, dict[str, str]] = {variant.label: {} for variant in job.study.variants}
    for source in sources:
        for files in job.study.sets:
            cells = _Cells(job, source, files)
            for variant in job.study.variants:
                chosen, found = cells.of(variant)
                settings[variant.label][f"{source} {files.name}"] = " ".join(chosen)
                for run, one in zip(runs[variant.label], found, strict=True):
                    run |= {f"metric/{source} {files.name} {name}": Score(value) for name, value in one.items()}
    _add_means(job.study, runs)
    shown = {
        label: [{name: run[name] for name in job.study.benchmarks} for run in found] for label, found in runs.items()
    }
    rows: dict[str, Row] = {label: mean_row(found, job.study.columns) for label, found in shown.items()}
    read_by = ", ".join(job.source.name if one == WORDS else Path(str(job.encoder)).name for one in sources)
    return Findings(job.study, job.size, rows, read_by, job.overrides, details={"settings": settings})


def _add_means(study: MetricStudy, runs: dict[str, list[dict[str, Score | None]]]) -> None:
    seen = [one.name for one in study.sets if not one.unseen]
    for column in study.benchmarks:
        source, name, measure = column.partition("/")[2].split(" ")
        if name == ALL:
            for run in (run for found in runs.values() for run in found):
                scores = [run.get(f"metric/{source} {one} {measure}") for one in seen]
                values = [score.value for score in scores if score is not None]
                run[column] = Score(fmean(values)) if len(values) == len(scores) else None


class _Cells:
    """The scores of one set by one source; texts are read when the first is needed."""

    def __init__(self, job: MetricJob, source: str, files: MetricSet) -> None:
        self.job, self.source, self.files = job, source, files

    @cached_property
    def parts(self) -> MetricParts:
        return self.job.parts(self.files)

    @cached_property
    def pieces(self) -> tuple[Any, dict[str, list[IndexArray]]]:
        """The tokenizer, and the pieces of all parts."""
        tokenizer = self.job.loaded[1]
        longest = configs.build(TunedConfig, configs.override({}, self._overrides(())), "the study").longest
        named = {"train": self.parts.train, "dev": self.parts.dev, "near": self.parts.near, "test": self.parts.test}
        return tokenizer, {name: pieces_of(tokenizer, part.texts, longest) for name, part in named.items()}

    def of(self, variant: MetricVariant) -> tuple[tuple[str, ...], list[dict[str, float]]]:
        """Return the setting that is best on dev, by the first seed, and the scores of all seeds with it."""
        first = [self._cell(variant, setting, 0) for setting in variant.settings]
        best = max(range(len(first)), key=lambda place: first[place]["dev"])
        chosen = variant.settings[best]
        return chosen, [first[best], *(self._cell(variant, chosen, seed) for seed in range(1, self.job.study.seeds))]

    def _overrides(self, setting: Sequence[str]) -> list[str]:
        job = self.job
        if self.source == ENCODER:
            return [*job.study.encoder, *job.overrides]
        return [*(job.study.full if job.size == "full" else job.study.small), *job.overrides, *setting]

    def _cell(self, variant: MetricVariant, setting: Sequence[str], seed: int) -> dict[str, float]:
        job, given = self.job, configs.override({}, self._overrides(setting))
        origin = job.source.name if self.source == WORDS else Path(str(job.encoder)).name
        described = [given, list(setting), variant.loss, origin, configs.to_dict(self.files), job.limit]
        mark = fingerprint(described)[:12]
        path = job.work / f"{self.source}-{self.files.name}-{variant.folder}-{seed}-{mark}.json"
        if not path.exists():
            torch.manual_seed(seed)
            made = self._by_words if self.source == WORDS else self._by_encoder
            found = made(variant.loss, given, setting, seed)
            write_atomic(path, json.dumps({"setting": list(setting), **found}, indent=2) + "\n")
            job.report(
                f"{self.source}, {self.files.name}, {variant.label} {' '.join(setting)}, seed {seed}: "
                f"knn {found['knn']:.1f}, dev {found['dev']:.1f}"
            )
        return {name: value for name, value in read_kept(path).items() if name != "setting"}

    def _by_words(self, loss: str, given: dict[str, Any], _setting: Sequence[str], seed: int) -> dict[str, float]:
        config = configs.build(ClassifierConfig, given | {"loss": loss, "seed": seed}, "the study")
        parts, job = self.parts, self.job
        trained = train_classifier(parts.train, parts.dev, [job.source], config, device=job.chosen_device)
        assert trained is not None  # nothing is resumed, so Ctrl-C has ended the program

        def rows(part: Documents) -> list[IndexArray]:
            return trained.run.rows([words_read(text, config) for text in part.texts])

        features = {name: trained.run.features(rows(part)) for name, part in self._named().items()}
        predicted = None if self.files.unseen else trained.run.scores(rows(parts.test)).argmax(axis=1)
        return self._scores(features, predicted)

    def _by_encoder(self, loss: str, given: dict[str, Any], setting: Sequence[str], seed: int) -> dict[str, float]:
        config = configs.build(TunedConfig, given | {"seed": seed}, "the study")
        tokenizer, pieces = self.pieces
        network, labels = deepcopy(self.job.loaded[0]), self.parts.train.known
        options = configs.build(ClassifierConfig, configs.override({"loss": loss}, setting), "the study")
        made = registry.classification_losses.get(loss)(
            int(network.config.hidden_size), len(labels), **loss_options(options)
        )
        encoder = TunedEncoder(network, len(labels), made, int(tokenizer.pad_token_id))
        targets = _numbers(self.parts.train, labels)
        tune(encoder, pieces["train"], targets, config, self.job.device)
        found = {name: encoder.features(pieces[name]) for name in self._named()}
        if made.settles:
            made.settle(encoder.output, found["train"], torch.from_numpy(targets).to(found["train"].device))
        predicted = None if self.files.unseen else labels_of(encoder, found["test"])
        return self._scores({name: as_array(part) for name, part in found.items()}, predicted)

    def _named(self) -> dict[str, Documents]:
        parts = self.parts
        named = {"train": parts.train, "dev": parts.dev, "test": parts.test}
        return named | ({"near": parts.near} if self.files.unseen else {})

    def _scores(self, features: dict[str, FloatArray], predicted: IndexArray | None) -> dict[str, float]:
        """Return the vote on dev among train, and on test among what it is to be compared with."""
        parts = self.parts
        units = {name: unit_rows(part) for name, part in features.items()}
        labels = parts.train.known
        known = parts.dev.take([row for row, [label] in enumerate(parts.dev.labels) if label in labels])
        kept = [row for row, [label] in enumerate(parts.dev.labels) if label in labels]
        found = {"dev": self._vote(units["dev"][kept], units["train"], known, parts.train)[0]}
        near = units.get("near", units["train"])
        found["knn"], categories = self._vote(units["test"], near, parts.test, parts.near)
        if categories is not None:
            found["knn-categories"] = categories
        if predicted is not None:
            gold = _numbers(parts.test, labels)
            found |= {"accuracy": 100 * float((predicted == gold).mean()), "f1": macro_f1(gold, predicted)}
        return found

    def _vote(
        self, queries: FloatArray, near: FloatArray, asked: Documents, known: Documents
    ) -> tuple[float, float | None]:
        names = known.known
        if not len(queries):
            return 0.0, None
        rows, _ = neighbours_on_device(queries, near, min(NEIGHBOURS, len(near)), device=self.job.chosen_device)
        predicted, gold = count_votes(_numbers(known, names), rows), _numbers(asked, names)
        none = names.index(NONE) if NONE in names else None
        return macro_f1(gold, predicted), None if none is None else macro_f1(gold, predicted, none)


def _of(part: Documents, labels: set[str], inside: bool) -> Documents:
    return part.take([row for row, [label] in enumerate(part.labels) if (label in labels) == inside])


def _numbers(part: Documents, names: Sequence[str]) -> IndexArray:
    number = {name: place for place, name in enumerate(names)}
    return np.array([number[label] for [label] in part.labels], dtype=np.int64)
