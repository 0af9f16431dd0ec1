"""Run a study of taggers: variants of one tagger over vectors, trained on sets and scored on others.

Scores stay in the work folder, so the same job goes on where it stopped, and several processes can share it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import Any, Literal

import numpy as np

from everyword import config as configs
from everyword.arrays import FloatArray
from everyword.atomic import write_atomic
from everyword.config import Count
from everyword.corpus.labelled.sets import TaggedSentences, cut_to, read_tagged
from everyword.corpus.labelled.tag_symbols import spelling_for, spelling_of
from everyword.corpus.labelled.treebanks import treebank_splits
from everyword.errors import InputError
from everyword.evaluation.tagging import entity_scores, tag_scores, with_types
from everyword.files import fingerprint, read_kept
from everyword.learning.device import pick_device
from everyword.learning.sources import NO_VECTORS, ModelSource, TableSource, open_source
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.spaces.study import named_files
from everyword.systems.taggers.config import TaggerConfig
from everyword.systems.taggers.train import train_tagger

ENTITIES = ("f1", "known", "unknown", "seen", "unseen")
TAGS = ("accuracy", "seen", "rare", "unseen", "new words", "valid")


@dataclass(frozen=True)
class Target:
    """Sentences that taggers are scored on, and the types of the source that theirs correspond to, if they differ."""

    name: str
    file: str
    types: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class TagSet:
    """What taggers learn from: a CoNLL file and what else they are scored on, or the folder of a treebank."""

    name: str
    train: str | None = None
    dev: str | None = None
    targets: tuple[Target, ...] = ()
    treebank: str | None = None
    """A folder with CoNLL-U files, of which full tags are learnt; without train, seeds are folds of dev."""
    vectors: str | None = None
    """The name of its vectors, unless the variant says which."""
    full: tuple[str, ...] = ()
    """Overrides of its taggers at the full size: a small treebank needs more epochs."""

    def problems(self) -> Iterator[str]:
        if (self.treebank is None) == (self.train is None or self.dev is None):
            yield f"the set {self.name!r} needs a treebank, or train and dev"


@dataclass(frozen=True, kw_only=True)
class TaggerVariant(Variant):
    """A row: settings of the tagger, and its vectors if the set does not say which."""

    overrides: tuple[str, ...] = ()
    vectors: str | None = None
    learns_dev: bool = False
    """Whether dev is learnt too, once all is decided; the epoch that then fits dev best is one of the last."""


@dataclass(frozen=True, kw_only=True)
class TaggerStudy(Study):
    """A table about taggers; `seeds` counts them. Columns are "taggers/TARGET MEASURE"."""

    kind: Literal["taggers"] = "taggers"
    variants: tuple[TaggerVariant, ...]
    sets: tuple[TagSet, ...]
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of all taggers, by size."""
    items: Count | None = None
    """How many sentences the small size learns from."""

    @property
    def policy(self) -> str:
        """What is judged."""
        return "taggers"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        known = {
            f"taggers/{target.name} {measure}" for one in self.sets for target in one.targets for measure in ENTITIES
        }
        known |= {f"taggers/{one.name} {measure}" for one in self.sets if one.treebank for measure in TAGS}
        yield from (f"{name!r} is not taggers/TARGET MEASURE" for name in self.benchmarks if name not in known)


class KeptSource:
    """A source whose vectors are made once for all taggers."""

    def __init__(self, source: ModelSource | TableSource) -> None:
        self.source, self.name, self.dim = source, source.name, source.dim
        self._vectors: dict[str, FloatArray] = {}

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words."""
        if new := [word for word in words if word not in self._vectors]:
            self._vectors.update(zip(new, self.source.encode(new), strict=True))
        return np.stack([self._vectors[word] for word in words])


@dataclass(frozen=True, kw_only=True)
class TaggerJob(Job):
    """A study of taggers to run."""

    study: TaggerStudy
    vectors: tuple[str, ...] = ()
    """NAME=FILE of vectors that the study names; a model can be named without."""
    part: str | None = None
    """K/N: train only each Nth tagger, from the Kth on."""
    opened: dict[str, KeptSource] = field(default_factory=dict)

    def source(self, name: str) -> KeptSource:
        """Return vectors by name."""
        if name not in self.opened:
            self.opened[name] = KeptSource(open_source(str(named_files(self.vectors).get(name, name))))
        return self.opened[name]

    def config(self, given: TagSet, variant: TaggerVariant, seed: int) -> TaggerConfig:
        """Return the settings of a tagger."""
        size = (*self.study.full, *given.full) if self.size == "full" else self.study.small
        values = configs.override({"seed": seed}, [*size, *self.overrides, *variant.overrides])
        return configs.build(TaggerConfig, values, "the study")

    def turns(self) -> tuple[int, int]:
        """Return which taggers are trained here: first and step."""
        first, slash, step = (self.part or "1/1").partition("/")
        if not (slash and first.isdigit() and step.isdigit() and 1 <= int(first) <= int(step)):
            raise InputError(f"--part must be K/N with K from 1 to N, as in 1/3. Got {self.part!r} instead.")
        return int(first) - 1, int(step)


def run_taggers(job: TaggerJob) -> Findings:
    """Train and score every tagger of a study that has no scores yet.

    Args:
        job: The study, its vectors and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    first, step = job.turns()
    runs: dict[str, list[dict[str, Score | None]]] = {
        variant.label: [dict.fromkeys(job.study.columns) for _ in range(job.study.seeds)]
        for variant in job.study.variants
    }
    details: dict[str, Any] = {}
    turn = 0
    for one in job.study.sets:
        for seed in range(job.study.seeds):
            splits = _Splits(job, one, seed)
            for variant in job.study.variants:
                found = _scored(job, splits, variant, seed, mine=turn % step == first)
                turn += 1
                runs[variant.label][seed] |= _columns(found, job.study.benchmarks)
                if seed == 0 and found:
                    details.setdefault(one.name, {})[variant.label] = found
    rows: dict[str, Row] = {label: mean_row(found, job.study.columns) for label, found in runs.items()}
    given = [variant.vectors for variant in job.study.variants] + [one.vectors for one in job.study.sets]
    names = ", ".join(sorted({name for name in given if name}))
    return Findings(job.study, job.size, rows, names, job.overrides, details=details)


