"""Smaller versions of a table side by side: bytes of the file, what is left of neighbours, and scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from everyword.errors import InputError, NoScoreError
from everyword.evaluation.benchmark import Benchmark
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_table
from everyword.evaluation.run import run_benchmark
from everyword.space.change import neighbour_overlap
from everyword.space.compression.method import Method, Shrunk, read_method
from everyword.vectors.formats.compact import SUFFIX
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

FLOAT32 = "float32"
ROWS_COMPARED = 20_000
UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}


@dataclass(frozen=True)
class Measured:
    """A method, and what it costs and leaves."""

    method: Method
    bytes: int
    """Of the file with words and vectors, as it was written."""
    size: float
    """As a share of the same table with four bytes a number."""
    dim: int
    cosine: float | None
    """Mean cosine to the original vectors; None where the space is another one."""
    neighbours: float | None
    """Share of the ten nearest neighbours that stay; None for a table of fewer words."""
    scores: Mapping[str, float]
    """By benchmark, in percent."""

    @property
    def mean(self) -> float | None:
        """The mean of all scores."""
        return float(np.mean(list(self.scores.values()))) if self.scores else None

    @property
    def quality(self) -> float:
        """What the best method is chosen by: scores, or neighbours where there are none."""
        if self.mean is not None:
            return self.mean
        return self.neighbours if self.neighbours is not None else self.cosine or 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "method": self.method.text,
            "bytes": self.bytes,
            "size": round(self.size, 4),
            "dimension": self.dim,
            "cosine": _rounded(self.cosine),
            "neighbours": _rounded(self.neighbours),
            "scores": {name: round(score, 2) for name, score in self.scores.items()},
            "mean": _rounded(self.mean),
        }


def usual_methods(dim: int) -> list[Method]:
    """Return the methods that are compared if none are named, for tables of a dimension."""
    half, third = max(1, dim // 2), max(1, dim // 3)
    texts = [FLOAT32, "float16", "int8", "int4"]
    # Pieces of one length can be made to vary equally, which renders vectors much better.
    texts += [f"pq:{size}" for size in dict.fromkeys(_divisor(dim, dim // part) for part in (2, 4, 8))]
    texts += [f"pca:{size}" for size in dict.fromkeys((half, third))]
    texts += [f"pca:{half},int8", f"pca:{third},int8"]
    texts += ["prune:0.3", "prune:0.5", "prune:0.7", "prune:0.5:scope=row", "prune:0.5:scope=column"]
    return [read_method(text) for text in texts]


def _divisor(dim: int, most: int) -> int:
    """Return the largest number up to `most` that divides a dimension."""
    return next(size for size in range(max(1, most), 0, -1) if dim % size == 0)


def compare_methods(
    table: VectorTable,
    methods: Sequence[Method],
    benchmarks: Sequence[Benchmark] = (),
    *,
    report: Callable[[str], object] = lambda sentence: None,
) -> list[Measured]:
    """Shrink a table by each method, write it, and measure what is left.

    Args:
        table: The table.
        methods: What to compare.
        benchmarks: Tasks to score, as `choose` returns them.
        report: Called with a sentence before each method.

    Returns:
        A measurement for each method, in their order.

    Raises:
        InputError: If the table is empty, or a method does not fit it.
    """
    found = []
    for method in methods:
        report(f"measuring {method.text}")
        found.append(measure(table, method, method.apply(table), benchmarks))
    return found


def measure(table: VectorTable, method: Method, shrunk: Shrunk, benchmarks: Sequence[Benchmark] = ()) -> Measured:
    """Measure one smaller version of a table."""
    again = shrunk.table()
    model = evaluated_table(again, "shrunk")
    scores = {one.name: _score(model, one) for one in benchmarks}
    written = bytes_of(shrunk)
    return Measured(
        method,
        written,
        written / plain_bytes(table),
        again.dim,
        _cosine(table, again) if shrunk.record is None else None,
        neighbour_overlap(table.matrix, again.matrix),
        {name: score for name, score in scores.items() if score is not None},
    )


def _score(model: EvaluatedModel, benchmark: Benchmark) -> float | None:
    """Return the score of a task, or None if the table has none of its words."""
    try:
        return run_benchmark(model, benchmark).value
    except NoScoreError:
        return None


def bytes_of(shrunk: Shrunk) -> int:
    """Return the size of the file, which is written for it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"table{SUFFIX}"
        shrunk.save(path)
        return path.stat().st_size


def plain_bytes(table: VectorTable) -> int:
    """Return the bytes of words and vectors with four bytes a number, without any header."""
    return 4 * table.matrix.size + sum(len(word.encode("utf-8")) + 1 for word in table.words)


def choose_method(found: Sequence[Measured], budget: int) -> Measured:
    """Return the best method whose file fits a number of bytes; of equals the smaller one."""
    fitting = [one for one in found if one.bytes <= budget]
    if not fitting:
        smallest = min(found, key=lambda one: one.bytes)
        raise InputError(
            f"No method fits {budget:,} bytes; the smallest is {smallest.method.text} with {smallest.bytes:,}. "
            "Allow more, or name a stronger method by --method."
        )
    return max(fitting, key=lambda one: (one.quality, -one.bytes))


def parse_size(text: str) -> int:
    """Read a number of bytes.

    >>> parse_size("20MB"), parse_size("1.5 GiB"), parse_size("800")
    (20000000, 1610612736, 800)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-zA-Z]*)\s*", text)
    if match is None or match[2].upper() not in UNITS:
        raise InputError(f"A size is a number with B, KB, MB or GB, as in 20MB. Got {text!r} instead.")
    return int(prod((float(match[1]), UNITS[match[2].upper()])))


def _cosine(table: VectorTable, again: VectorTable) -> float:
    rows = np.unique(np.linspace(0, len(table) - 1, min(ROWS_COMPARED, len(table))).astype(np.intp))
    before, after = unit_rows(table.matrix[rows]), unit_rows(again.matrix[rows])
    return float(np.einsum("ij,ij->i", before, after).mean())


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
