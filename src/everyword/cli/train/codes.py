"""everyword train codes: a speaker and a listener that agree on messages of some bits."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file, check_run_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted
from everyword.cli.common.output import say
from everyword.extras import require

NAME = "codes"


@click.command(NAME, short_help="Messages of some bits for strings of concepts, by a speaker and a listener.")
@options.overrides
@options.output_file("File to save the code to (.safetensors).")
@options.device
@options.run_folder
@options.resume
@options.overwrite
@options.quiet
def codes(
    *,
    overrides: tuple[str, ...],
    output: Path,
    device: str,
    run_folder: Path | None,
    resume: bool,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Train a speaker and a listener to send strings of concepts through a channel of some bits.

    A string has a value for each of some concepts. The speaker turns it into a message, the listener turns the message
    back into the string. Then it is measured whether strings that were never seen arrive, and whether the code is
    compositional: the residual entropy is 0 if every concept can be read from bits of its own.

    KEY=VALUE changes the game: concepts, values, bits, hidden, beta, train_share, steps, batch, learning_rate and more.
    No data is needed. Ctrl-C stops after the current step; --resume continues.

    \b
    Examples:
      everyword train codes --output code.safetensors bits=24 hidden=128 --device cuda
      everyword train codes --output code.safetensors concepts=3 values=6 bits=9 train_share=0.5 steps=5000
    """
    from everyword.config import build, override
    from everyword.systems.codes.config import CodesConfig

    run_folder = run_folder_of(output, run_folder)
    config = build(CodesConfig, override({}, overrides), "the configuration")
    check_file(output, overwrite or resume)
    check_run_folder(run_folder, resume, overwrite)
    require("torch", "Training")
    from everyword.evaluation.probes.residual_entropy import residual_entropy
    from everyword.learning.loop import RunContext
    from everyword.systems.codes.strings import sample_of
    from everyword.systems.codes.train import CodesRun, train_codes

    say(f"{config.strings:,} strings, {config.bits} bits")
    found = train_codes(CodesRun([config], device, RunContext(run_folder, resume, show_progress=not quiet)))
    if found is None:
        again = shlex.join(["everyword", "train", NAME, "--output", str(output), "--resume", *overrides])
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue:  {again}")
    [code] = found
    code.save(output)
    scores, strings = code.score(), sample_of(config)
    say(f"Accuracy: {scores.train_accuracy:.1%} of strings to train on, {scores.test_accuracy:.1%} of others.")
    say(f"Precision of the prior: {scores.precision:.1%}. Bits per string: {scores.bits_per_string:.1f}.")
    entropy = residual_entropy(strings, code.encode(strings))
    say(f"Residual entropy: {entropy.value:.3f}" + (" (an upper bound)." if not entropy.exact else "."))
    for number, (slots, part) in enumerate(zip(entropy.partition, entropy.per_attribute, strict=True), start=1):
        bits = ", ".join(str(slot + 1) for slot in slots) or "none"
        say(f"  concept {number}: bits {bits}; {part:.3f} remains unknown")
    say(f"Saved the code to {output}.")
