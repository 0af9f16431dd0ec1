"""A training as the command line that a person would type."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

INPUT_OPTIONS = "teacher-options.txt"
"""In the run folder: how teacher and sources were named, so that a resumed run can still tell the whole command."""


def command_to_resume(
    recipe: str,
    overrides: Sequence[str],
    sources: Mapping[str, Path],
    *,
    output: Path,
    run_folder: Path | None,
    device: str,
) -> str:
    """What to paste to go on, here, with paths as they were given."""
    options = [*_source_options(sources), "--output", str(output)]
    if run_folder is not None:
        options += ["--run-folder", str(run_folder)]
    if device != "auto":
        options += ["--device", device]
    return shlex.join(["everyword", "train", recipe, *options, "--resume", *overrides])


def command_to_record(recipe: str, overrides: Sequence[str], output: Path, run_folder: Path) -> str:
    """How to make the same model again, anywhere: with the names of files, without the folders they lie in."""
    options = [*_recall_inputs(run_folder), "--output", output.absolute().name]
    return shlex.join(["everyword", "train", Path(recipe).name, *options, *map(_without_folders, overrides)])


def remember_inputs(
    run_folder: Path, teacher: Path | None, teacher_model: str | None, sources: Mapping[str, Path], *, lenient: bool
) -> None:
    """Keep the options that say what is learnt from."""
    options = ["--teacher", teacher.name] if teacher is not None else []
    if teacher_model is not None:
        options += ["--teacher-model", _without_folder(teacher_model)]
    options += _source_options({name: Path(path.absolute().name) for name, path in sources.items()})
    if lenient:
        options.append("--lenient")
    run_folder.mkdir(parents=True, exist_ok=True)
    (run_folder / INPUT_OPTIONS).write_text(shlex.join(options) + "\n", encoding="utf-8")


def _recall_inputs(run_folder: Path) -> list[str]:
    kept = run_folder / INPUT_OPTIONS
    return shlex.split(kept.read_text(encoding="utf-8")) if kept.is_file() else []


def _source_options(sources: Mapping[str, Path]) -> Iterable[str]:
    for name, path in sources.items():
        yield from ("--source", f"{name}={path}")


def _without_folders(override: str) -> str:
    key, equals, value = override.partition("=")
    return key + equals + _without_folder(value)


def _without_folder(name: str) -> str:
    """The last part of a path that is there; what is none, such as a hub id, stays as it is."""
    return Path(name).absolute().name if os.path.exists(name) else name
