"""everyword train RECIPE: from a recipe and a teacher to a saved model."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_run_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted, warnings_as_lines
from everyword.cli.common.group import Command, named_copy
from everyword.cli.common.output import say, say_saved_model
from everyword.config import build
from everyword.errors import EverywordError
from everyword.extras import require

INPUT_OPTIONS = "teacher-options.txt"
"""In the run folder: how teacher and sources were named, so that a resumed run can still record the whole command."""


def recipe_command(name: str) -> click.Command:
    """Return the command that trains a recipe, a shipped one or a TOML file."""
    return named_copy(train_recipe, name, _summary(name))


def _summary(name: str) -> str:
    from everyword.systems.spelling.recipe import recipe_values

    try:
        return str(recipe_values(name).get("summary", ""))
    except (EverywordError, OSError):  # Python 3.10 reads TOML only with an extra; a file may be missing
        return ""


@click.command(cls=Command)
@options.overrides
@options.file("--teacher", "Vector file to learn from, in any format.")
@options.text(
    "--teacher-model",
    "MODEL",
    "Learn the input vectors of a language model instead: a folder or a hub id that transformers loads.",
)
@options.text(
    "--source", "NAME=PATH", "A file or folder that the recipe names (repeatable).", to="given_sources", multiple=True
)
@options.output_folder("Folder to save the model to.")
@options.run_folder
@options.resume
@options.flag("--prepare-only", "Prepare the data and stop; --resume trains, here or elsewhere.")
@options.device
@options.flag("--lenient", "Skip and count bad rows of the teacher instead of stopping.")
@options.overwrite
@options.quiet
@click.pass_context
def train_recipe(
    ctx: click.Context,
    *,
    overrides: tuple[str, ...],
    teacher: Path | None,
    teacher_model: str | None,
    given_sources: tuple[str, ...],
    output: Path,
    run_folder: Path | None,
    resume: bool,
    prepare_only: bool,
    device: str,
    lenient: bool,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Train a model of spelling by a recipe.

    The model learns to give every word a vector in the space of the teacher, from the spelling alone. The teacher is a
    vector file, or a language model with its input vectors of words that are one piece to it. A recipe with a section
    "space" makes its own teacher from --source files and folders, and keeps it in the run folder.

    KEY=VALUE changes a value of the recipe. Ctrl-C stops after the current step; the same command with --resume, which
    needs no --teacher, continues and ends with the same model as an uninterrupted run. With a larger training.epochs,
    --resume also extends a finished run.

    \b
    Examples:
      everyword train love --teacher vectors.vec --output my-model
      everyword train love --teacher vectors.vec --output my-model training.epochs=5 store.words=50000
      everyword train love --teacher-model my-bert --output my-model
      everyword train love --output my-model --resume
      everyword train my-recipe.toml --teacher vectors.vec --output my-model --device cuda
      everyword train love --teacher vectors.vec --source synonyms=wordnet.tsv synonyms.file=@synonyms --output my-model
      everyword train everyword-en-small --teacher everyword-en-run/teacher.npy --source synonyms=wordnet.tsv
        --source misspellings=codespell.tsv --output small
    """
    from everyword.systems.spelling.recipe import check_sources, load_recipe, needed_sources, read_sources, with_sources

    recipe = str(ctx.info_name)
    sources = read_sources(given_sources)
    again = _command_to_resume(recipe, overrides, sources, output=output, run_folder=run_folder, device=device)
    run_folder = run_folder_of(output, run_folder)
    check_folder(output, overwrite)
    check_run_folder(run_folder, resume, overwrite)
    makes_teacher = not (teacher or teacher_model or resume) and _describes_a_teacher(recipe, overrides)
    check_teacher(teacher, teacher_model, needed=not (resume or makes_teacher), lenient=lenient)

    # The slow imports come last, so that mistakes in the options are reported at once.
    require("torch", "Training")
    if teacher_model is not None:
        require("transformers", "Learning from a language model")
    from everyword.language_models.language_model import find_model
    from everyword.learning.device import pick_device
    from everyword.systems.spelling import train as spelling
    from everyword.systems.word_space.build import build_space
    from everyword.systems.word_space.config import WordSpaceConfig

    config = load_recipe(recipe, overrides)
    space = build(WordSpaceConfig, config.space) if makes_teacher else None
    check_sources(needed_sources(config, space.sources if space else ()), sources)
    config = with_sources(config, sources)
    pick_device(device)
    if teacher_model is not None:
        find_model(teacher_model)
    with warnings_as_lines():
        table = teacher
        if space:
            table = build_space(space, sources, run_folder, device=device, report=say, show_progress=not quiet)
        if not resume:
            _save_input_options(run_folder, teacher, teacher_model, sources, lenient=lenient)
        run = spelling.SpellingRun(
            config,
            run_folder,
            table,
            teacher_model,
            command=_command_to_record(recipe, overrides, output, run_folder),
            device=device,
            resume=resume,
            lenient=lenient,
            show_progress=not quiet,
        )
        if prepare_only:
            spelling.get_prepared(run)
            say(f"Prepared the data in {run_folder}. Train on them:  {again}")
            return
        model = spelling.train(run)
    if model is None:
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue:  {again}")
    model.save_pretrained(output)
    say_saved_model(output)


