"""everyword search: the texts of a file that are nearest to a query."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common import options
from everyword.cli.common.progress import text_bar
from everyword.cli.common.streams import Words, batches
from everyword.cli.embed import on_missing

if TYPE_CHECKING:
    from everyword.corpus.search import Found

QUERIES_AT_ONCE = 256


@click.command()
@click.argument("corpus", type=options.PATH)
@click.argument("queries", nargs=-1)
@options.count("-k", "Number of texts.", to="--count", default=5)
@options.text("--column", "NAME", "Column or field of the texts.", default="text")
@options.model
@on_missing
@options.flag("--rebuild", "Make the index again.")
@options.json_lines
@options.quiet
def search(
    *,
    corpus: Path,
    queries: tuple[str, ...],
    count: int,
    column: str,
    model_name: str | None,
    missing: str,
    rebuild: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Search the texts of a file by meaning.

    CORPUS is a file of texts: JSON lines, CSV and Parquet with the texts in --column, or plain text with a text per
    line; all but Parquet may be packed (.gz, .xz, .bz2, .zst). Below each query are its cosine to a text, the row of
    the text in the file, from 0, and the text. Without queries, they are read from standard input, one per line.

    The first search makes an index beside the file (CORPUS.everyword-index), or in the cache folder if that place
    cannot be written to. It is made again when the file or the model changes.

    \b
    Examples:
      everyword search corpus.jsonl "leukamia treatmnt"
      everyword search reviews.csv --column review "frendly stuff" "bad brekfast" -k 3
      cat queries.txt | everyword search texts.txt --json
    """
    source = Words(queries)
    from everyword.corpus.search import FileSearch
    from everyword.models.load import load

    with text_bar(quiet) as progress:
        opened = FileSearch.open(
            corpus, load(model_name), column=column, missing=missing, rebuild=rebuild, progress=progress
        )
    show = _as_json if as_json else _as_text
    for batch in batches(source, QUERIES_AT_ONCE):
        for query, found in zip(batch, opened.search(batch, count), strict=True):
            click.echo(show(query, found))
    source.remark_blank()


def _as_json(query: str, found: list[Found]) -> str:
    listed = [{"row": row, "cosine": round(cosine, 6), "text": text} for row, cosine, text in found]
    return json.dumps({"query": query, "texts": listed}, ensure_ascii=False)


def _as_text(query: str, found: list[Found]) -> str:
    if not found:
        return f"{query}: it has no words that could be searched for."
    wide = len(str(max(row for row, _, _ in found)))
    lines = [f"  {cosine:6.3f}  {row:>{wide}}  {' '.join(text.split())}" for row, cosine, text in found]
    return "\n".join([query, *map(_shortened, lines)])


def _shortened(line: str) -> str:
    """Cut a line to the width of the terminal; what goes to a file or another program stays whole."""
    width = shutil.get_terminal_size().columns
    return line if len(line) <= width or not sys.stdout.isatty() else line[: width - 1] + "…"