def _columns(found: dict[str, dict[str, float]], columns: Sequence[str]) -> dict[str, Score | None]:
    scores = {f"taggers/{name} {measure}": value for name, row in found.items() for measure, value in row.items()}
    return {name: Score(float(scores[name])) for name in columns if name in scores}


class _Splits:
    """The sentences of a set, read when they are needed."""

    def __init__(self, job: TaggerJob, tag_set: TagSet, seed: int) -> None:
        self.job, self.set, self.seed = job, tag_set, seed

    @cached_property
    def parts(self) -> tuple[TaggedSentences, TaggedSentences, dict[str, TaggedSentences]]:
        """Train, dev, and what is scored at the end by name."""
        folder, given = self.job.folder, self.set
        limit = self.job.study.items if self.job.size == "small" else None
        if given.treebank is not None:
            found = treebank_splits(folder / given.treebank, self.seed, column=None)
            return cut_to(found.train, limit), found.dev, {given.name: found.test}
        train, dev = (read_tagged(folder / str(part)) for part in (given.train, given.dev))
        targets = {}
        for target in given.targets:
            data = read_tagged(folder / target.file)
            targets[target.name] = with_types(data, target.types) if target.types else data
        return cut_to(train, limit), dev, targets


def _scored(job: TaggerJob, splits: _Splits, variant: TaggerVariant, seed: int, *, mine: bool) -> dict[str, Any]:
    """Return the scores of a tagger by target, kept or new; nothing if another process trains it."""
    given = splits.set
    config = job.config(given, variant, seed)
    vectors = variant.vectors or given.vectors or NO_VECTORS
    size = job.study.items if job.size == "small" else None
    where = {name: value for name, value in asdict(given).items() if name != "full"}
    mark = fingerprint([configs.to_dict(config), where, vectors, size, variant.learns_dev])[:12]
    path = job.work / f"{given.name}-{variant.folder}-{seed}-{mark}.json"
    if not path.exists():
        if not mine:
            return {}
        found = _trained_and_scored(job, splits, variant, config, vectors)
        write_atomic(path, json.dumps(found, indent=2) + "\n")
        job.report(f"{given.name}, {variant.label}, seed {seed}: dev {found['dev']:.2f}, {found['seconds']:.0f} s")
    return dict(read_kept(path)["scores"])


def _trained_and_scored(
    job: TaggerJob, splits: _Splits, variant: TaggerVariant, config: TaggerConfig, vectors: str
) -> dict[str, Any]:
    train, dev, targets = splits.parts
    if variant.learns_dev:
        train = replace(train, tokens=train.tokens + dev.tokens, tags=train.tags + dev.tags)
    source = None if vectors == NO_VECTORS else job.source(vectors)
    began = perf_counter()
    trained = train_tagger(train, dev, [] if source is None else [source], config, device=str(pick_device(job.device)))
    if trained is None:
        raise KeyboardInterrupt
    seconds = perf_counter() - began
    scores = {}
    for name, data in targets.items():
        predicted = trained.tagger.tag(data.tokens)
        if data.scheme == "bio":
            known = source.source.known if source is not None else lambda word: False
            words = {token for tokens in train.tokens for token in tokens}
            scores[name] = entity_scores(data, predicted, known, words)
        else:
            scores[name] = tag_scores(data, predicted, train, spelling_of(spelling_for(train.tags)))
    return {"dev": trained.dev, "epoch": trained.epoch, "seconds": seconds, "sentences": len(train), "scores": scores}