def check_teacher(
    teacher: Path | None, teacher_model: str | None = None, *, needed: bool, lenient: bool = False
) -> None:
    """Refuse a file without vectors, two teachers, and a new training without a teacher."""
    if teacher_model is not None:
        if teacher is not None:
            raise click.UsageError("--teacher and --teacher-model exclude each other; give one of them.")
        if lenient:
            raise click.UsageError("--lenient goes with --teacher; a language model has no bad rows.")
    elif teacher is not None:
        from everyword.vectors.formats.guess import guess

        guess(teacher)
    elif needed:
        raise click.UsageError("A new training needs --teacher, a vector file, or --teacher-model, a language model.")


def _describes_a_teacher(recipe: str, overrides: tuple[str, ...]) -> bool:
    """Return whether a recipe has a section on how to make its teacher; needs no torch."""
    from everyword.systems.spelling.recipe import recipe_values

    return bool(recipe_values(recipe, overrides).get("space"))


def _command_to_resume(
    recipe: str,
    overrides: Sequence[str],
    sources: Mapping[str, Path],
    *,
    output: Path,
    run_folder: Path | None,
    device: str,
) -> str:
    """Return the command that continues a run on this machine, with paths as they were given."""
    typed = [*_source_options(sources), "--output", str(output)]
    if run_folder is not None:
        typed += ["--run-folder", str(run_folder)]
    if device != "auto":
        typed += ["--device", device]
    return shlex.join(["everyword", "train", recipe, *typed, "--resume", *overrides])


def _command_to_record(recipe: str, overrides: Sequence[str], output: Path, run_folder: Path) -> str:
    """Return the command that makes the same model anywhere: with the names of files, without their folders."""
    typed = [*_saved_input_options(run_folder), "--output", output.absolute().name]
    return shlex.join(["everyword", "train", Path(recipe).name, *typed, *map(_without_folders, overrides)])


def _save_input_options(
    run_folder: Path, teacher: Path | None, teacher_model: str | None, sources: Mapping[str, Path], *, lenient: bool
) -> None:
    """Save the options that name the teacher and the sources."""
    typed = ["--teacher", teacher.name] if teacher is not None else []
    if teacher_model is not None:
        typed += ["--teacher-model", _without_folder(teacher_model)]
    typed += _source_options({name: Path(path.absolute().name) for name, path in sources.items()})
    if lenient:
        typed.append("--lenient")
    run_folder.mkdir(parents=True, exist_ok=True)
    (run_folder / INPUT_OPTIONS).write_text(shlex.join(typed) + "\n", encoding="utf-8")


def _saved_input_options(run_folder: Path) -> list[str]:
    kept = run_folder / INPUT_OPTIONS
    return shlex.split(kept.read_text(encoding="utf-8")) if kept.is_file() else []


def _source_options(sources: Mapping[str, Path]) -> Iterable[str]:
    for name, path in sources.items():
        yield from ("--source", f"{name}={path}")


def _without_folders(override: str) -> str:
    key, equals, value = override.partition("=")
    return key + equals + _without_folder(value)


def _without_folder(name: str) -> str:
    """Return the last part of a path that exists; anything else, such as a hub id, stays as it is."""
    return Path(name).absolute().name if os.path.exists(name) else name
