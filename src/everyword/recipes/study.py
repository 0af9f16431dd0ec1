"""A study from its file to its findings: train every variant, score it, lay it beside the paper.

Whatever is finished is not done again: models stay in the work folder, scores in the results folder.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from everyword import config
from everyword.errors import ConfigError, EverywordError, InputError
from everyword.evaluation.catalogue import data_folder
from everyword.evaluation.pieces import Absent, Piece, choose
from everyword.evaluation.results import Result
from everyword.evaluation.run import evaluate
from everyword.evaluation.way import Way, open_way
from everyword.files import checksum
from everyword.models.layout import CONFIG
from everyword.models.read import read_description
from everyword.recipes import mimick
from everyword.recipes.catalogue import load_recipe
from everyword.recipes.configuration import MimickConfig, without_folders
from everyword.recipes.findings import Findings, Row, Score, row_of
from everyword.recipes.study_configuration import Size, StudyConfig, VariantConfig

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


@dataclass(frozen=True)
class Training:
    """One model to be made."""

    recipe: MimickConfig
    folder: Path
    command: str


def reproduce(job: Reproduction) -> Findings:
    """Train and score all variants; Ctrl-C leaves what is finished, and a run that is resumed."""
    pieces = pieces_at_hand(job.study, job.data)
    trainings = plan(job)
    teacher_sha256 = checksum(job.teacher)
    rows, models = {}, {}
    for variant in job.study.variants:
        ways = list(ways_of(job, variant, trainings[variant.label], teacher_sha256))
        models[variant.label] = [way.identity or "" for way in ways]
        rows[variant.label] = row_of([score(job, way, pieces) for way in ways], job.study.columns)
    return Findings(job.study, job.size, rows, f"{job.teacher.name} {teacher_sha256}", job.overrides, models)


def pieces_at_hand(study: StudyConfig, data: Path | None) -> list[Piece | Absent]:
    """The study's pieces; one whose data is missing is passed over, unless all are."""
    data_folder(data)
    found: list[Piece | Absent] = []
    for name in study.pieces:
        try:
            found += choose([name], data)
        except InputError as error:
            found.append(Absent(name, str(error)))
    absent = [piece for piece in found if isinstance(piece, Absent)]
    if len(absent) == len(found):
        raise InputError(absent[0].reason)
    return [piece if isinstance(piece, Absent) else replace(piece, named=False) for piece in found]


def plan(job: Reproduction) -> dict[str, list[Training]]:
    """What is to be trained for each variant, checked before anything runs; all problems at once."""
    trainings: dict[str, list[Training]] = {}
    problems = []
    for variant in job.study.variants:
        try:
            seeds = [] if variant.teacher else range(job.study.seeds)
            trainings[variant.label] = [training(job, variant, seed) for seed in seeds]
        except EverywordError as error:
            problems.append(f"{variant.label}: {error}")
    if problems:
        raise ConfigError(f"The study {job.study.name} cannot be run. " + " ".join(problems))
    return trainings


def training(job: Reproduction, variant: VariantConfig, seed: int) -> Training:
    """One model of a variant."""
    folder = job.work / variant.folder
    several = job.study.seeds > 1
    assignments = overrides_of(job.study, variant, job.size, job.overrides)
    assignments += [f"training.seed={seed}"] if several else []
    name = variant.recipe or job.study.recipe
    command = ["everyword", "train", name, "--teacher", job.teacher.name, "--output", variant.folder, *assignments]
    recipe = load_recipe(name, assignments)
    return Training(recipe, folder / f"seed-{seed}" if several else folder, shlex.join(command))


def overrides_of(study: StudyConfig, variant: VariantConfig, size: Size, given: Sequence[str] = ()) -> list[str]:
    """The overrides of a variant at a size, the given ones in the middle: an untrained variant stays untrained."""
    common, own = (study.small, variant.small) if size == "small" else (study.full, variant.full)
    return [f"name={study.name}-{variant.folder}", *common, *given, *own, *variant.overrides]


def ways_of(
    job: Reproduction, variant: VariantConfig, trainings: Sequence[Training], teacher_sha256: str
) -> Iterator[Way]:
    """The vectors behind a row: the teacher's, or those of a model for each seed."""
    if variant.teacher:
        # As many candidates as the models have known words, so that all look for answers among the same.
        stored = load_recipe(job.study.recipe, [*size_of(job), *job.overrides]).store.words
        yield open_way(str(job.teacher), "zero", candidates=stored or None)
    for one in trainings:
        yield open_way(str(make(job, variant, one, teacher_sha256)), job.study.policy)


def size_of(job: Reproduction) -> tuple[str, ...]:
    """The overrides that make the study small or full."""
    return job.study.small if job.size == "small" else job.study.full


def make(job: Reproduction, variant: VariantConfig, one: Training, teacher_sha256: str) -> Path:
    """The folder of the trained model; a finished one is not trained again, a stopped one goes on."""
    model_folder, run_folder = one.folder / "model", one.folder / "run"
    if (model_folder / CONFIG).exists():
        check_same(one, model_folder, teacher_sha256)
        job.tell(f"{variant.label}: trained before")
        return model_folder
    resume = (run_folder / mimick.PREPARED).exists()
    job.tell(f"{variant.label}: training{', resumed' if resume else ''}")
    run = mimick.Run(
        one.recipe,
        run_folder,
        job.teacher,
        command=one.command,
        device=job.device,
        resume=resume,
        show_progress=job.show_progress,
    )
    if resume:
        check_resumable(run)
    model = mimick.train(run)
    if model is None:
        raise KeyboardInterrupt
    model.save_pretrained(model_folder)
    return model_folder


def check_resumable(run: mimick.Run) -> None:
    """Refuse a stopped run that was started with something else."""
    try:
        mimick.get_prepared(run)
    except InputError:
        raise InputError(
            f"{run.folder} was started with another configuration or teacher; choose another --work, or delete it."
        ) from None


def check_same(one: Training, model_folder: Path, teacher_sha256: str) -> None:
    """Refuse a model that was made from something else."""
    record = read_description(model_folder)["training"]
    same_recipe = record.get("recipe") == config.to_dict(without_folders(one.recipe))
    if not same_recipe or record.get("teacher", {}).get("sha256") != teacher_sha256:
        raise InputError(
            f"{model_folder} was made with another configuration or teacher; choose another --work, or delete it."
        )


def score(job: Reproduction, way: Way, pieces: Sequence[Piece | Absent]) -> Row:
    """All pieces for one way to get vectors."""
    row: dict[str, Score | None] = {}
    for done in evaluate(way, pieces, keep_in=job.results):
        row[done.piece] = main_score(job.study, done.result) if done.result else None
        if done.reason:
            job.tell(f"{done.piece}: passed over. {done.reason}")
    return row


def main_score(study: StudyConfig, result: Result) -> Score | None:
    """The score that stands in the study's table."""
    name = study.scores.get(result.piece, result.main)
    if name not in result.scores:
        raise InputError(f"{result.piece} has no score {name!r}; choose from {', '.join(result.scores)}.")
    value = result.scores[name]
    return None if value is None else Score(value, result.spread.get(name))
