"""What must be right before a command begins: hours later is too late to hear of it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from everyword.errors import InputError

PARTIAL = ".partial"
"""The suffix of files that are not complete yet."""
REMEDY = "choose another --output, or replace it with --overwrite."


def check_file(path: Path, overwrite: bool, *, inputs: Iterable[Path | None] = ()) -> None:
    """Refuse a file that could not be written, that exists already, or that is read by the same command."""
    from everyword.atomic import AtomicFiles

    AtomicFiles(path)  # refuses a folder, and a file in a folder that does not exist
    for source in inputs:
        if source is not None and path.exists() and source.exists() and path.samefile(source):
            raise InputError(f"{path} is read by this command and would be lost; choose another --output.")
    if path.exists() and not overwrite:
        raise InputError(f"{path} exists already; {REMEDY}")


def check_vector_file(
    path: Path, overwrite: bool, *, format: str | None = None, inputs: Iterable[Path | None] = ()
) -> None:
    """Refuse a file that could not hold vectors, or that `check_file` refuses."""
    from everyword.vectors.formats.guess import format_for_writing
    from everyword.vectors.formats.npy import NAME, words_path

    chosen = format_for_writing(path, format)
    inputs = list(inputs)
    check_file(path, overwrite, inputs=inputs)
    if chosen.name == NAME:  # its words are in a file of their own
        check_file(words_path(path), overwrite, inputs=inputs)


def check_folder(folder: Path, overwrite: bool) -> None:
    """Refuse a folder that could not be written to, or that holds something already."""
    check_parent_folder(folder)
    # A process that was killed may have left the half of a file, which is no reason to start with --overwrite.
    if not overwrite and folder.is_dir() and any(path.suffix != PARTIAL for path in folder.iterdir()):
        raise InputError(f"{folder} exists already and is not empty; {REMEDY}")


def check_run_folder(folder: Path, resume: bool, overwrite: bool, *, signs: str = "*.safetensors") -> None:
    """Refuse to overwrite a run that could be resumed, and to resume one that does not exist."""
    check_parent_folder(folder)
    started = folder.is_dir() and any(folder.glob(signs))
    if resume and not started:
        raise InputError(f"There is nothing to resume in {folder}; start without --resume.")
    if started and not resume and not overwrite:
        raise InputError(f"{folder} holds a run already; continue it with --resume, or start again with --overwrite.")


def check_parent_folder(folder: Path) -> None:
    """Refuse a path where no folder can be made or written to."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; give the path of a folder.")
    nearest = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise InputError(f"{folder} cannot be made: {nearest} is not a folder that can be written to.")


def run_folder_of(output: Path, given: Path | None = None) -> Path:
    """Return the folder that is given for a run, or the one beside its output."""
    return given or output.with_name(output.name + "-run")
