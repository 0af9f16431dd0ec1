"""Options and checks of the programs that make vector files from a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file, check_vector_file
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.systems.skipgram.baselines.syntax import Parser

corpus_options = options.together(
    options.file("--corpus", "Text, a sentence per line, or CoNLL-U (.conllu); repeatable.", multiple=True),
    options.file("--words", "Words and phrases, one per line.  [default: the frequent words of the corpus]"),
    options.folder("--prepared", "The prepared corpus.  [default: OUTPUT-run/prepared]"),
    options.count("--workers", "Number of processes that prepare the corpus.", default=1),
)


def check_corpus_options(corpus: tuple[Path, ...], words: Path | None, prepared: Path) -> None:
    """Refuse a run without text, and words for a corpus that is prepared already."""
    from everyword.systems.skipgram.config import RECORD

    if not corpus and not (prepared / RECORD).exists():
        raise click.UsageError(f"Give text files by --corpus; {prepared} is not a prepared corpus.")
    if words is not None and not corpus:
        raise click.UsageError("--words goes with --corpus; a prepared corpus has its words already.")


def check_parser_option(method: str, corpus: tuple[Path, ...], parser: str | None) -> None:
    """Refuse a parser that would not be used, and text that is not parsed and has no parser."""
    if method != "dependency":
        if parser is not None:
            raise click.UsageError(f"--parser goes with dependency; {method} does not use syntax.")
        return
    from everyword.systems.skipgram.baselines.syntax import not_parsed
    from everyword.systems.skipgram.conllu import is_parsed

    if not corpus:
        raise click.UsageError("dependency needs --corpus; a prepared corpus has no syntax.")
    plain = [path for path in corpus if not is_parsed(path)]
    if plain and parser is None:
        raise not_parsed(plain[0])


def check_contexts_option(
    method: str, output: Path, contexts: Path | None, overwrite: bool, inputs: Sequence[Path | None]
) -> None:
    """Refuse context vectors of a method whose contexts are not words, and a file that could not be written."""
    from everyword.vectors.context_pair import description_of

    if contexts is None:
        return
    if method == "dependency":
        raise click.UsageError("--contexts goes with methods whose contexts are words; those of dependency are not.")
    if contexts.absolute() == output.absolute():
        raise InputError(f"{output} cannot hold both word and context vectors; give --contexts another file.")
    check_vector_file(contexts, overwrite, inputs=inputs)
    check_file(description_of(contexts), overwrite)


def load_parser(name: str | None) -> Parser | None:
    """Load the parser, if one is named."""
    if name is None:
        return None
    from everyword.systems.skipgram.baselines.syntax import Parser

    return Parser(name)


def check_words_fit(output: Path, words: Sequence[str]) -> None:
    """Refuse a file whose format cannot hold the words before the training; most formats cannot hold phrases."""
    import numpy as np

    from everyword.vectors.table import VectorTable

    with TemporaryDirectory() as folder:
        VectorTable(words, np.zeros((len(words), 1), dtype=np.float32)).save(Path(folder) / output.name)


def read_listed(words: Path | None, output: Path) -> list[str] | None:
    """Read the list of words, if there is one; refuse words that the output cannot hold."""
    if words is None:
        return None
    from everyword.corpus.word_list import read_words

    listed = read_words(words)
    check_words_fit(output, listed)
    return listed


def record_of(output: Path) -> Path:
    """Return the path of the record that says how a vector file was made."""
    return output.with_name(output.name + ".record.json")


def write_record(output: Path, record: dict[str, Any]) -> None:
    """Save the record of how a vector file was made."""
    import json

    from everyword import __version__
    from everyword.atomic import write_atomic

    text = json.dumps({**record, "everyword": __version__}, indent=2, ensure_ascii=False)
    write_atomic(record_of(output), text + "\n")
