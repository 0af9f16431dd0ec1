"""everyword encode: words in, vectors out."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from everyword.cli.common import options
from everyword.cli.common.checks import check_file, check_vector_file
from everyword.cli.common.output import say
from everyword.cli.common.streams import Words, batches, open_text, text_file
from everyword.errors import InputError
from everyword.extras import require

if TYPE_CHECKING:
    from everyword.arrays import FloatArray

RECORDS = {
    "jsonl": (".jsonl", ".jsonl.gz", ".jsonl.xz"),
    "csv": (".csv", ".csv.gz", ".csv.xz"),
    "parquet": (".parquet",),
}
"""Formats with a row per word and its source, and their suffixes."""
SOURCES = ("known", "retrieved", "composed", "number", "symbol", "transliterated", "inferred")
ALWAYS_TOLD = ("known", "inferred")
MATRIX = "npy"
BATCH = 1024

Put = Callable[[Sequence[str], Sequence[str], "FloatArray"], object]
"""Takes words, where their vectors come from, and the vectors."""


@click.command()
@click.argument("words", nargs=-1)
@click.option("--input", "input_path", type=text_file, metavar="FILE", help="File to read words from, one per line.")
@options.output_file(required=False)
@options.choice(
    "--format", [*RECORDS, *options.WRITABLE], "Format to write.  [default: by the suffix, or jsonl]", to="format_name"
)
@options.model
@options.overwrite
def encode(
    *,
    words: tuple[str, ...],
    input_path: Path | None,
    output: Path | None,
    format_name: str | None,
    model_name: str | None,
    overwrite: bool,
) -> None:
    """Give every word a vector.

    Words are arguments, or lines of --input or standard input. Without --output, each becomes a line of JSON with
    its "word", "source" and "vector". The source is known (stored with the model), retrieved (mostly the vectors of
    known words of similar spelling), inferred (made from the spelling), composed (of the parts of a phrase or
    hashtag), number, symbol, transliterated (from another script) or none: such a word has a vector of zeros. A line
    on standard error counts them.

    \b
    What a file holds depends on its format:
      .jsonl .csv .parquet     word, source and vector of every word; blank lines are skipped
      .npy and its .words.txt  a row for every line, with zeros for blank ones
      .vec .txt .glove .bin    a vector table: every word once, without blank and repeated lines

    \b
    Examples:
      everyword encode mispelling leukamia
      everyword encode --input words.txt --output vectors.npy
      sort -u words.txt | everyword encode --output vectors.vec
      everyword encode --input words.txt --output vectors.jsonl.gz --model my-model
    """
    if output is None and format_name not in (None, "jsonl"):
        raise click.UsageError(f"The format {format_name!r} needs --output.")
    form = format_name or _format_of(output)
    source = Words(words, input_path, keep_blank=form == MATRIX)
    if output is not None:
        if form in RECORDS:
            check_file(output, overwrite, inputs=[input_path])
        else:
            check_vector_file(output, overwrite, format=form, inputs=[input_path])
    from everyword.models.load import load

    model = load(model_name)
    counts: Counter[str] = Counter()
    with _open_writer(output, form, model.dim) as put:
        chosen = source if form in RECORDS or form == MATRIX else _each_once(source, counts)
        for batch in batches(chosen, BATCH):
            vectors, origins = model.encode_with_origins(batch)
            sources = [origin.source.value for origin in origins]
            put(batch, sources, vectors)
            counts.update(kind for word, kind in zip(batch, sources, strict=True) if word)
    say(_summary(counts, source.blank, "with zeros" if form == MATRIX else None))


def _format_of(output: Path | None) -> str:
    """Choose the format of records by the suffix; that of vector files is found by the library."""
    if output is None:
        return "jsonl"
    for name, suffixes in RECORDS.items():
        if output.name.endswith(suffixes):
            return name
    from everyword.vectors.formats.guess import format_for_writing

    try:
        return format_for_writing(output, None).name
    except InputError:
        raise InputError(
            f"{output}: the format is not clear from the name; use one of the suffixes .jsonl .csv .parquet .npy .vec "
            ".txt .glove .bin, or name it by --format."
        ) from None


@contextmanager
def _open_writer(output: Path | None, form: str, dim: int) -> Iterator[Put]:
    if form in {"parquet", MATRIX}:
        assert output is not None  # only JSON lines go to standard output
        with _open_atomic(output, form, dim) as put:
            yield put
    elif form in RECORDS:
        with open_text(output) as write:
            if form == "csv":
                write(_csv_lines([["word", "source", *(f"v{column}" for column in range(dim))]]))
            yield lambda *rows: write(_json_lines(*rows) if form == "jsonl" else _csv_lines(_csv_rows(*rows)))
    else:
        from everyword.vectors.write import open_writer

        assert output is not None
        with open_writer(output, dim, format=form) as writer:
            yield lambda words, sources, vectors: writer.write(words, vectors)


@contextmanager
def _open_atomic(output: Path, form: str, dim: int) -> Iterator[Put]:
    from everyword.atomic import AtomicFiles

    staging = AtomicFiles(output)
    opened = _open_parquet if form == "parquet" else _open_matrix
    try:
        with opened(staging, dim) as put:
            yield put
        staging.commit()
    except BaseException:
        staging.discard()
        raise


@contextmanager
def _open_matrix(staging: Any, dim: int) -> Iterator[Put]:
    from everyword.vectors.formats.npy import LineSink

    sink, lines = LineSink(staging, dim, None), 0

    def put(words: Sequence[str], _sources: Sequence[str], vectors: FloatArray) -> None:
        nonlocal lines
        sink.put([*words], vectors)
        lines += len(words)

    yield put
    sink.finish(lines)


@contextmanager
def _open_parquet(staging: Any, dim: int) -> Iterator[Put]:
    pyarrow, parquet = (require(name, "Writing a Parquet file") for name in ("pyarrow", "pyarrow.parquet"))
    vector = pyarrow.list_(pyarrow.float32(), dim)
    schema = pyarrow.schema([("word", pyarrow.string()), ("source", pyarrow.string()), ("vector", vector)])
    with parquet.ParquetWriter(staging.open(), schema) as writer:

        def put(words: Sequence[str], sources: Sequence[str], vectors: FloatArray) -> None:
            rows = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(vectors.ravel()), dim)
            writer.write_table(pyarrow.table([pyarrow.array(words), pyarrow.array(sources), rows], schema=schema))

        yield put


def _json_lines(words: Sequence[str], sources: Sequence[str], vectors: FloatArray) -> str:
    # Numbers are written by NumPy: the shortest digits that read back as the same float32.
    return "".join(
        f'{{"word": {json.dumps(word, ensure_ascii=False)}, "source": "{source}", '
        f'"vector": [{", ".join(map(str, vector))}]}}\n'
        for word, source, vector in zip(words, sources, vectors, strict=True)
    )


def _csv_rows(words: Sequence[str], sources: Sequence[str], vectors: FloatArray) -> Iterator[list[str]]:
    for word, source, vector in zip(words, sources, vectors, strict=True):
        yield [word, source, *map(str, vector)]


def _csv_lines(rows: Iterable[list[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _each_once(words: Iterable[str], counts: Counter[str]) -> Iterator[str]:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            counts["repeated"] += 1
        else:
            seen.add(word)
            yield word


def _summary(counts: Counter[str], blank: int, about_blank: str | None) -> str:
    total = sum(counts[source] for source in SOURCES) + counts["none"]
    # A model without a gate retrieves nothing, and its users need not hear of it.
    parts = [f"{counts[source]:,} {source}" for source in SOURCES if counts[source] or source in ALWAYS_TOLD]
    text = f"{total:,} word{'' if total == 1 else 's'}: {', '.join(parts)}, {counts['none']:,} without a vector"
    if about_blank and blank:
        return f"{text}; {blank:,} blank line{'' if blank == 1 else 's'} {about_blank}"
    skipped = [f"{count:,} {why}" for why, count in (("blank", blank), ("repeated", counts["repeated"])) if count]
    return f"{text}; skipped {', '.join(skipped)}" if skipped else text
