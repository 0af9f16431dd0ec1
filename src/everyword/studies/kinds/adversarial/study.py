"""Run a study about adversarial training: classifiers that learnt under the worst changes of their input vectors.

Scores stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import NonNegative, Positive
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.robustness.noise import read_noise
from everyword.files import fingerprint, read_kept
from everyword.language_models.fine_tuning import FineTuning
from everyword.learning.adversarial import AdversarialConfig
from everyword.learning.word_vectors import WordVectors
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.adversarial.classifiers import (
    AverageConfig,
    RobustClassifier,
    accuracy_of,
    exact_match,
    question_f1,
    train_by_tuning,
    train_on_vectors,
)
from everyword.studies.kinds.labelled_columns import ColumnParts, ColumnSet, read_columns

Network = Literal["vectors", "encoder"]
NETWORKS: tuple[Network, ...] = get_args(Network)
MEASURES = ("accuracy", "typos", "worst", "exact", "f1")
"""Accuracy; under misspellings; under the worst change of the input vectors; questions with all labels right, and the
mean F1 of questions, where texts are answers to questions."""


@dataclass(frozen=True, kw_only=True)
class AdversarialVariant(Variant):
    """A row: what is learnt under a change of the input."""

    label_term: bool = False
    prediction_term: bool = False
    clean: NonNegative = 0.0
    """The weight of the loss without a change."""
    radius: Positive = 1.0
    """The radius, as a share of the study's."""

    def settings(self, eps: float) -> AdversarialConfig | None:
        """Return the settings of training; None for training without changes."""
        if not (self.label_term or self.prediction_term):
            return None
        return AdversarialConfig(
            eps=self.radius * eps, label=self.label_term, prediction=self.prediction_term, clean=self.clean
        )


@dataclass(frozen=True)
class Tuned(ColumnSet):
    """A set, with what differs in the training of its classifiers."""

    vectors: tuple[str, ...] = ()
    encoder: tuple[str, ...] = ()
    """Overrides, by network."""


@dataclass(frozen=True, kw_only=True)
class AdversarialStudy(Study):
    """A table about adversarial training; columns are "adversarial/SET NETWORK MEASURE"."""

    kind: Literal["adversarial"] = "adversarial"
    variants: tuple[AdversarialVariant, ...]
    sets: tuple[Tuned, ...]
    radius: dict[str, Positive] = field(default_factory=lambda: {"vectors": 0.1, "encoder": 0.05})
    """The largest change of a coordinate in training, as a share of the size of coordinates, by network."""
    attack: dict[str, Positive] = field(default_factory=lambda: {"vectors": 0.1, "encoder": 0.05})
    """The same of the worst change under which classifiers are scored."""
    attack_steps: configs.Count = 3
    noise: str = "typo-50"
    vectors: tuple[str, ...] = ()
    encoder: tuple[str, ...] = ()
    """Overrides, by network."""

    @property
    def policy(self) -> str:
        """What classifiers are judged by."""
        return "adversarial"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        known = {f"adversarial/{one.name} {net} {what}" for one in self.sets for net in NETWORKS for what in MEASURES}
        yield from (f"{name!r} is not adversarial/SET NETWORK MEASURE" for name in self.benchmarks if name not in known)
        for name in ("radius", "attack"):
            if set(getattr(self, name)) != set(NETWORKS):
                yield f"{name} must have a number for each of {' and '.join(NETWORKS)}"


@dataclass(frozen=True, kw_only=True)
class AdversarialJob(Job):
    """A study about adversarial training to run."""

    study: AdversarialStudy
    model_name: str | None = None
    encoder: str | None = None

    @cached_property
    def model(self) -> EvaluatedModel:
        """What gives word vectors."""
        return open_evaluated(self.model_name, None)

    @property
    def networks(self) -> tuple[Network, ...]:
        """The networks that can be trained."""
        return NETWORKS if self.encoder else ("vectors",)

    def training(self, network: Network, texts: Tuned, seed: int) -> AverageConfig | FineTuning:
        """Return how a classifier is trained."""
        given = [*getattr(self.study, network), *getattr(texts, network), *self.overrides]
        values = configs.override({}, given) | {"seed": seed}
        if network == "vectors":
            return configs.build(AverageConfig, values, "the study")
        return configs.build(FineTuning, values, "the study")


def run_adversarial(job: AdversarialJob) -> Findings:
    """Train and score every classifier.

    Args:
        job: The study, the model that gives word vectors, the encoder that is fine-tuned, and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    runs: dict[str, list[dict[str, Score | None]]] = {
        variant.label: [dict.fromkeys(job.study.columns) for _ in range(job.study.seeds)]
        for variant in job.study.variants
    }
    for texts in job.study.sets:
        parts = read_columns(texts, job.folder)
        job.report(
            f"{texts.name}: {', '.join(f'{len(part):,}' for part in (parts.train, parts.dev, parts.test))} texts"
        )
        words = WordVectors(job.model.encode, job.model.dim)
        for network in job.networks:
            for seed in range(job.study.seeds):
                for variant in job.study.variants:
                    found = _scored(job, texts, parts, words, network, variant, seed)
                    job.report(f"{texts.name}, {network}, {variant.label}, seed {seed}: {found['accuracy']:.1f}")
                    columns = {f"adversarial/{texts.name} {network} {name}": found.get(name) for name in MEASURES}
                    runs[variant.label][seed] |= {
                        name: None if value is None else Score(float(value))
                        for name, value in columns.items()
                        if name in job.study.columns
                    }
    rows: dict[str, Row] = {label: mean_row(found, job.study.columns) for label, found in runs.items()}
    return Findings(job.study, job.size, rows, job.model.name, job.overrides)


def _scored(  # noqa: PLR0917 (a cell has as many sides)
    job: AdversarialJob,
    texts: Tuned,
    parts: ColumnParts,
    words: WordVectors,
    network: Network,
    variant: AdversarialVariant,
    seed: int,
) -> dict[str, Any]:
    study, config = job.study, job.training(network, texts, seed)
    settings = variant.settings(study.radius[network])
    attack = AdversarialConfig(eps=study.attack[network], steps=study.attack_steps, step=1.0)
    source = job.model.fingerprint if network == "vectors" else Path(str(job.encoder)).name
    parts_of_it = [asdict(one) if one else None for one in (settings, attack, config, replace(texts))]
    mark = fingerprint([*parts_of_it, study.noise, source])[:12]
    path = job.work / f"{texts.name}-{network}-{variant.folder}-{seed}-{mark}.json"
    if not path.exists():
        classifier: RobustClassifier
        if isinstance(config, AverageConfig):
            classifier = train_on_vectors(words, parts, config, settings, job.device)
        else:
            classifier = train_by_tuning(str(job.encoder), parts, config, settings, job.device)
        found = score(classifier, parts, attack, study.noise)
        write_atomic(path, json.dumps(found, indent=2) + "\n")
    return read_kept(path)


def score(classifier: RobustClassifier, parts: ColumnParts, attack: AdversarialConfig, noise: str) -> dict[str, float]:
    """Return the scores of a classifier on the test texts, in percent."""
    test = parts.test
    predicted = classifier.predict(test)
    noisy = test.misspelt(read_noise(noise))
    found = {
        "accuracy": accuracy_of(predicted, test.labels),
        "typos": accuracy_of(classifier.predict(noisy), test.labels),
        "worst": classifier.accuracy_at_worst(test, attack),
    }
    if len(set(test.questions.tolist())) < len(test):
        found |= {"exact": exact_match(predicted, test), "f1": question_f1(predicted, test)}
    return found
