"""everyword bertram train: from an encoder and sentences of frequent words to a trained BERTRAM."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.checks import check_model_folder, check_run_folder
from everyword.cli.common.errors import INTERRUPTED, warnings_as_lines
from everyword.cli.common.options import computing_options
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.systems.bertram.config import BertramConfig

path = click.Path(path_type=Path)
NGRAMS = "ngrams"


@click.command()
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--encoder", required=True, metavar="MODEL", help="A folder or a hub id that transformers loads.")
@click.option("--contexts", type=path, required=True, metavar="FOLDER", help="Words and sentences to learn from.")
@click.option(
    "--out", "--output", "output", type=path, required=True, metavar="FOLDER", help="Where to save the result."
)
@click.option("--targets", type=path, metavar="FILE", help="Input vectors of words of several pieces.")
@click.option(
    "--variant", type=click.Choice(["add", "replace", "shallow"]), help="How form and context meet.  [default: add]"
)
@click.option(
    "--form",
    default=NGRAMS,
    show_default=True,
    metavar="ngrams|MODEL",
    help="Where form vectors come from: n-grams, or an everyword model.",
)
@click.option(
    "--run-folder", type=path, metavar="FOLDER", help="Checkpoints, log, kept vectors.  [default: OUTPUT-run]"
)
@click.option("--resume", is_flag=True, help="Go on where the run folder stands.")
@computing_options
@click.option("--overwrite", is_flag=True, help="Replace a model or a run that is there already.")
@click.option("--quiet", is_flag=True, help="Show no progress bars.")
def train(
    *,
    overrides: tuple[str, ...],
    encoder: str,
    contexts: Path,
    output: Path,
    targets: Path | None,
    variant: str | None,
    form: str,
    run_folder: Path | None,
    resume: bool,
    device: str,
    precision: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Train a BERTRAM for an encoder.

    --contexts is what "everyword contexts" wrote, or a file of JSON lines with "word" and "sentences". Words that
    are one piece to the encoder are learnt towards its own input vectors, all others towards those of --targets
    (made by "everyword distil --how one-token"). The encoder itself is never changed.

    Three stages follow each other: contexts alone, form alone, both together. KEY=VALUE changes a value of one of
    them. Ctrl-C stops after the current step; the same command with --resume goes on. With torchrun, several
    processes or GPUs train together.

    \b
    Examples:
      everyword bertram train --encoder my-bert --contexts frequent --output my-bertram
      everyword bertram train --encoder my-bert --contexts frequent --targets one-token.npy --output my-bertram
      everyword bertram train --encoder my-bert --contexts frequent --form everyword-en --output my-bertram
        context.epochs=3 combined.learning_rate=1e-4
      torchrun --nproc-per-node 4 -m everyword bertram train --encoder my-bert --contexts frequent
        --output my-bertram --device cuda
    """
    run_folder = run_folder or output.with_name(output.name + "-run")
    settings = _settings(variant, overrides)
    check_model_folder(output, overwrite)
    check_run_folder(run_folder, resume, overwrite)
    # The slow imports come last: whatever is wrong above is told at once.
    require("transformers", "Training a BERTRAM")
    from everyword.corpus.contexts.sentences import read_sentences
    from everyword.language_models.language_model import LanguageModel
    from everyword.learning.processes import joined_processes, own_device
    from everyword.models.load import load
    from everyword.systems.bertram.train import TrainingRun, train_bertram
    from everyword.vectors.table import VectorTable

    with warnings_as_lines():
        sentences = read_sentences(contexts)
        table = None if targets is None else VectorTable.load(targets)
        model = None if form == NGRAMS else load(form)
        language_model = LanguageModel.load(encoder, device=own_device(device), precision=precision)
        with joined_processes(language_model.device) as processes:
            if not processes.first:  # what all of them see is told once
                warnings.simplefilter("ignore")
            run = TrainingRun(
                sentences,
                run_folder,
                settings,
                targets=table,
                form=model,
                resume=resume,
                show_progress=not quiet,
                processes=processes,
                corpus={"contexts": contexts.absolute().name},
            )
            bertram = train_bertram(language_model, run)
            if bertram is not None and processes.first:
                bertram.save(output)
    if not processes.first:
        return
    if bertram is None:
        click.echo(f"Stopped; the run is kept in {run_folder}. Go on with the same command and --resume.", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    asked = shlex.join(["everyword", "bertram", "infer", str(output), "--encoder", encoder])
    click.echo(f"The model lies in {output}. Use it:  {asked} --contexts FOLDER --output rare.vec")


def _settings(variant: str | None, overrides: tuple[str, ...]) -> BertramConfig:
    from everyword.config import build, override
    from everyword.systems.bertram.config import BertramConfig

    given = override({}, overrides)
    if variant is not None:
        given["variant"] = variant
    return build(BertramConfig, given, "the configuration")
