"""everyword bertram train: from an encoder and sentences of frequent words to a trained BERTRAM."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_run_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted, warnings_as_lines
from everyword.cli.common.group import Command
from everyword.cli.common.output import say
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.systems.bertram.config import BertramConfig

NGRAMS = "ngrams"


@click.command(cls=Command, old_options={"--out": "--output"})
@options.overrides
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.", required=True)
@options.folder("--contexts", "Words and sentences to learn from.", required=True)
@options.output_folder("Folder to save the model to.")
@options.file("--targets", "Input vectors of words of several pieces.")
@options.choice("--variant", ["add", "replace", "shallow"], "How form and context are combined.  [default: add]")
@options.text("--form", "ngrams|MODEL", "Where form vectors come from: n-grams, or an everyword model.", default=NGRAMS)
@options.run_folder
@options.resume
@options.computing
@options.overwrite
@options.quiet
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

    --contexts is a folder of "everyword contexts", or a file of JSON lines with "word" and "sentences". The targets are
    the encoder's own input vectors for words that are one piece to it, and those of --targets (made by "everyword
    extract --how one-token") for all others. The encoder itself is never changed.

    Training has three stages: context alone, form alone, both together. KEY=VALUE changes a setting of one of them.
    Ctrl-C stops after the current step; the same command with --resume continues. With torchrun, several processes or
    GPUs train together.

    \b
    Examples:
      everyword bertram train --encoder my-bert --contexts frequent --output my-bertram
      everyword bertram train --encoder my-bert --contexts frequent --targets one-token.npy --output my-bertram
      everyword bertram train --encoder my-bert --contexts frequent --form everyword-en --output my-bertram
        context.epochs=3 combined.learning_rate=1e-4
      torchrun --nproc-per-node 4 -m everyword bertram train --encoder my-bert --contexts frequent
        --output my-bertram --device cuda
    """
    run_folder = run_folder_of(output, run_folder)
    settings = _settings(variant, overrides)
    check_folder(output, overwrite)
    check_run_folder(run_folder, resume, overwrite)
    # The slow imports come last, so that mistakes in the options are reported at once.
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
            if not processes.first:  # all of them would print the same warnings
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
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue with the same command and --resume.")
    command = shlex.join(["everyword", "bertram", "infer", str(output), "--encoder", encoder])
    say(f"Saved the model to {output}. Use it:  {command} --contexts FOLDER --output rare.vec")


def _settings(variant: str | None, overrides: tuple[str, ...]) -> BertramConfig:
    from everyword.config import build, override
    from everyword.systems.bertram.config import BertramConfig

    given = override({}, overrides)
    if variant is not None:
        given["variant"] = variant
    return build(BertramConfig, given, "the configuration")
