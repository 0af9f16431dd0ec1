"""everyword train tiny-bert: a small language model from text files."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from everyword.cli.common.checks import check_place
from everyword.cli.common.errors import INTERRUPTED
from everyword.cli.common.options import device_option
from everyword.cli.spaces import say
from everyword.errors import InputError
from everyword.extras import require

path = click.Path(path_type=Path)
NAME = "tiny-bert"
SUMMARY = "A small BERT that guesses masked words, from --corpus; for transformers, not for spelling."


@click.command(NAME, short_help=SUMMARY)
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--corpus", type=path, multiple=True, metavar="FILE", help="Text, a sentence a line; may be repeated.")
@click.option("--output", type=path, required=True, metavar="FOLDER", help="Where the model is saved.")
@click.option("--run-folder", type=path, metavar="FOLDER", help="Corpus, checkpoint and log.  [default: OUTPUT-run]")
@click.option("--resume", is_flag=True, help="Go on where the run folder stands; needs no --corpus.")
@click.option("--prepare-only", is_flag=True, help="Prepare the corpus and stop; --resume then trains.")
@device_option
@click.option("--overwrite", is_flag=True, help="Replace a model or a run that is there already.")
def tiny_bert(
    *,
    overrides: tuple[str, ...],
    corpus: tuple[Path, ...],
    output: Path,
    run_folder: Path | None,
    resume: bool,
    prepare_only: bool,
    device: str,
    overwrite: bool,
) -> None:
    """Train a small BERT to guess masked words.

    It learns from the text files of --corpus and is saved for transformers. KEY=VALUE sets its size and training:
    layers, width, heads, inner, vocabulary, length, epochs, batch, rate and more. Ctrl-C stops after the current step;
    --resume goes on from there. A corpus that was prepared here can be trained on elsewhere, without the text.

    \b
    Examples:
      everyword train tiny-bert --corpus wiki.txt.xz --output my-bert epochs=5 --device cuda
      everyword train tiny-bert --corpus wiki.txt.xz --output my-bert --prepare-only
      everyword train tiny-bert --output my-bert --resume
    """
    run_folder = run_folder or output.with_name(output.name + "-run")
    _check(corpus, output, run_folder, resume, overwrite)
    require("torch", "Training")
    from everyword.config import build, override
    from everyword.learning.device import pick_device
    from everyword.systems.tiny_bert.config import TinyBertConfig, TinyBertRun
    from everyword.systems.tiny_bert.train import prepare, train

    pick_device(device)
    chosen = build(TinyBertConfig, override({}, overrides), NAME)
    run = TinyBertRun(chosen, run_folder, corpus, device=device, resume=resume, tell=say)
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
    from everyword.systems.tiny_bert.masked_corpus import RECORD

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
