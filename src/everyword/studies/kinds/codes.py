"""Run a study about emergent codes: games of all sizes and channels, trained side by side, and their residual entropy.

Codes and scores stay in the work folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from everyword import config as configs
from everyword.atomic import write_atomic
from everyword.config import Count
from everyword.errors import InputError
from everyword.evaluation.probes.residual_entropy import residual_entropy
from everyword.files import fingerprint, read_kept
from everyword.learning.loop import RunContext
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import Study, Variant
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.systems.codes.config import CodesConfig
from everyword.systems.codes.strings import sample_of
from everyword.systems.codes.train import CodesRun, train_codes
from everyword.systems.codes.trained import TrainedCode

COLUMNS = ("codes/train accuracy", "codes/test accuracy", "codes/precision", "codes/recall", "codes/compositionality")
ENTROPY_STRINGS = 8_000
"""Strings of which the residual entropy is counted."""


@dataclass(frozen=True, kw_only=True)
class CodeVariant(Variant):
    """A row: how many bits a message has, and how many units the networks."""

    bits: Count
    hidden: Count


@dataclass(frozen=True, kw_only=True)
class CodeStudy(Study):
    """A table about emergent codes; `seeds` counts games. Compositionality is 100 × (1 - residual entropy)."""

    kind: Literal["codes"] = "codes"
    variants: tuple[CodeVariant, ...]
    small: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    """Overrides of all games, by size."""

    @property
    def policy(self) -> str:
        """What codes are judged by."""
        return "codes"

    def problems(self) -> Iterator[str]:
        yield from super().problems()
        for column in self.benchmarks:
            if column not in COLUMNS:
                yield f"{column!r} is not one of {', '.join(COLUMNS)}"


@dataclass(frozen=True, kw_only=True)
class CodeJob(Job):
    """A study about codes to run."""

    study: CodeStudy
    units: tuple[int, ...] = ()
    """Sizes of networks to train; others are scored if they are in the work folder. None for all."""

    def game(self, variant: CodeVariant, seed: int) -> CodesConfig:
        """Return the settings of a game."""
        overrides = [*(self.study.full if self.size == "full" else self.study.small), *self.overrides]
        given = configs.override({}, overrides) | {"bits": variant.bits, "hidden": variant.hidden, "seed": seed}
        return configs.build(CodesConfig, given, "the study")

    def file(self, game: CodesConfig, suffix: str = ".safetensors") -> Path:
        """Return where a game's code or scores are saved."""
        mark = fingerprint(configs.to_dict(game))[:12]
        return self.work / f"{game.bits}-bits-{game.hidden}-units-{game.seed}-{mark}{suffix}"


def run_codes(job: CodeJob) -> Findings:
    """Train the games that are missing, those with networks of one size together, and score all.

    Args:
        job: The study, its size and the work folder.
    """
    job.work.mkdir(parents=True, exist_ok=True)
    for hidden in _sizes(job):
        games = [
            job.game(variant, seed)
            for variant in job.study.variants
            if variant.hidden == hidden
            for seed in range(job.study.seeds)
        ]
        _train(job, [game for game in games if not job.file(game).exists()])
    found: dict[str, list[dict[str, Any]]] = {}
    for variant in job.study.variants:
        games = [job.game(variant, seed) for seed in range(job.study.seeds)]
        if all(job.file(game).exists() for game in games):
            found[variant.label] = [_scored(job, game) for game in games]
            entropies = [run["entropy"]["value"] for run in found[variant.label]]
            job.report(f"{variant.label}: residual entropy {np.mean(entropies):.3f}")
    rows: dict[str, Row] = {variant.label: dict.fromkeys(job.study.columns) for variant in job.study.variants}
    for label, runs in found.items():
        scores = [{name: Score(run[name]) for name in job.study.benchmarks} for run in runs]
        rows[label] = mean_row(scores, job.study.columns)
    game = job.game(job.study.variants[0], 0)
    strings = f"{game.strings:,} strings of {game.concepts} concepts, {game.steps:,} steps"
    return Findings(job.study, job.size, rows, strings, job.overrides, details=_details(job.study, found))


def _sizes(job: CodeJob) -> list[int]:
    known = {variant.hidden for variant in job.study.variants}
    if unknown := sorted(set(job.units) - known):
        raise InputError(f"The study has no networks of {unknown[0]} units; choose from {sorted(known)}.")
    return sorted(set(job.units) or known)


def _train(job: CodeJob, games: Sequence[CodesConfig]) -> None:
    if not games:
        return
    job.report(f"training {len(games)} games with {games[0].hidden} units side by side")
    folder = job.work / f"run-{games[0].hidden}-{fingerprint([configs.to_dict(game) for game in games])[:12]}"
    trained = train_codes(CodesRun(games, job.device, RunContext(folder, resume=True)))
    if trained is None:
        raise KeyboardInterrupt
    for code in trained:
        code.save(job.file(code.config))


def _scored(job: CodeJob, game: CodesConfig) -> dict[str, Any]:
    path = job.file(game, ".json")
    if not path.exists():
        write_atomic(path, json.dumps(score_code(TrainedCode.load(job.file(game))), indent=2) + "\n")
    return read_kept(path)


def score_code(code: TrainedCode) -> dict[str, Any]:
    """Return the scores of a code by column, in percent, and what lies behind them."""
    scores, strings = code.score(), sample_of(code.config, ENTROPY_STRINGS)
    found = residual_entropy(strings, code.encode(strings), restarts=1)
    recall = np.log2(code.config.strings) / max(scores.bits_per_string, np.log2(code.config.strings))
    values = (scores.train_accuracy, scores.test_accuracy, scores.precision, recall, 1 - found.value)
    return {
        **{name: 100 * float(value) for name, value in zip(COLUMNS, values, strict=True)},
        "entropy": asdict(found),
        "parameters": code.parameters,
        "bits per string": scores.bits_per_string,
        "distinct messages": scores.distinct,
    }


def _details(study: CodeStudy, found: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Return every game with its channel, its size and its residual entropy, and the partition that was found."""
    return {
        variant.label: {
            "bits": variant.bits,
            "units": variant.hidden,
            "parameters": found[variant.label][0]["parameters"],
            "residual entropy": [round(run["entropy"]["value"], 4) for run in found[variant.label]],
            "test accuracy": [round(run["codes/test accuracy"], 2) for run in found[variant.label]],
            "partition": found[variant.label][0]["entropy"]["partition"],
        }
        for variant in study.variants
        if variant.label in found
    }
