"""A study as it is to be run: what is trained for each variant, checked before anything runs."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword import config
from everyword.errors import ConfigError, EverywordError
from everyword.studies.config import NetworksConfig, Size, StudyConfig, VariantConfig
from everyword.systems.spelling.config import RecipeConfig
from everyword.systems.spelling.recipe import load_recipe

NETWORKS = "networks."
"""Overrides that begin so are for the networks, all others for the recipe."""
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Reproduction:
    """One study as it is to be run: with what, at which size, where."""

    study: StudyConfig
    teacher: Path
    work: Path
    """A folder for each variant, with its run and its model."""
    results: Path
    data: Path | None = None
    size: Size = "small"
    overrides: tuple[str, ...] = ()
    """Laid over the size of the study; what makes a variant what it is comes after them."""
    device: str = "cpu"
    show_progress: bool = False
    tell: Tell = print

    @property
    def recipe_overrides(self) -> tuple[str, ...]:
        """Those that are for the recipe."""
        return tuple(given for given in self.overrides if not given.startswith(NETWORKS))


@dataclass(frozen=True)
class Training:
    """One model to be made."""

    recipe: RecipeConfig
    folder: Path
    command: str


def plan(job: Reproduction) -> dict[str, list[Training]]:
    """What is to be trained for each variant, checked before anything runs; all problems at once."""
    trainings: dict[str, list[Training]] = {}
    problems = []
    for variant in job.study.variants:
        try:
            seeds = [] if variant.teacher else range(models_of(job.study))
            trainings[variant.label] = [training(job, variant, seed) for seed in seeds]
        except EverywordError as error:
            problems.append(f"{variant.label}: {error}")
    if problems:
        raise ConfigError(f"The study {job.study.name} cannot be run. " + " ".join(problems))
    return trainings


def models_of(study: StudyConfig) -> int:
    """How many models are made of a variant: one for each seed, unless the seeds are those of networks."""
    return 1 if study.trains_networks else study.seeds


def networks_of(job: Reproduction) -> NetworksConfig | None:
    """How networks are trained at the size of the job, with the overrides that are for them; None if none are."""
    given = [override.removeprefix(NETWORKS) for override in job.overrides if override.startswith(NETWORKS)]
    if given and not job.study.trains_networks:
        raise ConfigError(f"The study {job.study.name} trains no networks; leave out {NETWORKS}{given[0]}.")
    if not job.study.trains_networks:
        return None
    sizes = job.study.networks
    values = config.to_dict(sizes.small if job.size == "small" else sizes.full)
    return config.build(NetworksConfig, config.override(values, given), "the networks")


def training(job: Reproduction, variant: VariantConfig, seed: int) -> Training:
    """One model of a variant."""
    folder = job.work / variant.folder
    several = models_of(job.study) > 1
    assignments = overrides_of(job.study, variant, job.size, job.recipe_overrides)
    assignments += [f"training.seed={seed}"] if several else []
    name = variant.recipe or job.study.recipe
    command = ["everyword", "train", name, "--teacher", job.teacher.name, "--output", variant.folder, *assignments]
    recipe = load_recipe(name, assignments)
    return Training(recipe, folder / f"seed-{seed}" if several else folder, shlex.join(command))


def overrides_of(study: StudyConfig, variant: VariantConfig, size: Size, given: Sequence[str] = ()) -> list[str]:
    """The overrides of a variant at a size, the given ones in the middle: an untrained variant stays untrained."""
    common, own = (study.small, variant.small) if size == "small" else (study.full, variant.full)
    return [f"name={study.name}-{variant.folder}", *common, *given, *own, *variant.overrides]


def size_of(job: Reproduction) -> tuple[str, ...]:
    """The overrides that make the study small or full."""
    return job.study.small if job.size == "small" else job.study.full
