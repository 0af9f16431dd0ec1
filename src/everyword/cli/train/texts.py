"""everyword train texts: how much words count in texts, learnt from a sentence encoder."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_parent_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted
from everyword.cli.common.output import say
from everyword.extras import require

NAME = "texts"


@click.command(NAME, short_help="Weights of words in texts for a model, from --texts and a sentence --encoder.")
@options.overrides
@click.option("--model", default="everyword-en", show_default=True, help="The model that gets the weights.")
@click.option("--encoder", required=True, help="A sentence encoder: a folder, or a name on the hub.")
@options.file("--texts", "Texts, one a line; repeatable.", multiple=True, required=True)
@options.output_folder("Folder to save the model to.")
@click.option("--processes", type=click.IntRange(1), default=1, show_default=True, help="Processes that read texts.")
@options.run_folder
@options.resume
@options.device
@options.overwrite
def texts(
    *,
    overrides: tuple[str, ...],
    model: str,
    encoder: str,
    texts: tuple[Path, ...],
    output: Path,
    processes: int,
    run_folder: Path | None,
    resume: bool,
    device: str,
    overwrite: bool,
) -> None:
    """Learn how much every word counts in a text.

    The weighted mean of a text's words is brought close to what a sentence encoder says of the text. The saved model
    is --model with these weights: its words have the vectors that they had, and `encode_texts` gives better ones.
    KEY=VALUE sets the training: epochs, batch_size, corrected_words, correction_size, misspelt, pair_weight and more.
    Ctrl-C stops after the current step; --resume continues.

    \b
    Examples:
      everyword train texts --encoder all-MiniLM-L6-v2 --texts sentences.txt --output my-model
      everyword train texts --encoder my-encoder --texts news.txt.xz --texts reviews.txt --output my-model epochs=6
    """
    run_folder = run_folder_of(output, run_folder)
    check_folder(output, overwrite)
    check_parent_folder(run_folder)
    require("torch", "Training")
    from everyword.config import build, override
    from everyword.learning.device import pick_device
    from everyword.systems.sentences.config import TextWeightsConfig
    from everyword.systems.sentences.train import TextWeightsRun, train

    pick_device(device)
    chosen = build(TextWeightsConfig, override({}, overrides), NAME)
    run = TextWeightsRun(
        chosen, model, encoder, texts, run_folder, device=device, resume=resume, processes=processes, report=say
    )
    if train(run, output):
        say(f"Saved the model to {output}. Try it:  everyword search FILE QUERY --model {shlex.quote(str(output))}")
    else:
        again = [
            "everyword",
            "train",
            NAME,
            "--encoder",
            encoder,
            "--model",
            model,
            "--output",
            str(output),
            "--resume",
        ]
        named = [part for path in texts for part in ("--texts", str(path))]
        exit_interrupted(
            f"Stopped; the run is saved in {run_folder}. Continue:  {shlex.join([*again, *named, *overrides])}"
        )
