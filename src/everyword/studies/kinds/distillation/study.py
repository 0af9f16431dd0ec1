"""Run a study about distillation: small classifiers of texts that learn from labels, and from a fine-tuned transformer.

With a share of the labels, the teacher learns from the texts that have labels, and gives probabilities for all training
texts; a taught student learns from the labels that there are and from these. Without a language model to fine-tune, the
students that learn from labels alone are the teacher together: the mean of their probabilities. Scores stay in the work
folder, so the same job goes on where it stopped, and several processes can each run one seed or one set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean
from typing import Annotated, Any, Literal

from everyword import config as configs
from everyword.config import Count, Range
from everyword.corpus.labelled.sets import read_tagged
from everyword.corpus.labelled.transfer_set import TransferConfig, frequent_tags
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.language_models.fine_tuning import FineTuning
from everyword.studies.claims import Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.distillation.runs import CELLS, SetRun
from everyword.systems.classifiers.classifier import ClassifierConfig

Percent = Annotated[int, Range(1, 100)]


@dataclass(frozen=True)
class DistillationSet:
    """Labelled texts in the data folder, and settings of students and teacher for them."""

    name: str
    train: str
    test: str
    overrides: tuple[str, ...] = ()
    teacher_epochs: Count = 10


@dataclass(frozen=True, kw_only=True)
class DistillationVariant(Variant):
    """A row: a student, or the teacher itself."""

    student: Literal["tfidf", "cnn", "lstm", "teacher"]
    taught: bool = False
    """Whether it also learns from the teacher."""
    transfer: bool = False
    """Whether it also learns from changed copies of the texts."""
    full_only: bool = False
    """Whether it is trained in the full size only."""
    shares: tuple[Percent, ...] = (100,)
    """Shares of the labels for which it is trained."""


@dataclass(frozen=True, kw_only=True)
class DistillationStudy(Study):
    """A table about distillation. Columns are "distillation/SET SHARE%" and, for taught rows, "… gain"."""

    kind: Literal["distillation"] = "distillation"
    variants: tuple[DistillationVariant, ...]
    sets: tuple[DistillationSet, ...]
    students: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Overrides by student."""
    teacher: FineTuning = field(default_factory=FineTuning)
    transfer: TransferConfig = field(default_factory=TransferConfig)
    tags: str = "tagging/ud_ewt/train.conll.gz"
    """Words with their parts of speech, in the data folder."""
    least_steps: Count = 400
    """With few labels there are more epochs, so that there are this many steps at least."""
    most: Count | None = None
    """How many texts of a file the small size reads; by default all."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of all students, by size."""

    @property
    def policy(self) -> str:
        """What students are judged by."""
        return "distillation"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        shares = {share for variant in self.variants for share in variant.shares}
        known = {f"{column(one.name, share)}{more}" for one in self.sets for share in shares for more in ("", " gain")}
        yield from (f"{name!r} is not distillation/SET SHARE%" for name in self.benchmarks if name not in known)


def column(name: str, share: int) -> str:
    """Return the name of a column."""
    return f"distillation/{name} {share}%"


@dataclass(frozen=True, kw_only=True)
class DistillationJob(Job):
    """A study about distillation to run."""

    study: DistillationStudy
    encoder: str | None = None
    """The language model that becomes the teacher; without it, the students are the teacher together."""
    model_name: str | None = None
    only_set: str | None = None
    """The one set to run; the table is made when all are done."""

    @property
    def most(self) -> int | None:
        """How many texts of a file are read."""
        return self.study.most if self.size == "small" else None

    @property
    def variants(self) -> tuple[DistillationVariant, ...]:
        """The rows of this size."""
        return tuple(one for one in self.study.variants if self.size == "full" or not one.full_only)

    @cached_property
    def model(self) -> EvaluatedModel:
        """What gives word vectors."""
        return open_evaluated(self.model_name, None)

    @cached_property
    def tags(self) -> dict[str, str]:
        """The part of speech of each word."""
        found = read_tagged(self.folder / self.study.tags, column=1, scheme="plain")
        return frequent_tags(found.tokens, found.tags)

    def config(self, variant: DistillationVariant, of: DistillationSet, seed: int, texts: int) -> ClassifierConfig:
        """Return the settings of a student that learns from so many texts."""
        size = self.study.full if self.size == "full" else self.study.small
        overrides = [*of.overrides, *self.study.students.get(variant.student, ()), *size, *self.overrides]
        given = configs.override({"network": variant.student, "seed": seed}, overrides)
        config = configs.build(ClassifierConfig, given, "the study")
        batch = max(8, min(config.batch, texts // 10))
        if variant.transfer:
            return replace(config, epochs=-(-config.epochs // 2))
        steps = -(-texts // batch)
        return replace(config, batch=batch, epochs=max(config.epochs, -(-self.study.least_steps // steps)))


def run_distillation(job: DistillationJob) -> Findings:
    """Train every student on every set, with and without its teacher.

    Args:
        job: The study, the model that gives word vectors, the language model that teaches, and the data folder.
    """
    (job.work / CELLS).mkdir(parents=True, exist_ok=True)
    study = job.study
    seeds = job.seeds
    sets = [texts for texts in study.sets if job.only_set in (None, texts.name)]
    found = {(texts.name, seed): SetRun(job, texts, seed).scores() for texts in sets for seed in seeds}
    runs: dict[str, list[dict[str, Score | None]]] = {variant.label: [] for variant in study.variants}
    for seed in seeds:
        for variant in study.variants:
            row: dict[str, Score | None] = dict.fromkeys(study.benchmarks)
            for texts in sets if variant in job.variants else ():
                row |= _row(study, variant, texts.name, found[texts.name, seed])
            runs[variant.label].append({name: row[name] for name in study.benchmarks})
    rows = {label: mean_row(of_seeds, study.columns) for label, of_seeds in runs.items()}
    costs = {
        variant.label: {
            name: round(fmean(scores[variant.label, 100][name] for scores in found.values()), 4)
            for name in ("parameters", "flops", "seconds")
        }
        for variant in job.variants
        if 100 in variant.shares
    }
    return Findings(study, job.size, rows, job.model.name, job.overrides, details={"costs": costs})


def _row(
    study: DistillationStudy, variant: DistillationVariant, name: str, found: dict[tuple[str, int], dict[str, Any]]
) -> dict[str, Score | None]:
    plain = next((one.label for one in study.variants if one.student == variant.student and not one.taught), None)
    row: dict[str, Score | None] = {}
    for share in variant.shares:
        own = found[variant.label, share]["test"]
        row[column(name, share)] = Score(own)
        if variant.taught and plain is not None and (plain, share) in found:
            row[f"{column(name, share)} gain"] = Score(own - found[plain, share]["test"])
    return row
