"""What must be right before a training begins: hours later is too late to hear of it."""

from __future__ import annotations

import os
from pathlib import Path

import click

from everyword.errors import InputError


def check_model_folder(folder: Path, overwrite: bool) -> None:
    """Refuse a place where the model could not be saved, or where another one lies."""
    from everyword.models.saved.layout import CONFIG

    check_place(folder, "a model is saved to a folder")
    if (folder / CONFIG).exists() and not overwrite:
        raise InputError(
            f"{folder} holds a saved model already; choose another --output, or replace it with --overwrite."
        )


def check_run_folder(folder: Path, resume: bool, overwrite: bool) -> None:
    """Refuse to write over a run that could be resumed, and to resume one that is not there."""
    check_place(folder, "a run needs a folder")
    started = folder.is_dir() and any(folder.glob("*.safetensors"))
    if resume and not started:
        raise InputError(f"There is nothing to resume in {folder}; start without --resume.")
    if started and not resume and not overwrite:
        raise InputError(f"{folder} holds a run already; continue it with --resume, or start again with --overwrite.")


def check_teacher(
    teacher: Path | None, teacher_model: str | None = None, *, needed: bool, lenient: bool = False
) -> None:
    """Refuse a file that holds no vectors, two teachers, and a new training that has nothing to learn from."""
    if teacher_model is not None:
        _check_alone(teacher, lenient)
    elif teacher is not None:
        from everyword.vectors.formats.guess import guess

        guess(teacher)
    elif needed:
        raise click.UsageError(
            "A new training needs --teacher, a file of word vectors, or --teacher-model, a language model."
        )


def _check_alone(teacher: Path | None, lenient: bool) -> None:
    if teacher is not None:
        raise click.UsageError("--teacher and --teacher-model exclude each other; give one of them.")
    if lenient:
        raise click.UsageError("--lenient goes with --teacher; a language model has no bad rows.")


def check_place(folder: Path, need: str) -> None:
    """Refuse a place where no folder can be made or written to."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; {need}.")
    nearest = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise InputError(f"{folder} cannot be made: {nearest} is no folder that can be written to.")
