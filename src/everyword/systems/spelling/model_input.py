"""A language model's input vectors as teacher: the words that are one piece to it, and their rows."""

from __future__ import annotations

import hashlib
from pathlib import Path

from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.systems.spelling.teacher import TableTeacher, merge_spellings
from everyword.text.normalise import Normaliser
from everyword.vectors.table import VectorTable


def input_teacher(source: str, normalise: Normaliser) -> TableTeacher:
    """The teacher that a model is, whatever `LanguageModel.load` finds under its name."""
    # On every machine the same numbers: they are not computed, only read.
    table = input_table(LanguageModel.load(source, device="cpu", precision="float32"))
    words, matrix = merge_spellings(table, normalise)
    name = Path(source).absolute().name if Path(source).is_dir() else source
    return TableTeacher(
        words, matrix, f"input vectors of {name}, {len(table):,} words of dimension {table.dim}", _checksum(table)
    )


def _checksum(table: VectorTable) -> str:
    digest = hashlib.sha256("\n".join(table.words).encode("utf-8"))
    digest.update(table.matrix.tobytes())
    return digest.hexdigest()
