"""Run a study about models: train every variant on a teacher, score it, and compare the scores with the paper's.

The scores and the model of every seed stay in the work folder, so the same job goes on where it stopped; what is scored
needs its model no more.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from everyword import config
from everyword.atomic import partial_path
from everyword.errors import ConfigError, EverywordError, InputError
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.catalogue import data_folder
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput
from everyword.files import checksum
from everyword.learning.device import pick_device
from everyword.models.saved.config_schema import read_description
from everyword.models.saved.layout import CONFIG
from everyword.studies.benchmarks import find_benchmarks, is_network, score_row
from everyword.studies.claims import Row, mean_row
from everyword.studies.config import ModelStudy, ModelVariant, NetworksConfig
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.kinds.models.cells import Cell, curve_of, read_cell, write_cell
from everyword.studies.neighbour_lists import nearest_words
from everyword.studies.networks import Networks, characters_of, network_row
from everyword.systems.spelling import train as spelling
from everyword.systems.spelling.config import RecipeConfig, without_folders
from everyword.systems.spelling.recipe import load_recipe

NETWORKS = "networks."
"""The prefix of overrides for the networks; all others are for the recipe."""
SHARED = "shared"
"""The folder for what trainings of the same words share."""

Benchmarks = Mapping[str, Benchmark | MissingData]


@dataclass(frozen=True)
class Training:
    """One model to train."""

    recipe: RecipeConfig
    folder: Path
    command: str
    """The command that trains it alone."""
    continues: Path | None = None
    """The folder of a finished training that this one carries on."""


@dataclass(frozen=True, kw_only=True)
class ModelJob(Job):
    """A study about models to run on a teacher."""

    study: ModelStudy
    teacher: Path

    @cached_property
    def teacher_sha256(self) -> str:
        """The checksum of the teacher."""
        return checksum(self.teacher)

    @property
    def size_overrides(self) -> tuple[str, ...]:
        """The overrides of the study at this size."""
        return self.study.small if self.size == "small" else self.study.full

    @property
    def recipe_overrides(self) -> tuple[str, ...]:
        """The given overrides that are for the recipe."""
        return tuple(given for given in self.overrides if not given.startswith(NETWORKS))

    def overrides_of(self, variant: ModelVariant) -> list[str]:
        """Return all overrides of a variant, its own ones last: an untrained variant stays untrained."""
        own = variant.small if self.size == "small" else variant.full
        # A training that is carried on keeps its name, and so its fingerprint.
        name = f"name={self.study.name}-{self.study.first_of(variant).folder}"
        return [name, *self.size_overrides, *self.recipe_overrides, *own, *variant.overrides]

    def seeds_of(self, variant: ModelVariant) -> Sequence[int]:
        """Return the seeds to run of a variant: vectors that are given have one, unless networks learn on them."""
        if not self.makes(variant.label):
            return ()
        chance = variant.is_trained or self.study.trains_networks
        return self.seeds if chance else [seed for seed in self.seeds if seed == 0]

    def training_of(self, variant: ModelVariant, seed: int) -> Training | None:
        """Return the model to train for a seed of a variant; None if nothing is trained."""
        if not variant.is_trained:
            return None
        name, folder = variant.recipe or self.study.recipe, self.work / variant.folder / f"seed-{seed}"
        overrides = [*self.overrides_of(variant), f"training.seed={seed}"]
        command = ["everyword", "train", name, "--teacher", self.teacher.name, "--output", variant.folder]
        earlier = [
            self.work / one.folder / folder.name for one in self.study.variants if one.label == variant.continues
        ]
        return Training(
            load_recipe(name, overrides), folder, shlex.join([*command, *overrides]), next(iter(earlier), None)
        )

    def networks(self) -> NetworksConfig | None:
        """Return how networks are trained at this size, with the overrides for them; None if none are trained."""
        given = [override.removeprefix(NETWORKS) for override in self.overrides if override.startswith(NETWORKS)]
        if not self.study.trains_networks:
            if given:
                raise ConfigError(f"The study {self.study.name} trains no networks; remove {NETWORKS}{given[0]}.")
            return None
        sizes = self.study.networks
        values = config.to_dict(sizes.small if self.size == "small" else sizes.full)
        return config.build(NetworksConfig, config.override(values, given), "the networks")


def run_models(job: ModelJob) -> Findings:
    """Train and score all variants of a study.

    Ctrl-C leaves what is finished, and a run that the same job resumes.

    Args:
        job: The study, the teacher, the folders and the size.

    Raises:
        ConfigError: If a variant cannot be trained; all problems are named before anything runs.
        InputError: If all data sets are missing, or the work folder holds something else.
    """
    study = job.study
    data_folder(job.data)
    job.check_share()
    check_trainings(job)
    networks = job.networks()
    benchmarks = find_benchmarks(study.benchmarks, job.data, job.report, required=True)
    cells = {
        variant.label: [score_seed(job, variant, seed, benchmarks) for seed in job.seeds_of(variant)]
        for variant in study.variants
    }
    rows = {
        label: mean_row(
            [{name: cell.scores.get(name) for name in benchmarks} for cell in own or [Cell("", {})]], study.columns
        )
        for label, own in cells.items()
    }
    teacher = f"{job.teacher.name} {job.teacher_sha256}"
    fingerprints = {label: [cell.model for cell in own] for label, own in cells.items()}
    kept = {
        "curves": {label: own[0].curve for label, own in cells.items() if own and own[0].curve},
        "nearest words": {label: own[0].nearest for label, own in cells.items() if own and own[0].nearest},
    }
    details = {name: found for name, found in kept.items() if found} or None
    words = max((cell.words for own in cells.values() for cell in own), default=0)
    found = Findings(study, job.size, rows, teacher, job.overrides, fingerprints, networks, details)
    return replace(found, sizes={"words learnt from": words}) if words else found


def check_trainings(job: ModelJob) -> None:
    """Raise ConfigError if a variant cannot be trained; all problems are named."""
    problems = []
    for variant in job.study.variants:
        try:
            job.training_of(variant, 0)
        except EverywordError as error:
            problems.append(f"{variant.label}: {error}")
    if problems:
        raise ConfigError(f"The study {job.study.name} cannot be run. " + " ".join(problems))


def score_seed(job: ModelJob, variant: ModelVariant, seed: int, benchmarks: Benchmarks) -> Cell:
    """Return the scores of a seed of a variant; what an earlier run has saved is not made again."""
    path, expected = job.work / variant.folder / f"seed-{seed}.json", _described(job, variant, seed)
    before = read_cell(path, expected) or Cell("", {})
    missing = {
        name: one for name, one in benchmarks.items() if isinstance(one, Benchmark) and name not in before.scores
    }
    if not missing:
        job.report(f"{variant.label}, seed {seed}: scored before")
        return before
    training = job.training_of(variant, seed)
    model = _model_of(job, variant, training)
    plain = {name: one for name, one in missing.items() if not is_network(name)}
    scores = {**before.scores, **score_row(model, plain, job.results, job.report)}
    given = _network_input(job, variant, training, model)
    scores |= _network_scores(job, variant, given, seed, {name: missing[name] for name in missing if name not in plain})
    cell = Cell(model.fingerprint or "", scores, nearest=nearest_words(model, job.study.neighbours))
    if training is not None:
        words = read_description(training.folder / "model")["training"]["words"]
        cell = replace(cell, curve=curve_of(training.folder / "run"), words=words)
    return write_cell(path, expected, cell)


def _described(job: ModelJob, variant: ModelVariant, seed: int) -> list[Any]:
    """Return all that decides the scores of a seed."""
    training, networks = job.training_of(variant, seed), job.networks()
    recipe = config.to_dict(without_folders(training.recipe)) if training else None
    if recipe:
        for key in ("workers", "captured"):
            recipe["training"].pop(key)
    source = variant.model or job.teacher_sha256
    reading = [variant.policy or ("" if variant.teacher else job.study.policy), variant.input]
    return [recipe, source, reading, config.to_dict(networks) if networks else None]


def _model_of(job: ModelJob, variant: ModelVariant, training: Training | None) -> EvaluatedModel:
    """Return the vectors behind a row: the teacher's, those of a saved model or those of a model trained now."""
    policy = variant.policy or ("zero" if variant.teacher else job.study.policy)
    if training is not None:
        return open_evaluated(str(_train(job, variant, training)), policy)
    if variant.model:
        return open_evaluated(variant.model, policy)
    # As many candidates as the models have known words, so that all look for answers among the same.
    stored = load_recipe(job.study.recipe, [*job.size_overrides, *job.recipe_overrides]).store.words
    return open_evaluated(str(job.teacher), policy, candidates=stored or None)


