"""everyword train operators: how specific texts are, learnt from paraphrases."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file, check_run_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted
from everyword.cli.common.output import say
from everyword.extras import require

NAME = "operators"


@click.command(NAME, short_help="A scale and shift per word, from --pairs; texts become Gaussians.")
@options.overrides
@options.file(
    "--pairs", "Paraphrases: sentence1, sentence2 and perhaps label; repeatable.", multiple=True, required=True
)
@options.file("--dev", "Scored pairs (sentence1, sentence2, score) that choose the best epoch.")
@options.model
@options.output_file("File to save the operators to (.safetensors).")
@options.run_folder
@options.resume
@options.overwrite
@options.quiet
def operators(
    *,
    overrides: tuple[str, ...],
    pairs: tuple[Path, ...],
    dev: Path | None,
    model_name: str | None,
    output: Path,
    run_folder: Path | None,
    resume: bool,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Learn from paraphrases how specific words and texts are.

    Every word gets a scale and a shift, so that a text becomes a Gaussian: paraphrases overlap, and the entropy says
    how general a text is. KEY=VALUE changes the training: method (operators, mapped, average, lstm, lstm-gaussian),
    dim, epochs, batch, mega_batch, margin, prior, learning_rate and more. With method=mapped, operators are linear maps
    of the vectors of --model. Ctrl-C stops after the current step; --resume continues.

    The files of --pairs are tab-separated with a header, plain or gzipped; premise and hypothesis, or source and
    target, are read too. Of labelled pairs only those labelled 1, entailment or paraphrase count.

    \b
    Examples:
      everyword train operators --pairs paranmt.tsv.gz --pairs quora.tsv.gz --output operators.safetensors
      everyword train operators --pairs paranmt.tsv.gz --dev stsb-dev.tsv --output operators.safetensors method=mapped
    """
    from everyword.config import build, override
    from everyword.systems.operators.config import OperatorsConfig
    from everyword.systems.operators.pairs import read_paraphrases, read_scored_pairs

    run_folder = run_folder_of(output, run_folder)
    config = build(OperatorsConfig, override({}, overrides), "the configuration")
    check_file(output, overwrite or resume, inputs=[*pairs, dev])
    check_run_folder(run_folder, resume, overwrite)
    if model_name is not None and config.method != "mapped":
        raise click.UsageError("--model goes with method=mapped; other methods learn all their words from the pairs.")
    paraphrases, scored = read_paraphrases(pairs), read_scored_pairs(dev) if dev else None
    require("torch", "Training")
    from everyword.learning.loop import RunContext
    from everyword.models.load import load
    from everyword.systems.operators.train import OperatorsRun, train_operators

    context = RunContext(run_folder, resume, show_progress=not quiet)
    model = load(model_name) if config.method == "mapped" else None
    say(f"{len(paraphrases.pairs):,} paraphrases")
    trained = train_operators(OperatorsRun(config, paraphrases, model, scored, context))
    if trained is None:
        files = [word for path in pairs for word in ("--pairs", str(path))]
        again = shlex.join(["everyword", "train", NAME, *files, "--output", str(output), "--resume", *overrides])
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue:  {again}")
    trained.save(output)
    say(f"Saved {len(trained.words):,} words to {output}.")
