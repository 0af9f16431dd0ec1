"""Run a study about models: train every variant on a teacher, score it, and compare the scores with the paper's.

Finished models stay in the work folder and scores in the results folder, so the same job goes on where it stopped.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from everyword import config
from everyword.errors import ConfigError, EverywordError, InputError
from everyword.evaluation.benchmark import Benchmark, MissingData
from everyword.evaluation.catalogue import data_folder
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput
from everyword.files import checksum
from everyword.learning.device import pick_device
from everyword.models.saved.config_schema import read_description
from everyword.models.saved.layout import CONFIG
from everyword.studies.benchmarks import find_benchmarks, score_name, score_row
from everyword.studies.claims import Row, Score, mean_row
from everyword.studies.config import ModelStudy, ModelVariant, NetworksConfig
from everyword.studies.findings import Findings
from everyword.studies.job import Job
from everyword.studies.networks import Networks, characters_of, groups_of, score_networks
from everyword.systems.spelling import train as spelling
from everyword.systems.spelling.config import RecipeConfig, without_folders
from everyword.systems.spelling.recipe import load_recipe

NETWORKS = "networks."
"""The prefix of overrides for the networks; all others are for the recipe."""


@dataclass(frozen=True)
class Training:
    """One model to train."""

    recipe: RecipeConfig
    folder: Path
    command: str
    """The command that trains it alone."""


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
        name = f"name={self.study.name}-{variant.folder}"
        return [name, *self.size_overrides, *self.recipe_overrides, *own, *variant.overrides]

    def trainings_of(self, variant: ModelVariant) -> list[Training]:
        """Return the models to train for a variant: one per seed, unless the seeds are those of networks."""
        if variant.teacher:
            return []
        models = 1 if self.study.trains_networks else self.study.seeds
        name, folder = variant.recipe or self.study.recipe, self.work / variant.folder
        trainings = []
        for seed in range(models):
            overrides = self.overrides_of(variant) + ([f"training.seed={seed}"] if models > 1 else [])
            command = ["everyword", "train", name, "--teacher", self.teacher.name, "--output", variant.folder]
            recipe = load_recipe(name, overrides)
            own = folder / f"seed-{seed}" if models > 1 else folder
            trainings.append(Training(recipe, own, shlex.join([*command, *overrides])))
        return trainings

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
    trainings, networks = plan(job), job.networks()
    benchmarks = find_benchmarks(study.benchmarks, job.data, job.report, required=True)
    rows, fingerprints = {}, {}
    for variant in study.variants:
        models = list(_models_of(job, variant, trainings[variant.label]))
        fingerprints[variant.label] = [model.fingerprint or "" for model in models]
        if networks is not None:
            given = _network_input(job, variant, trainings[variant.label], models[0])
            runs = _network_rows(job, variant, given, benchmarks, networks)
        else:
            runs = [score_row(model, benchmarks, job.results, job.report) for model in models]
        rows[variant.label] = mean_row(runs, study.columns)
    teacher = f"{job.teacher.name} {job.teacher_sha256}"
    return Findings(study, job.size, rows, teacher, job.overrides, fingerprints, networks)


def plan(job: ModelJob) -> dict[str, list[Training]]:
    """Return the models to train for each variant.

    Raises:
        ConfigError: If a variant cannot be trained; all problems are named.
    """
    trainings: dict[str, list[Training]] = {}
    problems = []
    for variant in job.study.variants:
        try:
            trainings[variant.label] = job.trainings_of(variant)
        except EverywordError as error:
            problems.append(f"{variant.label}: {error}")
    if problems:
        raise ConfigError(f"The study {job.study.name} cannot be run. " + " ".join(problems))
    return trainings


def _models_of(job: ModelJob, variant: ModelVariant, trainings: Sequence[Training]) -> Iterator[EvaluatedModel]:
    """Yield the vectors behind a row: the teacher's, or those of a model per seed."""
    if variant.teacher:
        # As many candidates as the models have known words, so that all look for answers among the same.
        stored = load_recipe(job.study.recipe, [*job.size_overrides, *job.recipe_overrides]).store.words
        yield open_evaluated(str(job.teacher), variant.policy or "zero", candidates=stored or None)
    for training in trainings:
        yield open_evaluated(str(_train(job, variant, training)), variant.policy or job.study.policy)


def _train(job: ModelJob, variant: ModelVariant, training: Training) -> Path:
    """Return the folder of a trained model; a finished one is not trained again, a stopped one is resumed."""
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


def _run_of(job: ModelJob, training: Training) -> spelling.SpellingRun:
    """Return the training of a model in its run folder, resumed if it was started."""
    folder = training.folder / "run"
    return spelling.SpellingRun(
        training.recipe,
        folder,
        job.teacher,
        command=training.command,
        device=job.device,
        resume=(folder / spelling.PREPARED).exists(),
        show_progress=False,
    )


def _network_input(
    job: ModelJob, variant: ModelVariant, trainings: Sequence[Training], model: EvaluatedModel
) -> NetworkInput:
    """Return what the networks of a variant read; its own encoder reads the characters, where it has one."""
    reads_characters = variant.input != "frozen" and bool(trainings)
    return NetworkInput(model, variant.input, characters_of(_run_of(job, trainings[0])) if reads_characters else None)


def _network_rows(
    job: ModelJob,
    variant: ModelVariant,
    given: NetworkInput,
    benchmarks: Mapping[str, Benchmark | MissingData],
    options: NetworksConfig,
) -> list[Row]:
    """Return the scores of a variant's networks, a row per seed; None where data is missing or cannot be read."""
    seeds = job.study.seeds
    networks = Networks(options, seeds, str(pick_device(job.device)), job.work / variant.folder / "networks")
    rows: list[dict[str, Score | None]] = [dict.fromkeys(benchmarks) for _ in range(seeds)]
    for base, group in groups_of(benchmarks).items():
        task = next(iter(group.values())).task
        if not given.suits(task):
            continue
        job.report(f"{variant.label}: {base}")
        for name, (networks_scores, changed) in score_networks(given, group, networks).items():
            for row, scores in zip(rows, networks_scores, strict=True):
                row[name] = Score(scores[score_name(name, task.main, scores)], changed=changed)
    return [*rows]
