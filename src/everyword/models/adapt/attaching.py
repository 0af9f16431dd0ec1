"""Attach the words of a table to a model of its space."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from everyword.errors import InputError
from everyword.models.adapt.own_table import OwnTable, read_own, store
from everyword.models.load import load
from everyword.models.model import Model
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.storage.quantising import KnownPrecision
from everyword.vectors.table import VectorTable

COMPARED = 1_000
SAME_SPACE = 0.8
"""Mean cosine of stored vectors to the table's. Rounding to int4 leaves more than 0.95, another space about 0."""


def attach(
    table: VectorTable | str | Path,
    model: Model | str | Path,
    *,
    words: int | None = None,
    precision: KnownPrecision = "float32",
) -> Model:
    """Return a model with the words of a table stored, before those that it stores already and the table lacks.

    Args:
        table: The vectors, or a file of vectors.
        model: A model of the table's space: one that was trained on it, or adapted to it.
        words: Take only the first words of the table, up to this number.
        precision: How all words are stored: float32, float16, int8, int4 or pq (product quantisation).

    Returns:
        A new model; the given one stays as it is.

    Raises:
        InputError: If the model is not of the table's space.
    """
    if _are_swapped(table, model):
        warnings.warn(
            "attach takes the table first, as adapt does: write attach(table, model).", DeprecationWarning, stacklevel=2
        )
        table, model = model, table  # type: ignore[assignment]
    trained = model if isinstance(model, Model) else load(model)
    own = read_own(table, words, trained.normalise)
    _check_space(trained, own)
    stored = trained.known_words.without(own.table.words)
    matrix = np.concatenate([own.table.matrix, stored.matrix.floats()]) if len(stored) else own.table.matrix
    sections = stored.section_sizes(in_front=len(own.table))
    known = store([*own.table.words, *stored.words], matrix, precision, sections)
    return trained.with_known(known, {**trained.record, "attached": own.description})


def _are_swapped(table: object, model: object) -> bool:
    """Return whether the arguments come in the order of everyword 0.1: a model, then a table."""
    if isinstance(table, VectorTable) or isinstance(model, Model):
        return False
    return isinstance(table, Model) or isinstance(model, VectorTable) or not Path(str(table)).is_file()


def _check_space(model: Model, own: OwnTable) -> None:
    """Raise InputError if the model and the table are of different spaces."""
    if model.dim != own.table.dim:
        raise InputError(
            f"{model.name} gives vectors of dimension {model.dim}, and those of {own.name} have {own.table.dim}; "
            "attach the table that the model was trained on, or map the model into its space: everyword adapt --help"
        )
    both = [word for word in own.table.words if word in model.known_words.index][:COMPARED]
    if not both:
        return
    cosines = np.einsum("ij,ij->i", unit_rows(model.encode(both)), unit_rows(own.table.select(both).matrix))
    if cosines.mean() < SAME_SPACE:
        raise InputError(
            f"{model.name} is not of the space of {own.name}: the vectors of words that both have are of cosine "
            f"{cosines.mean():.2f} to each other; map the model into its space instead: everyword adapt --help"
        )
