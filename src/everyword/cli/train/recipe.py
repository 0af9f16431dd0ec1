"""everyword train: from a recipe and a teacher to a saved model."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from everyword.cli.common.checks import check_model_folder, check_run_folder, check_teacher
from everyword.cli.common.errors import INTERRUPTED, warnings_as_lines
from everyword.cli.common.options import device_option
from everyword.cli.programs import WithPrograms
from everyword.cli.spaces import say
from everyword.cli.train.command_lines import command_to_record, command_to_resume, remember_inputs
from everyword.extras import require
from everyword.registry import Registry
from everyword.systems.spelling.recipe import (
    check_name,
    check_sources,
    load_recipe,
    needed_sources,
    read_sources,
    recipe_values,
    with_sources,
)

path = click.Path(path_type=Path)
PROGRAMS = Registry(
    "program",
    {
        "skipgram": "everyword.cli.train.skipgram:skipgram",
        "skipgram-words": "everyword.cli.train.skipgram_words:skipgram_words",
        "static": "everyword.cli.train.static:static",
        "tiny-bert": "everyword.cli.train.tiny_bert:tiny_bert",
    },
)
"""What is trained in another way than a recipe, each with options of its own."""


@click.command(cls=WithPrograms, programs=PROGRAMS)
@click.argument("recipe")
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--teacher", type=path, metavar="FILE", help="The word vectors to learn from, in any format.")
@click.option(
    "--teacher-model",
    metavar="NAME",
    help="Instead of a file, a language model whose input vectors are learnt: a folder or a hub id.",
)
@click.option(
    "--source",
    "given_sources",
    multiple=True,
    metavar="NAME=PATH",
    help="A file or folder that the recipe names; may be repeated.",
)
@click.option("--output", type=path, required=True, metavar="FOLDER", help="Where the model is saved.")
@click.option(
    "--run-folder", type=path, metavar="FOLDER", help="Prepared data, checkpoint and log.  [default: OUTPUT-run]"
)
@click.option("--resume", is_flag=True, help="Go on where the run folder stands; needs no --teacher.")
@click.option(
    "--prepare-only", is_flag=True, help="Prepare the data and stop; --resume then trains, here or elsewhere."
)
@device_option
@click.option("--lenient", is_flag=True, help="Skip and count bad rows of the teacher instead of stopping.")
@click.option("--overwrite", is_flag=True, help="Replace a model or a run that is there already.")
@click.option("--quiet", is_flag=True, help="Show no progress bars.")
def train(
    *,
    recipe: str,
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
    """Train a model on a table of vectors.

    The model learns to give every word a vector in the space of a teacher, from the spelling alone. The teacher is
    a file of vectors, or a language model by its input vectors of the words that are one piece to it. A recipe with a
    section "merged" makes its teacher itself, of --source files and folders, and keeps it in the run folder.

    RECIPE is a name that "everyword list" shows, or a .toml file; KEY=VALUE changes one of its values. Ctrl-C stops
    after the current step; the same command with --resume goes on from there and ends with the same model as if it
    had never stopped. With a larger training.epochs, --resume also extends a finished run.

    Other programs have options of their own: "everyword train skipgram --help" makes a table of word vectors from a
    corpus by an encoder (and skipgram-words adds words later), "everyword train static --help" one without (word2vec,
    fastText, GloVe, dependency contexts), "everyword train tiny-bert --help" a small language model.

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
    check_name(recipe, PROGRAMS)
    sources = read_sources(given_sources)
    resume_command = command_to_resume(recipe, overrides, sources, output=output, run_folder=run_folder, device=device)
    run_folder = run_folder or output.with_name(output.name + "-run")
    check_model_folder(output, overwrite)
    check_run_folder(run_folder, resume, overwrite)
    given = teacher or teacher_model
    makes_teacher = given is None and not resume and _describes_a_teacher(recipe, overrides)
    check_teacher(teacher, teacher_model, needed=not (resume or makes_teacher), lenient=lenient)

    # The slow imports come last: whatever is wrong above is told at once.
    require("torch", "Training")
    if teacher_model is not None:
        require("transformers", "Learning from a language model")
    from everyword.language_models.language_model import find_model
    from everyword.learning.device import pick_device
    from everyword.systems.spelling import train as spelling
    from everyword.systems.spelling.merged_teacher import build_teacher

    config = load_recipe(recipe, overrides)
    check_sources(needed_sources(config, makes_teacher=makes_teacher), sources)
    config = with_sources(config, sources)
    pick_device(device)
    if teacher_model is not None:
        find_model(teacher_model)
    table = teacher
    if makes_teacher:
        with warnings_as_lines():
            table = build_teacher(config.merged, sources, run_folder, device=device, tell=say, show_progress=not quiet)
    if not resume:
        remember_inputs(run_folder, teacher, teacher_model, sources, lenient=lenient)
    run = spelling.SpellingRun(
        config,
        run_folder,
        table,
        teacher_model,
        command=command_to_record(recipe, overrides, output, run_folder),
        device=device,
        resume=resume,
        lenient=lenient,
        show_progress=not quiet,
    )
    with warnings_as_lines():
        if prepare_only:
            spelling.get_prepared(run)
            click.echo(f"The data are prepared in {run_folder}. Train on them:  {resume_command}")
            return
        model = spelling.train(run)
    if model is None:
        click.echo(f"Stopped; the run is kept in {run_folder}. Go on:  {resume_command}", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    model.save_pretrained(output)
    click.echo(f"The model lies in {output}. Try it:  everyword nearest mispelling --model {shlex.quote(str(output))}")


def _describes_a_teacher(recipe: str, overrides: tuple[str, ...]) -> bool:
    """Whether a recipe says what its teacher is made of; told without torch."""
    merged = recipe_values(recipe, overrides).get("merged")
    return isinstance(merged, dict) and bool(merged.get("lists"))
