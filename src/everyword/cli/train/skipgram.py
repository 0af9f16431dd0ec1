"""everyword train skipgram and skipgram-words: vectors of words from an encoder and a corpus, and new words later."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_run_folder, check_vector_file, run_folder_of
from everyword.cli.common.errors import exit_interrupted, warnings_as_lines
from everyword.cli.common.output import save_table, say
from everyword.cli.train.corpus_options import (
    check_corpus_options,
    check_words_fit,
    corpus_options,
    read_listed,
    record_of,
    write_record,
)
from everyword.corpus.text_file import check_is_file
from everyword.errors import InputError
from everyword.extras import require


@click.command("skipgram", short_help="Vectors from --corpus by a skip-gram whose centre words --encoder reads.")
@options.overrides
@options.text("--encoder", "MODEL", "A folder or a hub id that transformers loads.", required=True)
@corpus_options
@options.output_file()
@options.run_folder
@options.flag("--prepare-only", "Prepare the corpus and stop, to train on it elsewhere.")
@options.resume
@options.computing
@options.overwrite
@options.quiet
def skipgram(
    *,
    overrides: tuple[str, ...],
    encoder: str,
    corpus: tuple[Path, ...],
    words: Path | None,
    prepared: Path | None,
    workers: int,
    output: Path,
    run_folder: Path | None,
    prepare_only: bool,
    resume: bool,
    device: str,
    precision: str | None,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Make word vectors from what an encoder reads.

    Trains a skip-gram whose centre words are read, in their whole sentence, by a frozen encoder of BERT's or GPT's
    kind. The result is the table of context words: a vector per frequent word of --corpus, or per word and phrase of
    --words.

    The corpus is prepared once, as numbers in a folder, and can then be copied to another machine: with --prepared and
    without --corpus the text is not needed. KEY=VALUE changes the training: window, dim, own_word, weighing (equal,
    each, attention, scaled-attention), states (standardised, centred, raw), rule (sgd, adam, adagrad), learning_rate,
    epochs, batch, subsample, sentences.min_count and more. Ctrl-C stops after the current step; the same command with
    --resume ends with the same vectors as an uninterrupted run. With torchrun, several processes or GPUs train
    together.

    \b
    Examples:
      everyword train skipgram --encoder my-bert --corpus wiki.txt.xz --output words.npy
      everyword train skipgram --encoder my-bert --corpus wiki.txt.xz --words my-words.txt --output words.vec epochs=3
      everyword train skipgram --encoder my-bert --corpus wiki.txt.xz --prepared wiki --prepare-only --output words.npy
      everyword train skipgram --encoder my-bert --prepared wiki --output words.npy --device cuda batch=2048
      torchrun --nproc-per-node 4 -m everyword train skipgram --encoder my-bert --prepared wiki --output words.npy
    """
    from everyword.config import build, override, to_dict
    from everyword.systems.skipgram.config import SkipgramConfig

    run_folder = run_folder_of(output, run_folder)
    prepared = prepared or run_folder / "prepared"
    settings = build(SkipgramConfig, override({}, overrides), "the configuration")
    check_vector_file(output, overwrite or resume, inputs=[words, *corpus])
    check_run_folder(run_folder, resume, overwrite)
    check_corpus_options(corpus, words, prepared)
    listed = read_listed(words, output)
    # The slow imports come last, so that mistakes in the options are reported at once.
    require("transformers", "Training on what an encoder reads")
    from everyword.language_models.language_model import LanguageModel
    from everyword.learning.processes import joined_processes, own_device
    from everyword.systems.skipgram.prepared import PreparedCorpus, prepare
    from everyword.systems.skipgram.train import SkipgramRun, SkipgramTraining

    with warnings_as_lines():
        model = LanguageModel.load(encoder, device=own_device(device), precision=precision)
        model.check_layers(settings.layers)
        with joined_processes(model.device) as processes:
            if processes.first and corpus:
                prepare(
                    corpus,
                    prepared,
                    settings.sentences,
                    model=model,
                    words=listed,
                    workers=workers,
                    overwrite=overwrite,
                    report=say,
                )
            processes.wait()
            if not processes.first:  # all of them would print the same warnings
                warnings.simplefilter("ignore")
            ready = PreparedCorpus.load(prepared)
            ready.check_encoder(model)
            if prepare_only:
                say(f"Prepared the corpus in {prepared}. Train on it with --prepared and without --corpus.")
                return
            check_words_fit(output, ready.vocabulary.words)
            run = SkipgramRun(ready, run_folder, settings, resume, show_progress=not quiet, processes=processes)
            training = SkipgramTraining(model, run)
            table = training.table() if training.train() else None
    if not processes.first:
        return
    if table is None:
        exit_interrupted(f"Stopped; the run is saved in {run_folder}. Continue with the same command and --resume.")
    about = {"config": to_dict(settings), "corpus": ready.record, "states": training.states}
    write_record(output, {"method": "skipgram", **about})
    save_table(table, output)


