"""Run a study about inference with semantic roles: plain pairs against three ways to draw a second task.

Scores stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any, Literal

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import Count
from everyword.corpus.labelled.pairs import Pairs, joined, read_pairs
from everyword.corpus.labelled.roles import Roles, read_roles
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.tasks.word_order import MEAN, ChallengeSet, score_cases, score_labels
from everyword.files import fingerprint, read_kept
from everyword.language_models.language_model import load_pretrained
from everyword.learning.word_vectors import WordVectors
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.systems.inference.config import InferenceConfig
from everyword.systems.inference.encoders import Encoder, Kept, PieceEncoder, WordEncoder
from everyword.systems.inference.train import InferenceModel, train_inference

WORDS, ENCODER = "words", "encoder"
HEURISTICS, COMPARED = ("overlap", "subsequence", "constituent"), ("same", "more-less", "not")
MEASURES = (
    *("snli", "mnli", "hans", "hans entailed", *(f"hans {name}" for name in HEURISTICS)),
    *("comparisons", *(f"comparisons {name}" for name in COMPARED), "roles"),
)
"""Accuracies: in two sets of the usual kind; on HANS, also of pairs that follow, and by heuristic of pairs that do not;
of comparisons, also by kind; and F1 of semantic roles."""


@dataclass(frozen=True, kw_only=True)
class InferenceVariant(Variant):
    """A row: how often roles come between the pairs, and what reads word vectors."""

    roles: Literal["none", "proportional", "uniform", "annealed"]
    reader: Literal["lstm", "average"] = "lstm"


@dataclass(frozen=True, kw_only=True)
class InferenceStudy(Study):
    """A table about inference; `seeds` counts networks. Columns are "inference/SOURCE MEASURE", of words or encoder."""

    kind: Literal["inference"] = "inference"
    variants: tuple[InferenceVariant, ...]
    pairs: tuple[str, ...]
    """Files of pairs to learn from, in the data folder."""
    held_out: Count
    """How many of them choose the epoch instead."""
    tests: dict[str, str]
    """The files of snli and mnli, which are scored."""
    challenges: dict[str, str]
    """The files of hans and comparisons."""
    roles: dict[str, str]
    """The files of roles, train and test."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of networks over word vectors, by size."""
    encoder: tuple[str, ...] = field(default=())
    """Overrides of transformers."""

    @property
    def policy(self) -> str:
        """What networks are judged by."""
        return "inference"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        known = {f"inference/{source} {measure}" for source in (WORDS, ENCODER) for measure in MEASURES}
        yield from (f"{name!r} is not inference/SOURCE MEASURE" for name in self.benchmarks if name not in known)


