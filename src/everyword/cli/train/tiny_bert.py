"""everyword train tiny-bert: a small language model from text files."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_folder, check_parent_folder, run_folder_of
from everyword.cli.common.errors import exit_interrupted
from everyword.cli.common.output import say
from everyword.errors import InputError
from everyword.extras import require

NAME = "tiny-bert"


@click.command(NAME, short_help="A small BERT for transformers, from --corpus; it predicts masked words.")
@options.overrides
@options.file("--corpus", "Text, a sentence per line; repeatable.", multiple=True)
@options.file("--attributes", "Lexicon: a word, a tab and its attributes per line.")
@options.output_folder("Folder to save the model to.")
@options.run_folder
@options.resume
@options.flag("--prepare-only", "Prepare the corpus and stop; --resume trains on it.")
@options.device
@options.overwrite
def tiny_bert(
    *,
    overrides: tuple[str, ...],
    corpus: tuple[Path, ...],
    attributes: Path | None,
    output: Path,
    run_folder: Path | None,
    resume: bool,
    prepare_only: bool,
    device: str,
    overwrite: bool,
) -> None:
    """Train a small BERT to predict masked words.

    It learns from the text files of --corpus and is saved for transformers. KEY=VALUE sets its size and training:
    layers, width, heads, inner, vocabulary, length, epochs, batch, rate and more. Ctrl-C stops after the current step;
    --resume, which needs no --corpus, continues. A corpus that was prepared on one machine can be trained on elsewhere,
    without the text.

    With causal=true it predicts each word from those before it. units=words makes a vocabulary of whole words, and
    units=byte-pairs one of byte pairs, for a small RoBERTa; saved=bfloat16 halves the saved file.
    --attributes adds what a lexicon knows of words, such as their hypernyms: each attribute has a vector, which is
    added to the input vectors of its words (attributes.embed) and predicted with them (attributes.predict). Words that
    only the lexicon knows get vectors from "everyword extract --how attributes". "everyword attributes" makes a lexicon
    from WordNet.

    \b
    Examples:
      everyword train tiny-bert --corpus wiki.txt.xz --output my-bert epochs=5 --device cuda
      everyword train tiny-bert --corpus wiki.txt.xz --output my-bert --prepare-only
      everyword train tiny-bert --output my-bert --resume
      everyword train tiny-bert --corpus wiki.txt.xz --output my-bert layers=12 width=384 heads=6 inner=1536 rate=5e-4
      everyword train tiny-bert --corpus wiki.txt.xz --output my-roberta units=byte-pairs
      everyword train tiny-bert --corpus wiki.txt.xz --attributes lexicon.tsv --output my-lm causal=true units=words
    """
    run_folder = run_folder_of(output, run_folder)
    _check(corpus, output, run_folder, resume, overwrite)
    if attributes and resume:
        raise click.UsageError("--attributes goes with --corpus; a run that is resumed has its lexicon.")
    require("torch", "Training")
    from everyword.config import build, override
    from everyword.learning.device import pick_device
    from everyword.systems.tiny_bert.config import AttributeConfig, TinyBertConfig, TinyBertRun
    from everyword.systems.tiny_bert.train import prepare, train

    pick_device(device)
    chosen = build(TinyBertConfig, override({}, overrides), NAME)
    if chosen.attributes != AttributeConfig() and not (attributes or resume):
        raise InputError("Settings of attributes are given, but no lexicon; name one by --attributes.")
    run = TinyBertRun(chosen, run_folder, corpus, attributes, device=device, resume=resume, report=say)
    again = shlex.join(
        ["everyword", "train", NAME, "--output", str(output), "--run-folder", str(run_folder), "--resume", *overrides]
    )
    if prepare_only:
        prepare(run)
        say(f"Prepared the corpus in {run_folder}. Train on it:  {again}")
    elif train(run, output):
        say(f"Saved the model to {output}. Try it:  everyword {_trial(shlex.quote(str(output)), chosen.causal)}")
    else:
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue:  {again}")


def _trial(model: str, causal: bool) -> str:
    return f"extract {model} --words WORDS --output vectors.npy" if causal else f"cloze run {model} QUESTIONS"


def _check(corpus: tuple[Path, ...], output: Path, run_folder: Path, resume: bool, overwrite: bool) -> None:
    from everyword.systems.tiny_bert.masked_corpus import RECORD

    check_folder(output, overwrite)
    check_parent_folder(run_folder)
    if bool(corpus) == resume:
        raise click.UsageError("Give text files by --corpus, or resume a run by --resume.")
    if not (overwrite or resume) and (run_folder / RECORD).exists():
        raise InputError(
            f"{run_folder} holds a run already; continue it with --resume, or start again with --overwrite."
        )
