"""A training as the command line that a person would type."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

TEACHER_OPTIONS = "teacher-options.txt"
"""In the run folder: how the teacher was named, so that a resumed run can still tell the whole command."""


def command_to_resume(recipe: str, overrides: Sequence[str], output: Path, run_folder: Path | None, device: str) -> str:
    """What to paste to go on, here, with paths as they were given."""
    options = ["--output", str(output)]
    if run_folder is not None:
        options += ["--run-folder", str(run_folder)]
    if device != "auto":
        options += ["--device", device]
    return shlex.join(["everyword", "train", recipe, *options, "--resume", *overrides])


def command_to_record(recipe: str, overrides: Sequence[str], output: Path, run_folder: Path) -> str:
    """How to make the same model again, anywhere: with the names of files, without the folders they lie in."""
    teacher_options = _recall_teacher(run_folder)
    options = [*teacher_options, "--output", output.absolute().name]
    return shlex.join(["everyword", "train", Path(recipe).name, *options, *map(_without_folders, overrides)])


def remember_teacher(run_folder: Path, teacher: Path, lenient: bool) -> None:
    """Keep the options that say what is learnt from."""
    run_folder.mkdir(parents=True, exist_ok=True)
    options = shlex.join(["--teacher", teacher.name, *(["--lenient"] if lenient else [])])
    (run_folder / TEACHER_OPTIONS).write_text(options + "\n", encoding="utf-8")


def _recall_teacher(run_folder: Path) -> list[str]:
    kept = run_folder / TEACHER_OPTIONS
    return shlex.split(kept.read_text(encoding="utf-8")) if kept.is_file() else []


def _without_folders(override: str) -> str:
    key, _, value = override.partition("=")
    return f"{key}={Path(value).name}" if os.path.exists(value) else override