@click.command("skipgram-words", short_help="New words for a table of skipgram, from sentences; nothing else changes.")
@options.text("--encoder", "MODEL", "The encoder that the table was trained with.", required=True)
@options.file("--table", 'The table of "everyword train skipgram".', required=True)
@options.folder(
    "--contexts", 'New words and their sentences, of "everyword contexts"; repeatable.', multiple=True, required=True
)
@options.output_file("File to save old and new vectors to.")
@options.folder("--run-folder", "Run folder of the table.  [default: TABLE-run]")
@options.folder("--prepared", "Prepared corpus.  [default: TABLE-run/prepared]")
@options.computing
@options.overwrite
def skipgram_words(
    *,
    encoder: str,
    table: Path,
    contexts: tuple[Path, ...],
    output: Path,
    run_folder: Path | None,
    prepared: Path | None,
    device: str,
    precision: str | None,
    overwrite: bool,
) -> None:
    """Add words to a table of "everyword train skipgram".

    Each new word gets the vector that best separates the words beside it from all others, given what the encoder reads
    in its sentences. Nothing else is trained, so this takes milliseconds. It needs the run folder of the table and its
    prepared corpus. A word without sentences is left out; to give such words vectors, make a model of the table with
    "everyword adapt".

    \b
    Examples:
      everyword contexts news.txt.xz --words new.txt --output new-sentences
      everyword train skipgram-words --encoder my-bert --table words.npy --contexts new-sentences --output more.npy
    """
    check_vector_file(output, overwrite, inputs=[table])
    check_is_file(table, "table")
    run_folder = run_folder_of(table, run_folder)
    settings = _settings_of(table)
    require("transformers", "Learning words from what an encoder reads")
    from everyword.corpus.contexts.sentences import read_sentences
    from everyword.language_models.language_model import LanguageModel
    from everyword.learning.loop import CHECKPOINT
    from everyword.systems.skipgram.config import config_of_record
    from everyword.systems.skipgram.new_words import add_words
    from everyword.systems.skipgram.prepared import PreparedCorpus
    from everyword.systems.skipgram.train import SkipgramRun, SkipgramTraining

    if not (run_folder / CHECKPOINT).is_file():
        raise InputError(f"{run_folder} has no checkpoint; give the run folder of {table} by --run-folder.")
    with warnings_as_lines():
        sentences = read_sentences(*contexts)
        ready = PreparedCorpus.load(prepared or run_folder / "prepared")
        run = SkipgramRun(ready, run_folder, config_of_record(settings), resume=True)
        model = LanguageModel.load(encoder, device=device, precision=precision)
        found = add_words(SkipgramTraining(model, run), sentences)
    new = len(found) - len(ready.vocabulary.words)
    write_record(output, {"method": "skipgram-words", "config": settings, "corpus": ready.record, "new_words": new})
    save_table(found, output, remark=f", {new:,} of them new,")


def _settings_of(table: Path) -> dict[str, Any]:
    """Read how a table was trained from the record beside it."""
    try:
        record = json.loads(record_of(table).read_text(encoding="utf-8"))
        if record["method"] == "skipgram":
            return dict(record["config"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise InputError(
        f"{record_of(table)} does not say how {table} was made by 'everyword train skipgram'; copy both together."
    )
