"""Tables of word vectors, their file formats and exact nearest neighbours.

Read in order: `table`, `neighbours`, `read`, `write`, `context_pair`, `input_file` (with `decompression`), `problems`,
then `formats/`: `base`, `row_filter`, `text_rows`, one file per format, `guess`; `storage/` has matrices in fewer
bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyword.lazy import lazy_names

if TYPE_CHECKING:
    from everyword.vectors.context_pair import ContextPair
    from everyword.vectors.formats.fasttext import FastTextModel, load_fasttext
    from everyword.vectors.formats.guess import guess
    from everyword.vectors.neighbours import exact_neighbours, unit_rows
    from everyword.vectors.problems import Problems
    from everyword.vectors.read import open_rows, read_table
    from everyword.vectors.table import VectorTable
    from everyword.vectors.write import TableWriter, open_writer, write_table

__all__ = [
    "ContextPair",
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

__getattr__ = lazy_names(
    __name__,
    {
        "ContextPair": "everyword.vectors.context_pair",
        "FastTextModel": "everyword.vectors.formats.fasttext",
        "Problems": "everyword.vectors.problems",
        "TableWriter": "everyword.vectors.write",
        "VectorTable": "everyword.vectors.table",
        "exact_neighbours": "everyword.vectors.neighbours",
        "guess": "everyword.vectors.formats.guess",
        "load_fasttext": "everyword.vectors.formats.fasttext",
        "open_rows": "everyword.vectors.read",
        "open_writer": "everyword.vectors.write",
        "read_table": "everyword.vectors.read",
        "unit_rows": "everyword.vectors.neighbours",
        "write_table": "everyword.vectors.write",
    },
)