@dataclass(frozen=True, kw_only=True)
class InferenceJob(Job):
    """A study about inference to run."""

    study: InferenceStudy
    model_name: str | None = None
    encoder: str | None = None
    only: str | None = None
    """Only the columns of words, or of the encoder."""
    limit: int | None = None
    """Use only this many items of each set."""

    @cached_property
    def model(self) -> EvaluatedModel:
        """What gives word vectors."""
        return open_evaluated(self.model_name, None)

    @cached_property
    def words(self) -> WordVectors:
        """Word vectors, each made once."""
        return WordVectors(self.model.encode, self.model.dim)

    @cached_property
    def kept(self) -> dict[str, Kept]:
        """Texts as the networks read them, by source."""
        return {WORDS: {}, ENCODER: {}}

    @cached_property
    def parts(self) -> tuple[Pairs, Pairs]:
        """Pairs to learn from and pairs that choose the epoch."""
        found = joined([self._some(read_pairs(self.path(name))) for name in self.study.pairs])
        return found.split(min(self.study.held_out, len(found) // 5))

    @cached_property
    def tests(self) -> dict[str, Pairs]:
        """Sets that are scored."""
        return {name: self._some(read_pairs(self.path(file))) for name, file in self.study.tests.items()}

    @cached_property
    def challenges(self) -> dict[str, ChallengeSet]:
        """Sets in which words tell nothing."""
        found = {name: ChallengeSet.load(self.path(file)) for name, file in self.study.challenges.items()}
        return found if self.limit is None else {name: one.thinned(self.limit) for name, one in found.items()}

    @cached_property
    def roles(self) -> dict[str, list[Roles]]:
        """Predicates with their roles, of train and test."""
        return {name: read_roles(self.path(file))[: self.limit] for name, file in self.study.roles.items()}

    def _some(self, pairs: Pairs) -> Pairs:
        return pairs if self.limit is None else pairs.chosen(range(min(self.limit, len(pairs))))

    def config(self, source: str, variant: InferenceVariant, seed: int) -> InferenceConfig:
        """Return the settings of a network."""
        study = self.study
        sized = study.encoder if source == ENCODER else study.full if self.size == "full" else study.small
        own = {"roles": variant.roles, "reader": variant.reader, "seed": seed}
        return configs.build(InferenceConfig, configs.override({}, [*sized, *self.overrides]) | own, "the study")

    def make_encoder(self, source: str, config: InferenceConfig) -> Encoder:
        """Return a fresh encoder."""
        if source == WORDS:
            return WordEncoder(self.words, config, self.kept[WORDS])
        network, tokenizer, _ = self.loaded
        return PieceEncoder(deepcopy(network), tokenizer, config, self.kept[ENCODER])

    @cached_property
    def loaded(self) -> Any:
        """The transformer as it is before training, and its tokenizer."""
        network, *others = load_pretrained(str(self.encoder), lambda transformers, _: transformers.AutoModel)
        return network.float(), *others

    def origin(self, source: str) -> Any:
        """Return what tells one source from another."""
        return self.model.fingerprint if source == WORDS else Path(str(self.encoder)).name


def run_inference(job: InferenceJob) -> Findings:
    """Train every network and score it on pairs, challenge sets and roles.

    Args:
        job: The study, the model that gives word vectors, the transformer and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    sources = [source for source in (WORDS, ENCODER) if job.only in (None, source)]
    if ENCODER in sources and job.encoder is None:
        job.report("The columns of the encoder are skipped, because --encoder is missing.")
        sources.remove(ENCODER)
    rows: dict[str, Row] = {}
    cases: dict[str, dict[str, float]] = {}
    runs: dict[str, list[dict[str, Score | None]]] = {
        variant.label: [dict.fromkeys(job.study.benchmarks) for _ in range(job.study.seeds)]
        for variant in job.study.variants
    }
    for source in sources:
        for variant in job.study.variants:
            if source == ENCODER and variant.reader != "lstm":
                continue
            found = [_measured(job, source, variant, seed) for seed in range(job.study.seeds)]
            for run, one in zip(runs[variant.label], found, strict=True):
                columns = {f"inference/{source} {name}": value for name, value in one["measures"].items()}
                run |= {name: Score(value) for name, value in columns.items() if name in run}
            cases[f"{variant.label}, {source}"] = {
                case: round(fmean(one["cases"][case] for one in found), 2) for case in found[0]["cases"]
            }
    rows = {label: mean_row(found, job.study.columns) for label, found in runs.items()}
    read_by = ", ".join(job.model.name if source == WORDS else Path(str(job.encoder)).name for source in sources)
    return Findings(job.study, job.size, rows, read_by, job.overrides, details={"cases": cases})


def _measured(job: InferenceJob, source: str, variant: InferenceVariant, seed: int) -> dict[str, Any]:
    config = job.config(source, variant, seed)
    mark = fingerprint([configs.to_dict(config), job.origin(source), job.study.pairs, job.limit])[:12]
    path = job.work / f"{source}-{variant.folder}-{seed}-{mark}.json"
    if not path.exists():
        train, dev = job.parts
        model = train_inference(
            lambda: job.make_encoder(source, config), train, dev, job.roles["train"], config, device=job.device
        )
        found = measure(job, model, with_roles=variant.roles != "none")
        write_atomic(path, json.dumps({"config": asdict(config), **found}, indent=2) + "\n")
        job.report(f"{source}, {variant.label}, seed {seed}: {_line(found['measures'])}")
    return read_kept(path)


def measure(job: InferenceJob, model: InferenceModel, *, with_roles: bool) -> dict[str, dict[str, float]]:
    """Return all scores of a trained network, in percent, and those of HANS by construction."""
    found = {name: model.accuracy(pairs) for name, pairs in job.tests.items()}
    predicted = {name: model.predict(one.premises, one.hypotheses) for name, one in job.challenges.items()}
    scores = {name: score_labels(predicted[name], one) for name, one in job.challenges.items()}
    hans, compared = scores["hans"], scores["comparisons"]
    found |= {"hans": hans[MEAN], "hans entailed": fmean(hans[f"{name} entailment"] for name in HEURISTICS)}
    found |= {f"hans {name}": hans[f"{name} non-entailment"] for name in HEURISTICS}
    found["comparisons"] = compared[MEAN]
    for name in COMPARED:
        found[f"comparisons {name}"] = fmean(score for key, score in compared.items() if key.startswith(f"{name} "))
    if with_roles:
        found["roles"] = model.role_f1(job.roles["test"])
    return {"measures": found, "cases": score_cases(predicted["hans"], job.challenges["hans"])}


def _line(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {found[name]:.1f}" for name in ("mnli", "hans", "comparisons"))
