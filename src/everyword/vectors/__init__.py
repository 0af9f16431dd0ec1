"""Vector tables: words and a matrix, read from and written to every common file format."""

from __future__ import annotations

from everyword.vectors.formats.fasttext_model import FastTextModel, load_fasttext
from everyword.vectors.formats.guess import guess
from everyword.vectors.neighbours import exact_neighbours, unit_rows
from everyword.vectors.problems import Problems
from everyword.vectors.read import open_rows, read_table
from everyword.vectors.table import VectorTable
from everyword.vectors.write import TableWriter, open_writer, write_table

__all__ = [
    "FastTextModel",
    "Problems",
    "TableWriter",
    "VectorTable",
    "exact_neighbours",
    "guess",
    "load_fasttext",
    "open_rows",
    "open_writer",
    "read_table",
    "unit_rows",
    "write_table",
]
