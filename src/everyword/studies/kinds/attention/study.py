"""Run a study about attention as explanation: classifiers are trained on texts, then their attention is changed.

Scores stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import NonNegative
from everyword.corpus.labelled.sets import Texts
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.probes.attention import measure_attention
from everyword.evaluation.probes.text_sets import TextFiles, read_text_set
from everyword.evaluation.probes.word_identity import word_information
from everyword.files import fingerprint, read_kept
from everyword.learning.word_vectors import WordVectors
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.systems.classifiers.attention import AttentionConfig
from everyword.systems.classifiers.attention_training import AttentionTraining, f1, numbers_of

MEASURES = (
    "f1",
    "uniform drop",
    "permuted drop",
    "information",
    "information sampled",
    "doubt",
    "erased first",
    "erased random",
)
"""F1; what it loses with even and with shuffled attention; nats that clusters of states tell of frequent and of sampled
words; 100 less the confidence of single words; labels that change without the word with most attention, or any word."""


MOST_WORDS = 200_000
"""Words of texts whose states are read; frequent ones among them are clustered."""


@dataclass(frozen=True)
class AttentionSet:
    """Labelled texts in the data folder; with `labels`, texts of all others are left out."""

    name: str
    train: str
    test: str
    dev: str | None = None
    labels: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    """Of the classifiers of this set."""


@dataclass(frozen=True, kw_only=True)
class AttentionVariant(Variant):
    """A row: how attention is computed, of what, and what is learnt beside the labels."""

    attention: Literal["additive", "dot"] = "additive"
    states: Literal["base", "concat", "residual"] = "base"
    objective: Literal["none", "tying", "mlm"] = "none"
    objective_weight: NonNegative = 1.0


@dataclass(frozen=True, kw_only=True)
class AttentionStudy(Study):
    """A table about attention; `seeds` counts classifiers. Columns are "attention/SET MEASURE"."""

    kind: Literal["attention"] = "attention"
    variants: tuple[AttentionVariant, ...]
    sets: tuple[AttentionSet, ...]
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of the classifiers, by size."""

    @property
    def policy(self) -> str:
        """What attention is judged by."""
        return "attention"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        known = {f"attention/{one.name} {measure}" for one in self.sets for measure in MEASURES}
        yield from (f"{name!r} is not attention/SET MEASURE" for name in self.benchmarks if name not in known)


@dataclass(frozen=True, kw_only=True)
class AttentionJob(Job):
    """A study about attention to run."""

    study: AttentionStudy
    model_name: str | None = None

    @cached_property
    def model(self) -> EvaluatedModel:
        """What gives word vectors."""
        return open_evaluated(self.model_name, None)

    def config(self, variant: AttentionVariant, seed: int, texts: AttentionSet) -> AttentionConfig:
        """Return the settings of a classifier."""
        sized = self.study.full if self.size == "full" else self.study.small
        given = configs.override({}, [*sized, *texts.overrides, *self.overrides])
        own = {name: getattr(variant, name) for name in ("attention", "states", "objective", "objective_weight")}
        own["seed"] = seed
        return configs.build(AttentionConfig, given | own, "the study")


def run_attention(job: AttentionJob) -> Findings:
    """Train every classifier on every set, and measure how much its attention matters.

    Args:
        job: The study, the model that gives word vectors, and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    runs: dict[str, list[dict[str, Score | None]]] = {
        variant.label: [dict.fromkeys(job.study.columns) for _ in range(job.study.seeds)]
        for variant in job.study.variants
    }
    for texts in job.study.sets:
        parts, words = read_parts(texts, job.folder), WordVectors(job.model.encode, job.model.dim)
        job.report(f"{texts.name}: {', '.join(f'{len(part):,}' for part in parts)} texts")
        for variant in job.study.variants:
            for seed in range(job.study.seeds):
                found = _measured(job, words, parts, texts, job.config(variant, seed, texts))
                job.report(f"{texts.name}, {variant.label}, seed {seed}: F1 {found['f1']:.1f}")
                runs[variant.label][seed] |= {
                    f"attention/{texts.name} {measure}": Score(float(found[measure])) for measure in MEASURES
                }
    rows: dict[str, Row] = {label: mean_row(found, job.study.columns) for label, found in runs.items()}
    return Findings(job.study, job.size, rows, job.model.name, job.overrides)


def read_parts(texts: AttentionSet, folder: Path) -> tuple[Texts, Texts, Texts]:
    """Return the train, dev and test texts of a set, with the labels that are asked for."""
    found = read_text_set(TextFiles(texts.name, texts.train, texts.test, texts.dev), folder)
    named = np.array(found.names)[found.labels]
    if unknown := set(texts.labels) - set(found.names):
        raise InputError(f"The set {texts.name!r} has no label {min(unknown)!r}.")
    [split] = found.splits
    parts = []
    for rows in (split.train, split.dev, split.test):
        kept = [row for row in rows.tolist() if not texts.labels or named[row] in texts.labels]
        tokens = tuple(tuple(word.lower() for word in found.tokens[row]) for row in kept)
        parts.append(Texts(texts.name, tokens, tuple(str(named[row]) for row in kept)))
    return parts[0], parts[1], parts[2]


def _measured(
    job: AttentionJob, words: WordVectors, parts: Sequence[Texts], texts: AttentionSet, config: AttentionConfig
) -> dict[str, Any]:
    mark = fingerprint([configs.to_dict(config), asdict(texts), job.model.fingerprint, len(parts[0])])[:12]
    told = [texts.name, config.attention, config.states, config.objective, str(config.seed), mark]
    path = job.work / f"{'-'.join(told)}.json"
    if not path.exists():
        found = measure(words, parts, config, job.device)
        write_atomic(path, json.dumps(found, indent=2) + "\n")
    return read_kept(path)


def measure(words: WordVectors, parts: Sequence[Texts], config: AttentionConfig, device: str) -> dict[str, float]:
    """Train a classifier and return all measures of its attention on the test texts, in percent or nats."""
    train, dev, test = parts
    classifier = AttentionTraining(words, train, dev, config, device).train()
    tokens = [text[: config.longest] for text in test.tokens]
    labels = numbers_of(test.labels, classifier.labels)
    scores = measure_attention(classifier, tokens, labels, f1, seed=config.seed)
    seen = _some([text[: config.longest] for text in (*train.tokens, *test.tokens) if text], config.seed)
    flat = [word for text in seen for word in text]
    states = np.concatenate([reading.states for reading in classifier.read(seen)])
    frequent, sampled = (
        word_information(flat, states, choice=choice, seed=config.seed).information
        for choice in ("frequent", "sampled")
    )
    shares = (1 - scores.confidence, scores.erased_first, scores.erased_random)
    values = (scores.score, scores.uniform_drop, scores.permuted_drop, frequent, sampled)
    return dict(zip(MEASURES, (*values, *(100 * share for share in shares)), strict=True))


def _some(texts: Sequence[Sequence[str]], seed: int) -> list[Sequence[str]]:
    """Return random texts that have no more words than are read."""
    order = np.random.default_rng(seed).permutation(len(texts))
    total = np.cumsum([len(texts[row]) for row in order])
    return [texts[row] for row in order[: int(np.searchsorted(total, MOST_WORDS, side="right"))]]
