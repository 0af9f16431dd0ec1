"""everyword convert: one table format into another."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_vector_file
from everyword.cli.common.output import say
from everyword.registry import vector_formats


@click.command()
@click.argument("source", type=options.PATH)
@click.argument("target", type=options.PATH)
@options.choice("--from", [*vector_formats], "Format to read.  [default: by content]", to="source_format")
@options.choice("--to", options.WRITABLE, "Format to write.  [default: by the suffix]", to="target_format")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Only the first N rows.")
@options.flag("--lenient", "Skip and count bad rows instead of stopping at the first.")
@options.overwrite
def convert(
    *,
    source: Path,
    target: Path,
    source_format: str | None,
    target_format: str | None,
    limit: int | None,
    lenient: bool,
    overwrite: bool,
) -> None:
    """Convert a vector file to another format.

    Rows are read block by block, so a file may be larger than memory. SOURCE may be compressed (.gz, .xz, .zip or
    .tgz); TARGET is compressed if its name ends in .gz or .xz, and appears only when it is complete. See
    "everyword list" for all formats.

    \b
    Examples:
      everyword convert glove.6B.100d.txt glove.npy
      everyword convert GoogleNews-vectors-negative300.bin.gz news.vec --limit 100000
      everyword convert scraped.vec clean.vec --lenient
    """
    check_vector_file(target, overwrite, format=target_format)
    from everyword.vectors.problems import Problems
    from everyword.vectors.read import open_rows
    from everyword.vectors.write import open_writer

    problems, written = Problems(lenient=lenient), 0
    with open_rows(source, format=source_format, limit=limit, problems=problems) as rows:
        # A count that the header gives is kept to in strict reading; lenient reading may fall short of it.
        count = None if lenient else rows.count
        with open_writer(target, rows.dim, format=target_format, count=count) as writer:
            for words, matrix in rows:
                writer.write(words, matrix)
                written += len(words)
    if problems:
        say(problems.summary())
    say(f"Saved {written:,} vectors of dimension {rows.dim} to {target}.")
