"""The models of a study, each made once: a finished one stays, a stopped one goes on."""

from __future__ import annotations

from pathlib import Path

from everyword import config
from everyword.errors import InputError
from everyword.models.saved.config_schema import read_description
from everyword.models.saved.layout import CONFIG
from everyword.studies.config import VariantConfig
from everyword.studies.job import Reproduction, Training
from everyword.systems.spelling import train as spelling
from everyword.systems.spelling.config import without_folders


def make(job: Reproduction, variant: VariantConfig, one: Training, teacher_sha256: str) -> Path:
    """The folder of the trained model; a finished one is not trained again, a stopped one goes on."""
    model_folder, run = one.folder / "model", run_of(job, one)
    if (model_folder / CONFIG).exists():
        check_same(one, model_folder, teacher_sha256)
        job.tell(f"{variant.label}: trained before")
        return model_folder
    job.tell(f"{variant.label}: training{', resumed' if run.resume else ''}")
    if run.resume:
        check_resumable(run)
    model = spelling.train(run)
    if model is None:
        raise KeyboardInterrupt
    model.save_pretrained(model_folder)
    return model_folder


def run_of(job: Reproduction, one: Training) -> spelling.SpellingRun:
    """The training of a model in its run folder, resumed if it was begun."""
    folder = one.folder / "run"
    return spelling.SpellingRun(
        one.recipe,
        folder,
        job.teacher,
        command=one.command,
        device=job.device,
        resume=(folder / spelling.PREPARED).exists(),
        show_progress=job.show_progress,
    )


def check_resumable(run: spelling.SpellingRun) -> None:
    """Refuse a stopped run that was started with something else."""
    try:
        spelling.get_prepared(run)
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
