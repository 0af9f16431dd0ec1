"""everyword train skipgram: a table of word vectors from an encoder and a corpus."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.checks import check_run_folder
from everyword.cli.common.errors import INTERRUPTED, warnings_as_lines
from everyword.cli.common.options import computing_options
from everyword.cli.spaces import say
from everyword.cli.train.corpus_options import (
    check_corpus_options,
    check_output,
    check_words_fit,
    corpus_options,
    read_listed,
    run_folder_of,
    write_record,
)
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.systems.skipgram.config import SkipgramConfig

path = click.Path(path_type=Path)
SUMMARY = "A table of vectors from --corpus, by a skip-gram whose centre words --encoder reads."


@click.command("skipgram", short_help=SUMMARY)
@click.argument("overrides", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--encoder", required=True, metavar="MODEL", help="A folder or a hub id that transformers loads.")
@corpus_options
@click.option("--output", type=path, required=True, metavar="FILE", help="Where the vectors go; suffix tells format.")
@click.option("--run-folder", type=path, metavar="FOLDER", help="Checkpoint and log.  [default: OUTPUT-run]")
@click.option("--prepare-only", is_flag=True, help="Prepare the corpus and stop; it is then trained on elsewhere.")
@click.option("--resume", is_flag=True, help="Go on where the run folder stands.")
@computing_options
@click.option("--overwrite", is_flag=True, help="Replace a table or a run that is there already.")
@click.option("--quiet", is_flag=True, help="Show no progress bars.")
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

    A skip-gram whose centre words are read by a frozen encoder in their whole sentence. The table of context words is
    the result: one vector for each word that stands in --corpus often enough, or for each word and phrase of --words.
    ENCODER is anything that transformers loads, of BERT's kind or of GPT's.

    The corpus is prepared once, as numbers in a folder, and can then be carried to another machine: with --prepared
    and without --corpus the text is not needed. KEY=VALUE changes the training: window, dim, own_word, weighing (each,
    equal, attention), rule (adam, adagrad, sgd), learning_rate, epochs, batch, subsample, sentences.min_count and more.
    Ctrl-C stops after the current step, and the same command with --resume ends with the same table as if it had
    never stopped. With torchrun, several processes or GPUs train together.

    \b
    Examples:
      everyword train skipgram --encoder my-bert --corpus wiki.txt.xz --output words.npy
      everyword train skipgram --encoder my-bert --corpus wiki.txt.xz --words my-words.txt --output words.vec epochs=3
      everyword train skipgram --encoder my-bert --corpus wiki.txt.xz --prepared wiki --prepare-only --output words.npy
      everyword train skipgram --encoder my-bert --prepared wiki --output words.npy --device cuda batch=2048
      torchrun --nproc-per-node 4 -m everyword train skipgram --encoder my-bert --prepared wiki --output words.npy
    """
    run_folder = run_folder or run_folder_of(output)
    prepared = prepared or run_folder / "prepared"
    settings = _settings(overrides)
    check_output(output, overwrite or resume)
    check_run_folder(run_folder, resume, overwrite)
    check_corpus_options(corpus, words, prepared)
    listed = read_listed(words, output)
    # The slow imports come last: whatever is wrong above is told at once.
    require("transformers", "Training on what an encoder reads")
    from everyword.language_models.language_model import LanguageModel
    from everyword.learning.processes import joined_processes, own_device
    from everyword.systems.skipgram.prepared import PreparedCorpus, prepare
    from everyword.systems.skipgram.train import SkipgramRun, train_skipgram

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
                    tell=say,
                )
            processes.wait()
            if not processes.first:  # what all of them see is told once
                warnings.simplefilter("ignore")
            ready = PreparedCorpus.load(prepared)
            ready.check_encoder(model)
            if prepare_only:
                say(f"The corpus is prepared in {prepared}. Train on it with --prepared and without --corpus.")
                return
            check_words_fit(output, ready.vocabulary.words)
            run = SkipgramRun(ready, run_folder, settings, resume, show_progress=not quiet, processes=processes)
            table = train_skipgram(model, run)
    if not processes.first:
        return
    if table is None:
        click.echo(f"Stopped; the run is kept in {run_folder}. Go on with the same command and --resume.", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    from everyword.config import to_dict

    table.save(output)
    write_record(output, {"method": "skipgram", "config": to_dict(settings), "corpus": ready.record})
    say(f"wrote {len(table):,} vectors of dimension {table.dim} to {output}")


def _settings(overrides: tuple[str, ...]) -> SkipgramConfig:
    from everyword.config import build, override
    from everyword.systems.skipgram.config import SkipgramConfig

    return build(SkipgramConfig, override({}, overrides), "the configuration")
