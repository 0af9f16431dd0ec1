"""everyword train skipgram-words: new words for a table of everyword train skipgram."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from everyword.cli.common.errors import warnings_as_lines
from everyword.cli.common.options import computing_options
from everyword.cli.spaces import say
from everyword.cli.train.corpus_options import check_output, record_of, run_folder_of, write_record
from everyword.corpus.text_file import check_is_file
from everyword.errors import InputError
from everyword.extras import require

path = click.Path(path_type=Path)
METHOD = "skipgram-words"
SUMMARY = "New words for a table of skipgram, from sentences; all other vectors stay as they are."


@click.command(METHOD, short_help=SUMMARY)
@click.option("--encoder", required=True, metavar="MODEL", help="The encoder that the table was trained with.")
@click.option("--table", type=path, required=True, metavar="FILE", help='The table of "everyword train skipgram".')
@click.option(
    "--contexts",
    type=path,
    multiple=True,
    required=True,
    metavar="FOLDER",
    help='New words and their sentences, of "everyword contexts"; may be given several times.',
)
@click.option("--output", type=path, required=True, metavar="FILE", help="Where old and new vectors go together.")
@click.option("--run-folder", type=path, metavar="FOLDER", help="Of the table's training.  [default: TABLE-run]")
@click.option("--prepared", type=path, metavar="FOLDER", help="Its corpus.  [default: TABLE-run/prepared]")
@computing_options
@click.option("--overwrite", is_flag=True, help="Replace a table that is there already.")
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
    """Give new words vectors in a table that is trained.

    Each gets the vector that tells the words beside it from all others, by what the encoder says of them in the
    sentences of the new word; nothing else is learnt, and that takes milliseconds. The state of the table's
    training and its prepared corpus are needed. A word without sentences is left out: for those, make a model of the
    table by "everyword adapt".

    \b
    Examples:
      everyword contexts news.txt.xz --words new.txt --out new-sentences
      everyword train skipgram-words --encoder my-bert --table words.npy --contexts new-sentences --output more.npy
    """
    check_output(output, overwrite)
    check_is_file(table, "table")
    run_folder = run_folder or run_folder_of(table)
    settings = _settings(table)
    require("transformers", "Learning words from what an encoder reads")
    from everyword.config import build
    from everyword.corpus.contexts.sentences import read_sentences
    from everyword.language_models.language_model import LanguageModel
    from everyword.learning.loop import CHECKPOINT
    from everyword.systems.skipgram.config import SkipgramConfig
    from everyword.systems.skipgram.new_words import add_words
    from everyword.systems.skipgram.prepared import PreparedCorpus
    from everyword.systems.skipgram.train import SkipgramRun, SkipgramTraining

    if not (run_folder / CHECKPOINT).is_file():
        raise InputError(f"{run_folder} holds no training; say by --run-folder where that of {table} lies.")
    with warnings_as_lines():
        sentences = read_sentences(*contexts)
        ready = PreparedCorpus.load(prepared or run_folder / "prepared")
        run = SkipgramRun(ready, run_folder, build(SkipgramConfig, settings), resume=True)
        found = add_words(
            SkipgramTraining(LanguageModel.load(encoder, device=device, precision=precision), run), sentences
        )
    found.save(output)
    new = len(found) - len(ready.vocabulary.words)
    write_record(output, {"method": METHOD, "config": settings, "corpus": ready.record, "new_words": new})
    say(f"wrote {len(found):,} vectors to {output}, {new:,} of them new")


def _settings(table: Path) -> dict[str, Any]:
    """How the table was trained, as is told beside it."""
    try:
        record = json.loads(record_of(table).read_text(encoding="utf-8"))
        if record["method"] == "skipgram":
            return dict(record["config"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise InputError(f'{record_of(table)} does not say how {table} was made by "everyword train skipgram"; get it too.')
