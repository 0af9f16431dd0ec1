"""everyword embed: vectors of all texts of files."""

from __future__ import annotations

import os
from pathlib import Path

import click

from everyword.cli.common import options
from everyword.cli.common.errors import exit_interrupted
from everyword.cli.common.output import say
from everyword.cli.common.progress import text_bar
from everyword.cli.common.streams import valid_text

FORMATS = ("parquet", "npy", "safetensors")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

on_missing = options.choice(
    "--on-missing",
    ["error", "empty"],
    "Refuse a missing text (null, NaN), or take it as an empty one, which gets zeros.",
    to="missing",
    default="error",
)


@click.command()
@click.argument("inputs", nargs=-1, required=True)
@options.output_folder("Folder to save the vectors to.")
@options.text("--column", "NAME", "Column or field of the texts.", default="text")
@options.text("--keep", "NAME", "Column to copy beside the vectors, in Parquet; repeat for more.", multiple=True)
@options.choice("--format", FORMATS, "Format of the files.", to="format_name", default="parquet")
@options.model
@options.flag("--normalize", "Scale every vector to length 1.")
@on_missing
@options.count("--workers", "Number of processes or tasks.  [default: one per core]")
@options.choice(
    "--executor",
    ["processes", "ray", "none"],
    "Run in processes on this machine, on a Ray cluster, or in this process alone.",
    default="processes",
)
@options.count("--batch-size", "Texts that are encoded together.", default=2048)
@options.count("--rows-per-part", "Texts per file.", default=65_536)
@options.overwrite
@options.quiet
def embed(
    *,
    inputs: tuple[str, ...],
    output: Path,
    column: str,
    keep: tuple[str, ...],
    format_name: str,
    model_name: str | None,
    normalize: bool,
    missing: str,
    workers: int | None,
    executor: str,
    batch_size: int,
    rows_per_part: int,
    overwrite: bool,
    quiet: bool,
) -> None:
    """Give every text of files a vector.

    INPUTS are files, folders, patterns and addresses such as s3://bucket/folder. Parquet, JSON lines (.jsonl, .ndjson)
    and tables (.csv, .tsv, with a header) have the texts in --column; plain text (.txt) has a text per line. All but
    Parquet may be packed (.gz, .xz, .bz2, .zst).

    The folder gets files of vectors, each with the input file and the row number of every vector, and a manifest. They
    are the same, byte for byte, for every number of workers. To continue a run that was stopped, give the same command
    again: finished files are kept.

    \b
    Examples:
      everyword embed texts.parquet --output vectors
      everyword embed reviews.jsonl --column body --keep id --output vectors --workers 8
      everyword embed "texts/*.csv.gz" --output vectors --format npy --normalize
      everyword embed /shared/texts --output /shared/vectors --executor ray
    """
    # Before NumPy is imported: the rounding of some processors depends on the number of threads.
    os.environ |= {name: "1" for name in THREADS}
    from everyword.corpus.embedding.embed import embed_files

    with text_bar(quiet) as progress:
        done = embed_files(
            [valid_text(given) for given in inputs],
            output,
            column=column,
            model=model_name,
            keep=keep,
            format=format_name,
            normalize=normalize,
            missing=missing,
            executor=executor,
            workers=workers,
            overwrite=overwrite,
            batch_size=batch_size,
            rows_per_part=rows_per_part,
            progress=progress,
        )
    if not done.complete:
        exit_interrupted("Stopped; finished files are kept. Continue with the same command.")
    files = "1 file" if len(done.files) == 1 else f"{len(done.files):,} files"
    texts = "1 text" if done.texts == 1 else f"{done.texts:,} texts"
    say(f"Saved the vectors of {texts}, of dimension {done.dim}, to {output} ({files}).")