def _train(job: ModelJob, variant: ModelVariant, training: Training) -> Path:
    """Return the folder of a trained model; a finished one is not trained again, a stopped one is resumed."""
    if training.continues is not None:
        carry_on(training.continues / "run", training.folder / "run")
    folder, run = training.folder / "model", _run_of(job, training)
    other = "another configuration or teacher; choose another --work, or delete it."
    if (folder / CONFIG).exists():
        record = read_description(folder)["training"]
        same = record.get("recipe") == config.to_dict(without_folders(training.recipe))
        if not same or record.get("teacher", {}).get("sha256") != job.teacher_sha256:
            raise InputError(f"{folder} was made with {other}")
        job.report(f"{variant.label}: trained before")
        return folder
    job.report(f"{variant.label}: training{', resumed' if run.resume else ''}")
    if run.resume:
        try:
            spelling.get_prepared(run)
        except InputError:
            raise InputError(f"{run.folder} was started with {other}") from None
    model = spelling.train(run)
    if model is None:
        raise KeyboardInterrupt
    model.save_pretrained(folder)
    return folder


def carry_on(finished: Path, run: Path) -> None:
    """Let a training go on from where another one ended, unless it has started, or the other one is not there."""
    if finished.exists() and not run.exists():
        partial = partial_path(run)
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(finished, partial)
        partial.replace(run)


def _run_of(job: ModelJob, training: Training) -> spelling.SpellingRun:
    """Return the training of a model in its run folder, resumed if it was started."""
    folder = training.folder / "run"
    return spelling.SpellingRun(
        training.recipe,
        folder,
        job.teacher,
        command=training.command,
        device=job.device,
        cache=job.work / SHARED,
        resume=(folder / spelling.PREPARED).exists(),
        show_progress=False,
    )


def _network_input(
    job: ModelJob, variant: ModelVariant, training: Training | None, model: EvaluatedModel
) -> NetworkInput:
    """Return what the networks of a variant read; its own encoder reads the characters, where it has one."""
    reads_characters = variant.input != "frozen" and training is not None
    return NetworkInput(
        model, variant.input, characters_of(_run_of(job, training)) if training and reads_characters else None
    )


def _network_scores(
    job: ModelJob, variant: ModelVariant, given: NetworkInput, seed: int, benchmarks: Mapping[str, Benchmark]
) -> Row:
    """Return the scores of a network on the vectors of a seed; None where it cannot read them."""
    options = job.networks()
    if options is None or not benchmarks:
        return {}
    networks = Networks(options, seed, str(pick_device(job.device)), job.work / variant.folder / "networks")
    return network_row(given, benchmarks, networks, lambda base: job.report(f"{variant.label}: {base}"))
