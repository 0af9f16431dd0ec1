"""everyword contexts: the sentences of words, out of a corpus."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.errors import exit_interrupted, warnings_as_lines
from everyword.cli.common.group import Command
from everyword.cli.common.output import say
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.corpus.contexts.find import ShardShare


@click.command(cls=Command, old_options={"--out": "--output"})
@click.argument("corpus", type=options.PATH, nargs=-1, required=True)
@options.file("--words", "Words, one per line, or a frequency list.", required=True)
@options.output_folder("Folder to save the sentences to.")
@options.count("--limit", "Only the first N words.")
@options.count("--sentences", "Maximum sentences per word.", default=100)
@click.option("--shortest", type=int, default=4, show_default=True, help="Minimum words per sentence.")
@click.option(
    "--longest", type=int, default=96, show_default=True, help="Maximum words per sentence; longer lines are split."
)
@options.text("--bands", "N,N", "Counts from which words are medium and frequent.", default="10,100")
@options.text("--field", "NAME", "Field of the text in JSON lines and Parquet.", default="text")
@options.count("--workers", "Number of processes or tasks.  [default: one per core]")
@options.choice(
    "--executor", ["processes", "ray"], "Run in processes on this machine, or on a Ray cluster.", default="processes"
)
@options.text("--shard", "I/N", "For job arrays: read only shard I of N and write no result yet.")
@options.flag("--keep-parts", "Keep the sentences of each file, so that the corpus can grow.")
@options.quiet
def contexts(
    *,
    corpus: tuple[Path, ...],
    words: Path,
    output: Path,
    limit: int | None,
    sentences: int,
    shortest: int,
    longest: int,
    bands: str,
    field: str,
    workers: int | None,
    executor: str,
    shard: str | None,
    keep_parts: bool,
    quiet: bool,
) -> None:
    """Find sentences of words in a corpus.

    CORPUS is one or more files of UTF-8 text (a sentence or paragraph per line), JSON lines or Parquet; text and JSON
    lines may be compressed (.gz, .xz, .zst). The result has the count of each word, its frequency band and a sample of
    different sentences, which does not depend on the number of workers. To continue a run that was stopped, give the
    same command again.

    \b
    Examples:
      everyword contexts wiki-*.txt.xz --words words.txt --output contexts
      everyword contexts news.jsonl.zst --words words.txt --output contexts --field body --sentences 20
      everyword contexts wiki-*.txt --words words.txt --output contexts --shard 3/16
      everyword contexts wiki-*.txt --words words.txt --output contexts --executor ray
    """
    from everyword.corpus.contexts.find import ContextSearch, find_contexts
    from everyword.corpus.contexts.spec import FrequencyBands, SearchOptions, SearchSpec, SentenceBounds
    from everyword.corpus.executors import executor_for
    from everyword.corpus.word_list import read_words, unique_words

    medium, frequent = _two_numbers(bands, ",", "--bands", "10,100")
    search_options = SearchOptions(
        sentences, SentenceBounds(shortest, longest), FrequencyBands(medium, frequent), field
    )
    share = _share(shard)
    spec = SearchSpec(unique_words(read_words(words, limit)), search_options)
    size = sum(file.stat().st_size for file in corpus if file.is_file())
    with warnings_as_lines(), _progress(size // (share.of if share else 1), quiet) as progress:
        search = ContextSearch(spec, corpus, output, executor_for(executor, workers), share, keep_parts, progress)
        finished = find_contexts(search)
    if not finished:
        exit_interrupted("Stopped; what was read is saved. Continue with the same command.")
    say(_summary(output) if share is None else f"Shard {shard} is done; run without --shard when all shards are.")


@contextmanager
def _progress(size: int, quiet: bool) -> Iterator[Callable[[int], object]]:
    if quiet:
        yield lambda read: None
        return
    with click.progressbar(length=size, label="reading", file=sys.stderr) as bar:
        yield bar.update


def _two_numbers(text: str, between: str, option: str, example: str) -> tuple[int, int]:
    try:
        first, second = map(int, text.split(between))
    except ValueError:
        raise InputError(f"{option} takes two whole numbers, as in {example}. Got {text!r} instead.") from None
    return first, second


def _share(shard: str | None) -> ShardShare | None:
    from everyword.corpus.contexts.find import ShardShare

    return None if shard is None else ShardShare(*_two_numbers(shard, "/", "--shard", "3/16"))


def _summary(folder: Path) -> str:
    from everyword.corpus.contexts.result import read_record

    record = read_record(folder)
    assert record is not None  # it was just written
    bands = ", ".join(f"{count:,} {band}" for band, count in record["bands"].items())
    return f"Saved the sentences of {record['words']:,} words ({bands}) to {folder}."
