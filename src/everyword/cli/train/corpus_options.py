"""Options of the programs that make static vectors from a corpus, and what they check alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.systems.skipgram.baselines.syntax import Parser

path = click.Path(path_type=Path)


def corpus_options(command: Callable[..., None]) -> Callable[..., None]:
    """The corpus, as files or prepared, the words, and how many processes prepare it."""
    for option in (
        click.option(
            "--workers",
            type=click.IntRange(min=1),
            default=1,
            show_default=True,
            metavar="N",
            help="Processes that prepare the corpus.",
        ),
        click.option(
            "--prepared", type=path, metavar="FOLDER", help="The prepared corpus.  [default: OUTPUT-run/prepared]"
        ),
        click.option(
            "--words", type=path, metavar="FILE", help="Words and phrases, one a line.  [default: the frequent ones]"
        ),
        click.option(
            "--corpus",
            type=path,
            multiple=True,
            metavar="FILE",
            help="Text, a sentence a line, or CoNLL-U (.conllu); may be repeated.",
        ),
    ):
        command = option(command)
    return command


def check_corpus_options(corpus: tuple[Path, ...], words: Path | None, prepared: Path) -> None:
    """Refuse a run that has nothing to read, and words that come too late."""
    from everyword.systems.skipgram.config import RECORD

    if not corpus and not (prepared / RECORD).exists():
        raise click.UsageError(f"Give text files by --corpus; {prepared} holds no prepared corpus to go on with.")
    if words is not None and not corpus:
        raise click.UsageError("--words goes with --corpus; a prepared corpus has its words already.")


def check_parser_option(method: str, corpus: tuple[Path, ...], parser: str | None) -> None:
    """Refuse a parser that would not be asked, and text whose syntax nobody knows."""
    if method != "dependency":
        if parser is not None:
            raise click.UsageError(f"--parser goes with dependency; {method} does not look at syntax.")
        return
    from everyword.systems.skipgram.baselines.syntax import not_parsed
    from everyword.systems.skipgram.conllu import is_parsed

    if not corpus:
        raise click.UsageError("dependency needs --corpus: a prepared corpus has words and sentences, but no syntax.")
    plain = [path for path in corpus if not is_parsed(path)]
    if plain and parser is None:
        raise not_parsed(plain[0])


def load_parser(name: str | None) -> Parser | None:
    """The parser of a name, if there is one."""
    if name is None:
        return None
    from everyword.systems.skipgram.baselines.syntax import Parser

    return Parser(name)


def check_output(output: Path, overwrite: bool) -> None:
    """Refuse a place where the table could not be written, or where another file lies."""
    from everyword.atomic import AtomicFiles
    from everyword.vectors.formats.guess import format_for_writing

    format_for_writing(output, None)
    AtomicFiles(output)
    if output.exists() and not overwrite:
        raise InputError(f"{output} is there already; choose another --output, or replace it with --overwrite.")


def check_words_fit(output: Path, words: Sequence[str]) -> None:
    """Refuse, before the training, a file whose format cannot hold the words: most hold no phrases."""
    import numpy as np

    from everyword.vectors.table import VectorTable

    with TemporaryDirectory() as folder:
        VectorTable(words, np.zeros((len(words), 1), dtype=np.float32)).save(Path(folder) / output.name)


def read_listed(words: Path | None, output: Path) -> list[str] | None:
    """The words of a list, if there is one; the output must be able to hold them."""
    if words is None:
        return None
    from everyword.corpus.word_list import read_words

    listed = read_words(words)
    check_words_fit(output, listed)
    return listed


def run_folder_of(output: Path) -> Path:
    """Where what is needed on the way to a file is kept, unless told otherwise."""
    return output.with_name(output.name + "-run")


def record_of(output: Path) -> Path:
    """Where is kept how a table was made."""
    return output.with_name(output.name + ".record.json")


def write_record(output: Path, record: dict[str, Any]) -> None:
    """Keep beside a table how it was made."""
    import json

    from everyword import __version__
    from everyword.atomic import write_atomic

    text = json.dumps({**record, "everyword": __version__}, indent=2, ensure_ascii=False)
    write_atomic(record_of(output), text + "\n")
