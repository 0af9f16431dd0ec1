"""everyword encode: words in, vectors out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyword.cli.common.options import model_option
from everyword.cli.common.streams import Words, batches, open_text, text_file
from everyword.registry import vector_formats

if TYPE_CHECKING:
    from everyword.arrays import FloatArray

JSON_LINES = "jsonl"
JSON_LINES_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.xz")
BATCH = 1024

Put = Callable[[Sequence[str], Sequence[str], "FloatArray"], object]
"""Takes words, where their vectors come from, and the vectors."""


@click.command()
@click.argument("words", nargs=-1)
@click.option("--input", "input_path", type=text_file, metavar="FILE", help="Read words from a file, one a line.")
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write to a file; its suffix tells the format."
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice([*vector_formats, JSON_LINES]),
    help="Write this format, whatever the suffix.",
)
@model_option
def encode(
    *,
    words: tuple[str, ...],
    input_path: Path | None,
    output: Path | None,
    format_name: str | None,
    model_name: str | None,
) -> None:
    """Give every word a vector.

    Words come as arguments, from --input or from standard input, one a line, and go through in small batches.
    Without --output, each becomes a line of JSON with its "word", its "source" (known: stored with the model;
    retrieved: mostly that of known words of similar spelling; inferred: made from its own spelling; none: nothing of
    the word is known) and its "vector". A word without a vector gets zeros. Blank lines are skipped. A line on
    standard error says how many there were of each.

    JSON lines keep order and repeats. A table (.vec, .txt, .glove, .bin, .npy with its .words.txt) holds a word
    once: repeats are left out and counted.

    \b
    Examples:
      everyword encode mispelling leukamia
      everyword encode --input words.txt --output vectors.npy
      sort -u words.txt | everyword encode --output vectors.vec
      everyword encode --input words.txt --output vectors.jsonl.gz --model my-model
    """
    from everyword.models.load import load

    if output is None and format_name not in (None, JSON_LINES):
        raise click.UsageError(f"A table of format {format_name!r} needs --output.")
    source = Words(words, input_path)
    model = load(model_name)
    counts: Counter[str] = Counter()
    with _open_destination(output, format_name, model.dim) as (put, is_table):
        for batch in batches(_each_once(source, counts) if is_table else source, BATCH):
            sources = [model.source(word).value for word in batch]
            put(batch, sources, model.encode(batch))
            counts.update(sources)
    counts["blank"] = source.blank
    click.echo(_summary(counts), err=True)


@contextmanager
def _open_destination(output: Path | None, format_name: str | None, dim: int) -> Iterator[tuple[Put, bool]]:
    """Where vectors go, and whether it is a table."""
    by_suffix = output is None or output.name.endswith(JSON_LINES_SUFFIXES)
    if output is None or format_name == JSON_LINES or (format_name is None and by_suffix):
        with open_text(output) as write:
            yield lambda *rows: write(_json_lines(*rows)), False
    else:
        from everyword.vectors.write import open_writer

        with open_writer(output, dim, format=format_name) as writer:
            yield lambda words, sources, vectors: writer.write(words, vectors), True


def _json_lines(words: Sequence[str], sources: Sequence[str], vectors: FloatArray) -> str:
    # Numbers are written by NumPy: the shortest digits that read back as the same float32.
    return "".join(
        f'{{"word": {json.dumps(word, ensure_ascii=False)}, "source": "{source}", '
        f'"vector": [{", ".join(map(str, vector))}]}}\n'
        for word, source, vector in zip(words, sources, vectors, strict=True)
    )


def _each_once(words: Iterable[str], counts: Counter[str]) -> Iterator[str]:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            counts["repeated"] += 1
        else:
            seen.add(word)
            yield word


def _summary(counts: Counter[str]) -> str:
    known, retrieved, inferred, none = (counts[source] for source in ("known", "retrieved", "inferred", "none"))
    total = known + retrieved + inferred + none
    # A model without a gate retrieves nothing, and its users need not hear of it.
    parts = [f"{known:,} known", *([f"{retrieved:,} retrieved"] if retrieved else []), f"{inferred:,} inferred"]
    text = f"{total:,} word{'' if total == 1 else 's'}: {', '.join(parts)}, {none:,} without a vector"
    skipped = [f"{counts[why]:,} {why}" for why in ("blank", "repeated") if counts[why]]
    return f"{text}; skipped {', '.join(skipped)}" if skipped else text
