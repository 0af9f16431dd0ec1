"""everyword convert: one table format into another."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.registry import vector_formats

path = click.Path(path_type=Path)


@click.command()
@click.argument("source", type=path)
@click.argument("target", type=path)
@click.option(
    "--from", "source_format", type=click.Choice([*vector_formats]), help="Read this format.  [default: by content]"
)
@click.option(
    "--to", "target_format", type=click.Choice([*vector_formats]), help="Write this format.  [default: by suffix]"
)
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Only the first N rows.")
@click.option("--lenient", is_flag=True, help="Skip and count bad rows instead of stopping at the first.")
def convert(
    *,
    source: Path,
    target: Path,
    source_format: str | None,
    target_format: str | None,
    limit: int | None,
    lenient: bool,
) -> None:
    """Turn a vector file into another format.

    Rows go through block by block, so a table may be larger than memory. The source may be compressed (.gz, .xz,
    a .zip or .tgz); a target that ends in .gz or .xz will be. The target appears only when it is complete. See
    "everyword list" for all formats.

    \b
    Examples:
      everyword convert glove.6B.100d.txt glove.npy
      everyword convert GoogleNews-vectors-negative300.bin.gz news.vec --limit 100000
      everyword convert scraped.vec clean.vec --lenient
    """
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
        click.echo(problems.summary(), err=True)
    click.echo(f"wrote {written:,} vectors of dimension {rows.dim} to {target}", err=True)
