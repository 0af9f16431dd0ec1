"""Prune saved networks after training: the smallest weights of each matrix become zero, and zeros are not saved.

Gordon, Duh and Andrews, "Compressing BERT: Studying the Effects of Weight Pruning on Transfer Learning" (RepL4NLP
2020). Needs no torch.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray, read_tensors, tensor_bytes
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.form_encoder import FormEncoder
from everyword.models.model import Model
from everyword.space.compression.pruning import magnitude_mask
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.storage.stored import StoredMatrix

PRUNED = "pruned"
"""The key under which a record tells the share of zeros."""
WORDS_COMPARED = 2000


@dataclass(frozen=True)
class PrunedModel:
    """A model whose encoder is pruned, and what is left of the vectors that it makes."""

    model: Model
    cosine: float
    """The mean cosine of vectors from spelling alone, before and after, of known words; 1 if there are none."""


def prune_model(model: Model, sparsity: float) -> PrunedModel:
    """Prune the encoder of a model, which makes vectors from spelling; stored vectors stay.

    Args:
        model: The model.
        sparsity: The share of each matrix of the encoder that becomes zero.

    Raises:
        InputError: If the sparsity is no share, or the model has no encoder of its own that can be pruned.
    """
    if isinstance(model, AdaptedModel):
        raise InputError(f"{model.name} is an adapted model; prune the model that it was made from.")
    own = model.form_encoder
    tables = {name: _pruned(name, table, sparsity) for name, table in own.tables.items()}
    encoder = replace(own, tables=tables)
    record = {**model.record, PRUNED: {"sparsity": sparsity, "zeros": round(_zeros(tables), 4)}}
    parts = {"gate": model.gate, "readings": model.readings, "parts": model.parts, "parts_of": model.parts_of}
    made = Model(model.name, model.normalise, encoder, model.known_words, record, **parts)  # type: ignore[arg-type]
    return PrunedModel(made, _cosine(own, encoder, list(islice(model, WORDS_COMPARED))))


def _pruned(name: str, table: StoredMatrix, sparsity: float) -> StoredMatrix:
    if len(table.shape) < 2:
        return table
    if table.precision == "int4":
        raise InputError(f"The table {name!r} of the encoder is stored as int4, which has no room for zeros; use int8.")
    floats = table.floats()
    kept = magnitude_mask(floats.reshape(len(floats), -1), sparsity).reshape(floats.shape)
    return StoredMatrix(np.where(kept, table.values, table.values.dtype.type(0)), table.scales)


def _zeros(tables: dict[str, StoredMatrix]) -> float:
    matrices = [table.values for table in tables.values() if len(table.shape) > 1]
    return 1 - sum(map(np.count_nonzero, matrices)) / max(1, sum(values.size for values in matrices))


def _cosine(before: FormEncoder, after: FormEncoder, words: list[str]) -> float:
    if not words:
        return 1.0
    vectors = [unit_rows(encoder(words)) for encoder in (before, after)]
    made = vectors[0].any(axis=1)  # spelling says nothing about a word without known characters
    return float(np.einsum("ij,ij->i", *vectors)[made].mean()) if made.any() else 1.0


def prune_weights(source: Path, output: Path, sparsity: float, kept: Collection[str] = ()) -> float:
    """Prune the weights of a saved tagger or classifier, a safetensors file, and return the share of zeros.

    Args:
        source: The file.
        output: The file to write; everything but the weights is the same.
        sparsity: The share of each matrix that becomes zero.
        kept: The names of arrays that stay as they are.
    """
    try:
        weights, metadata = read_tensors(source)
    except (ValueError, OSError) as error:
        raise InputError(f"{source} cannot be read as saved weights: {error!s:.200}. Train or copy it again.") from None
    found: dict[str, AnyArray] = {}
    zeros = total = 0
    for name, array in weights.items():
        found[name] = array
        if array.ndim > 1 and array.dtype.kind == "f" and name not in kept:
            mask = magnitude_mask(array.reshape(len(array), -1).astype(np.float32), sparsity).reshape(array.shape)
            found[name] = np.where(mask, array, array.dtype.type(0))
            zeros, total = zeros + int((found[name] == 0).sum()), total + array.size
    if not total:
        raise InputError(f"{source} has no matrices to prune.")
    write_atomic(output, tensor_bytes(found, metadata))
    return zeros / total
