"""Run a study about attacks: names by other names, words by misspellings, and vectors by noise, under several policies.

Reports stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import Count
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.robustness.attack import AttackReport, attack
from everyword.evaluation.robustness.attacked_sets import ATTACKED_SETS, AttackedSet, read_attacked_set
from everyword.evaluation.robustness.name_attack import NameAttackConfig, NamePools, attack_names, bands_of
from everyword.evaluation.robustness.names import BANDS, NAME_KINDS, Names
from everyword.evaluation.robustness.noise_curves import noise_curves, typo_radius
from everyword.evaluation.robustness.typos import TypoReplacer
from everyword.evaluation.robustness.vector_classifier import TextRows, VectorClassifier
from everyword.files import fingerprint, read_kept
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job

NAMES, TYPOS = "names", "typos"
REPAIRED = "repaired "
Measure = Literal[
    "original", "worst", "best", "random", "stable", "unchanged", "repaired original", "repaired worst", "repaired best"
]


@dataclass(frozen=True, kw_only=True)
class NameVariant(Variant):
    """A row: what unknown words get, and what is measured."""

    policy: str = "encode"
    measure: Measure


@dataclass(frozen=True, kw_only=True)
class NameStudy(Study):
    """A table about attacks; its columns are "names/SET KIND BAND" and "typos/SET WORDS".

    Each seed draws other texts and other names or misspellings.
    """

    kind: Literal["names"] = "names"
    variants: tuple[NameVariant, ...]
    typo_items: Count = 200
    """How many texts are misspelt."""
    curves: tuple[str, ...] = ()
    """Sets for which there are curves of misspellings and of noise in vectors."""
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of the attack, by size."""

    @property
    def policy(self) -> str:
        """What vectors are judged by."""
        return "attacks"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for column in self.benchmarks:
            kind, name, rest = parts_of(column)
            right = name in ATTACKED_SETS and (
                (kind == NAMES and len(rest) == 2 and rest[0] in NAME_KINDS and rest[1] in BANDS)
                or (kind == TYPOS and len(rest) == 1 and rest[0].isdigit())
            )
            if not right:
                yield f"{column!r} is not names/SET KIND BAND or typos/SET WORDS"
        yield from (f"there are no curves of {name!r}" for name in self.curves if name not in ATTACKED_SETS)


def parts_of(column: str) -> tuple[str, str, list[str]]:
    """Return the kind, the set and the rest of a column.

    >>> parts_of("names/agnews people rare")
    ('names', 'agnews', ['people', 'rare'])
    """
    kind, _, rest = column.partition("/")
    name, *others = rest.split()
    return kind, name, others


@dataclass(frozen=True, kw_only=True)
class NameJob(Job):
    """A study about attacks to run."""

    study: NameStudy
    model_name: str | None = None
    opened: dict[str, EvaluatedModel] = field(default_factory=dict)
    """Models by policy."""
    sorted_names: dict[str, NamePools] = field(default_factory=dict)
    """By set and kind."""

    def model(self, policy: str) -> EvaluatedModel:
        """Return the model under a policy, opened once."""
        if policy not in self.opened:
            self.opened[policy] = open_evaluated(self.model_name, policy)
        return self.opened[policy]

    def name_pools(self, data: AttackedSet, kind: str, known: int) -> NamePools:
        """Return the names of a kind for a set, sorted once: all policies know the same words."""
        key = f"{data.files.name} {kind} {known}"
        if key not in self.sorted_names:
            model = next(iter(self.opened.values()))
            names = Names.load(kind, self.folder)  # type: ignore[arg-type]
            self.sorted_names[key] = NamePools.of(names, data, bands_of(model, known))
        return self.sorted_names[key]

    def config(self, seed: int) -> NameAttackConfig:
        """Return how much is attacked."""
        overrides = [*(self.study.full if self.size == "full" else self.study.small), *self.overrides]
        return configs.build(NameAttackConfig, configs.override({"seed": seed}, overrides), "the study")


