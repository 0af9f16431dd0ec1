"""Run a study about linguistic profiles: which properties of sentences can be read from pooled vectors of words."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from everyword import config as configs
from everyword.arrays import FloatArray
from everyword.atomic import write_atomic
from everyword.config import Fraction
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.evaluation.probes.linguistic import (
    ALL,
    ProfileConfig,
    by_level,
    correlations,
    profile_vectors,
)
from everyword.evaluation.probes.parsed import ParsedSentence, read_treebank
from everyword.evaluation.probes.representation import (
    RandomVectors,
    Representation,
    StaticVectors,
    open_representation,
)
from everyword.evaluation.probes.sentence_features import LEVELS, FeatureTable, feature_table
from everyword.evaluation.probes.token_vectors import TokenVectors
from everyword.files import checksum_of_all, fingerprint, read_kept
from everyword.sentences.text_poolings import TEXT_POOLINGS, pool_texts
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job

COLUMNS = tuple(f"profile/{level}" for level in (*LEVELS, ALL))
Fold = dict[str, float]


@dataclass(frozen=True, kw_only=True)
class ProfileVariant(Variant):
    """A row about the vectors of a source, pooled in one way."""

    source: Literal["length", "random", "vectors", "model", "encoder"]
    pooling: str = "average"
    depth: Fraction = 1.0
    """Where the layer of an encoder is: 0 is its input, 1 the last layer."""
    hidden: Fraction = 0.0
    """The share of words, by type, whose vector is taken away."""
    given: Literal["nothing", "spelling", "random"] = "nothing"
    """What these words get instead; a model can make vectors from spelling."""

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        if self.pooling not in TEXT_POOLINGS:
            yield f"{self.label!r} has no pooling of texts {self.pooling!r}"
        if self.given == "spelling" and self.source != "model":
            yield f"{self.label!r} needs a model to make vectors from spelling"
        if self.hidden and self.source == "encoder":
            yield f"{self.label!r} cannot hide words from an encoder, which reads pieces"


@dataclass(frozen=True, kw_only=True)
class ProfileStudy(Study):
    """A table of mean rank correlations by level of features; `seeds` are the folds of a cross-validation."""

    SEEDS_ARE: ClassVar[str] = "folds of a cross-validation"
    kind: Literal["profiles"] = "profiles"
    variants: tuple[ProfileVariant, ...]
    treebanks: tuple[str, ...]
    """Files in CoNLL-U inside the data folder."""
    settings: dict[str, object] = field(default_factory=dict)
    """Of the regression."""

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "profile"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        yield from (f"{name!r} is not one of {', '.join(COLUMNS)}" for name in self.columns if name not in COLUMNS)
        if self.seeds < 2:
            yield "a profile is cross-validated: seeds, its folds, must be 2 or more"


@dataclass(frozen=True, kw_only=True)
class ProfileJob(Job):
    """A study about profiles to run."""

    study: ProfileStudy
    model_name: str | None = None
    vectors: Path | None = None
    encoder: str | None = None

    @cached_property
    def paths(self) -> list[Path]:
        """The files of the treebanks."""
        return [self.folder / file for file in self.study.treebanks]

    @cached_property
    def sentences(self) -> list[ParsedSentence]:
        """All sentences."""
        return read_treebank(self.paths)

    @cached_property
    def features(self) -> FeatureTable:
        """Their features."""
        return feature_table(self.sentences)

    @cached_property
    def settings(self) -> ProfileConfig:
        """Folds and regression."""
        given = configs.override({**self.study.settings, "folds": self.study.seeds}, self.overrides)
        return configs.build(ProfileConfig, given, "the study")

    @cached_property
    def model(self) -> StaticVectors:
        """The everyword model."""
        return StaticVectors(open_evaluated(self.model_name))

    @cached_property
    def inferred(self) -> StaticVectors:
        """The same with all vectors made from spelling."""
        return StaticVectors(open_evaluated(self.model_name, "infer"))

    @cached_property
    def table(self) -> StaticVectors:
        """The vector file."""
        return StaticVectors(open_evaluated(str(self.vectors)))

    @cached_property
    def layers(self) -> list[Representation]:
        """The encoder at all its layers."""
        return open_representation(self.encoder, layers="all", device=self.device)

    def asked(self, variant: ProfileVariant) -> Representation | None:
        """Return the vectors of a row; None for the length, or if its source was not given."""
        if variant.source == "random":
            return RandomVectors(self.table.dim if self.vectors else self.model.dim)
        if variant.source == "model":
            return self.model
        if variant.source == "vectors":
            return self.table if self.vectors else None
        if variant.source == "encoder" and self.encoder:
            return self.layers[round(variant.depth * (len(self.layers) - 1))]
        return None


def run_profiles(job: ProfileJob) -> Findings:
    """Profile the vectors of every row.

    Args:
        job: The study, the model, the vector file, the encoder and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    rows: dict[str, Row] = {}
    for variant in job.study.variants:
        folds = _folds(job, variant)
        if folds is None:
            job.report(f"{variant.label}: skipped, because --{variant.source} is missing.")
        runs: list[Row] = [
            {name: Score(fold[name.partition("/")[2]], n=len(job.sentences)) for name in job.study.columns}
            for fold in folds or ()
        ]
        rows[variant.label] = mean_row(runs, job.study.columns) if runs else dict.fromkeys(job.study.columns)
    names = [job.model.name, *(Path(one).name for one in (job.vectors, job.encoder) if one)]
    details = {
        "sentences": len(job.sentences),
        "features": dict(zip(job.features.names, job.features.levels, strict=True)),
    }
    return Findings(job.study, job.size, rows, ", ".join(names), job.overrides, details=details)


