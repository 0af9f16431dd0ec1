"""everyword contexts: the sentences of words, out of a corpus."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.errors import INTERRUPTED, warnings_as_lines
from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.corpus.contexts.executors import Executor
    from everyword.corpus.contexts.find import ShardShare

path = click.Path(path_type=Path)


@click.command()
@click.argument("corpus", type=path, nargs=-1, required=True)
@click.option("--words", type=path, required=True, metavar="FILE", help="The words: one a line, or a frequency list.")
@click.option("--out", type=path, required=True, metavar="FOLDER", help="Where the result goes.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N words.")
@click.option("--sentences", type=click.IntRange(min=1), default=100, show_default=True, help="At most so many a word.")
@click.option("--shortest", type=int, default=4, show_default=True, help="Words that a sentence has at least.")
@click.option("--longest", type=int, default=96, show_default=True, help="Words; a longer line is cut.")
@click.option(
    "--bands", default="10,100", show_default=True, metavar="N,N", help="Counts at which words are medium and frequent."
)
@click.option(
    "--field", default="text", show_default=True, metavar="NAME", help="Where JSON lines and Parquet have the text."
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="How many at a time.  [default: one for each core]"
)
@click.option(
    "--executor",
    type=click.Choice(["processes", "ray"]),
    default="processes",
    show_default=True,
    help="Who does the work: processes here, or a Ray cluster.",
)
@click.option("--shard", metavar="I/N", help="Only every N-th shard from the I-th on, for job arrays; no result yet.")
@click.option("--keep-parts", is_flag=True, help="Keep what was found file by file, so that a corpus can grow.")
@click.option("--quiet", is_flag=True, help="Show no progress bar.")
def contexts(
    *,
    corpus: tuple[Path, ...],
    words: Path,
    out: Path,
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

    CORPUS is one or more files of UTF-8 text (a sentence or a paragraph a line), JSON lines or Parquet; text and
    JSON lines plain or compressed (.gz, .xz, .zst). The result has, for each word, how often it is mentioned, its
    frequency band and up to N different sentences, the same ones whatever the number of workers. A run that was
    stopped goes on where it was when the same command is given again.

    \b
    Examples:
      everyword contexts wiki-*.txt.xz --words words.txt --out contexts
      everyword contexts news.jsonl.zst --words words.txt --out contexts --field body --sentences 20
      everyword contexts wiki-*.txt --words words.txt --out contexts --shard 3/16
      everyword contexts wiki-*.txt --words words.txt --out contexts --executor ray
    """
    from everyword.corpus.contexts.find import ContextSearch, find_contexts
    from everyword.corpus.contexts.spec import FrequencyBands, SearchOptions, SearchSpec, SentenceBounds
    from everyword.corpus.word_list import read_words, unique_words

    medium, frequent = _two_numbers(bands, ",", "--bands", "10,100")
    options = SearchOptions(sentences, SentenceBounds(shortest, longest), FrequencyBands(medium, frequent), field)
    share = _share(shard)
    spec = SearchSpec(unique_words(read_words(words, limit)), options)
    size = sum(file.stat().st_size for file in corpus if file.is_file())
    with warnings_as_lines(), _progress(size // (share.of if share else 1), quiet) as progress:
        finished = find_contexts(
            ContextSearch(spec, corpus, out, _executor(executor, workers), share, keep_parts, progress)
        )
    if not finished:
        click.echo("Stopped; what was read is kept. Go on with the same command.", err=True)
        raise click.exceptions.Exit(INTERRUPTED)
    click.echo(_told(out) if share is None else f"share {shard} is done; run without --shard when all are", err=True)


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


def _executor(name: str, workers: int | None) -> Executor:
    workers = workers or os.cpu_count() or 1
    if name == "ray":
        from everyword.corpus.contexts.executors import ray_executor

        return ray_executor(workers)
    from everyword.corpus.contexts.executors import process_executor

    return process_executor(workers)


def _told(folder: Path) -> str:
    from everyword.corpus.contexts.result import read_record

    record = read_record(folder)
    assert record is not None  # it was just written
    bands = ", ".join(f"{count:,} {band}" for band, count in record["bands"].items())
    return f"wrote the sentences of {record['words']:,} words ({bands}) to {folder}"
