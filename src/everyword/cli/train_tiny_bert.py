"""everyword train tiny-bert: a small language model from text files."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from everyword.cli.failures import INTERRUPTED
from everyword.cli.spaces import say
from everyword.cli.train_checks import check_place
from everyword.errors import InputError
from everyword.extras import require

NAME = "tiny-bert"
SUMMARY = "A small BERT that guesses masked words, from --corpus; for transformers, not for spelling."


def train_tiny_bert(
    overrides: tuple[str, ...],
    corpus: tuple[Path, ...],
    *,
    output: Path,
    run_folder: Path,
    resume: bool,
    prepare_only: bool,
    device: str,
    overwrite: bool,
) -> None:
    """Prepare the corpus in the run folder, train, and save as transformers does."""
    _check(corpus, output, run_folder, resume, overwrite)
    require("torch", "Training")
    from everyword.config import build, override
    from everyword.recipes.tiny_bert import prepare, train
    from everyword.recipes.tiny_bert_configuration import Run, TinyBertConfig
    from everyword.training.trainer import pick_device

    pick_device(device)
    chosen = build(TinyBertConfig, override({}, overrides), NAME)
    run = Run(chosen, run_folder, corpus, device=device, resume=resume, tell=say)
    again = shlex.join(
        ["everyword", "train", NAME, "--output", str(output), "--run-folder", str(run_folder), "--resume", *overrides]
    )
    if prepare_only:
        prepare(run)
        click.echo(f"The corpus is prepared in {run_folder}. Train on it:  {again}")
    elif train(run, output):
        click.echo(f"The model lies in {output}. Try it:  everyword probe run {shlex.quote(str(output))} PROBE")
    else:
        click.echo(f"Stopped; the run is kept in {run_folder}. Go on:  {again}", err=True)
        raise click.exceptions.Exit(INTERRUPTED)


def _check(corpus: tuple[Path, ...], output: Path, run_folder: Path, resume: bool, overwrite: bool) -> None:
    from everyword.recipes.masked_corpus import RECORD

    check_place(output, "a model is saved to a folder")
    check_place(run_folder, "a run needs a folder")
    if bool(corpus) == resume:
        raise click.UsageError("Give text files by --corpus, or go on with a prepared run by --resume.")
    if not overwrite and (output / "config.json").exists():
        raise InputError(f"{output} holds a model already; choose another --output, or replace it with --overwrite.")
    if not (overwrite or resume) and (run_folder / RECORD).exists():
        raise InputError(
            f"{run_folder} holds a run already; continue it with --resume, or start again with --overwrite."
        )