def run_names(job: NameJob) -> Findings:
    """Attack every set under every policy.

    Args:
        job: The study, the model and the data folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    policies = list(dict.fromkeys(variant.policy for variant in job.study.variants))
    sets = list(dict.fromkeys(parts_of(column)[1] for column in job.study.benchmarks))
    found: dict[tuple[str, int], dict[str, Any]] = {}
    curves: dict[str, Any] = {}
    for name in sets:
        data, rows = read_attacked_set(name, job.folder), TextRows()
        for policy in policies:
            kept = _kept(job, name, data, rows, policy)
            for seed in range(job.study.seeds):
                found.setdefault((policy, seed), {}).update(kept["columns"][str(seed)])
            if kept["curves"]:
                curves.setdefault(name, {})[policy] = kept["curves"]
    table: dict[str, Row] = {}
    for variant in job.study.variants:
        runs = [_row(job, variant, found[variant.policy, seed]) for seed in range(job.study.seeds)]
        table[variant.label] = mean_row(runs, job.study.columns)
    reports = {policy: found[policy, 0] for policy in policies}
    details = {"curves": curves, "reports": reports}
    return Findings(job.study, job.size, table, job.model(policies[0]).name, job.overrides, details=details)


def _row(job: NameJob, variant: NameVariant, columns: dict[str, Any]) -> dict[str, Score | None]:
    return {
        name: Score(columns[name][variant.measure])
        if name in columns and columns[name].get(variant.measure) is not None
        else None
        for name in job.study.benchmarks
    }


def _kept(job: NameJob, name: str, data: AttackedSet, rows: TextRows, policy: str) -> dict[str, Any]:
    """Return the columns of a set by seed, and its curves; computed if the work folder lacks them."""
    columns = [column for column in job.study.benchmarks if parts_of(column)[1] == name]
    settings = [columns, [configs.to_dict(job.config(seed)) for seed in range(job.study.seeds)], job.study.typo_items]
    mark = fingerprint([settings, job.model(policy).fingerprint, name in job.study.curves])[:12]
    path = job.work / f"{name}-{policy}-{mark}.json"
    if not path.exists():
        classifier = VectorClassifier(job.model(policy), rows).fit(data.train, data.dev)
        by_seed = {str(seed): _columns(job, data, classifier, columns, seed) for seed in range(job.study.seeds)}
        drawn = _curves(job, data, classifier) if name in job.study.curves else {}
        job.report(f"{name}, {policy}: done")
        write_atomic(path, json.dumps({"columns": by_seed, "curves": drawn}, indent=1) + "\n")
    return read_kept(path)


def _columns(
    job: NameJob, data: AttackedSet, classifier: VectorClassifier, columns: list[str], seed: int
) -> dict[str, Any]:
    config, found = job.config(seed), dict[str, Any]()
    kinds = dict.fromkeys(rest[0] for kind, _, rest in map(parts_of, columns) if kind == NAMES)
    for kind in kinds:
        pools = job.name_pools(data, kind, config.known)
        for band, reports in attack_names(classifier, data, pools, config).items():
            scores = _scores(reports.plain) | {
                REPAIRED + key: value for key, value in _scores(reports.repaired).items()
            }
            found[f"{NAMES}/{data.files.name} {kind} {band}"] = scores | {"n": reports.plain.n, "pool": reports.pool}
    rng = np.random.default_rng(seed)
    items = [data.test[row] for row in rng.permutation(len(data.test))[: job.study.typo_items]]
    for column in columns:
        if column.startswith(TYPOS):
            replacer = TypoReplacer(words=int(parts_of(column)[2][0]))
            report = attack(classifier, items, replacer, budget=config.budget, metric=data.files.metric, seed=seed)
            found[column] = _scores(report) | {"n": report.n}
    return found


def _scores(report: AttackReport) -> dict[str, float]:
    names = {"random": "random_mean", "spread": "random_sd"}
    measures = [one for one in get_args(Measure) if not one.startswith(REPAIRED)]
    return {one: round(getattr(report, names.get(one, one)), 3) for one in (*measures, "spread")}


def _curves(job: NameJob, data: AttackedSet, classifier: VectorClassifier) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    items = [data.test[row] for row in rng.permutation(len(data.test))[: 2 * job.study.typo_items]]
    found = noise_curves(classifier, items)
    return {"n": len(items), "typo radius": typo_radius(classifier, items), **found}