def _folds(job: ProfileJob, variant: ProfileVariant) -> list[Fold] | None:
    """Return the correlations of each fold, from the work folder if they are there."""
    asked = job.asked(variant)
    if asked is None and variant.source != "length":
        return None
    defined = {key: value for key, value in asdict(variant).items() if key not in ("label", "paper")}
    about = [defined, configs.to_dict(job.settings), checksum_of_all(job.paths), asked.fingerprint if asked else ""]
    path = job.work / f"{variant.folder}-{fingerprint(about)[:12]}.json"
    if not path.exists():
        if asked is None:
            folds = _by_length(job)
        else:
            folds = profile_vectors(_pooled(job, asked, variant), job.features, job.settings).folds()
        write_atomic(path, json.dumps({"folds": folds}, indent=2) + "\n")
        job.report(f"{variant.label}: {np.mean([fold[ALL] for fold in folds]):.1f}")
    found: list[Fold] = read_kept(path)["folds"]
    return found


def _by_length(job: ProfileJob) -> list[Fold]:
    """Return the rank correlations of features with the length of sentences, whatever their sign."""
    values = job.features.values
    lengths = np.repeat([[float(len(one.tokens))] for one in job.sentences], values.shape[1], axis=1)
    fold_of = profile_vectors(lengths[:, :1], job.features, job.settings).fold_of
    return [
        by_level(job.features, np.abs(correlations(lengths[fold_of == fold], values[fold_of == fold])))
        for fold in range(job.settings.folds)
    ]


def _pooled(job: ProfileJob, asked: Representation, variant: ProfileVariant) -> FloatArray:
    """Return a vector for each sentence, after some words lost theirs."""
    texts = [one.forms for one in job.sentences]
    found = asked.tokens(texts)
    if not variant.hidden:
        return pool_texts(variant.pooling, found.vectors[:, 0], found.starts)
    hidden = np.array([is_hidden(word, variant.hidden) for text in texts for word in text])
    vectors = found.vectors[:, 0].copy()
    vectors[hidden] = 0
    if variant.given == "spelling":
        vectors[hidden] = job.inferred.tokens(texts).vectors[hidden, 0]
    elif variant.given == "random":
        size = np.linalg.norm(found.vectors[:, 0], axis=1).mean() / np.sqrt(asked.dim)
        vectors[hidden] = size * RandomVectors(asked.dim).tokens(texts).vectors[hidden, 0]
    joined = TokenVectors.of(vectors, [len(text) for text in texts])
    return pool_texts(variant.pooling, joined.vectors[:, 0], joined.starts)


def is_hidden(word: str, share: float) -> bool:
    """Return whether a word is among the share that is taken away; capitals do not matter, punctuation stays.

    >>> [is_hidden(word, 1.0) for word in ("Cat", ",")]
    [True, False]
    """
    if not any(map(str.isalnum, word)):
        return False
    return int.from_bytes(hashlib.sha256(word.lower().encode()).digest()[:4], "big") < share * 2**32
