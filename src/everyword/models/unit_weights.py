"""Influence of letters and units on a vector from spelling, and the attention weights between units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.form_encoder import FormEncoder
from everyword.models.model import Model
from everyword.text.units import Sequences
from everyword.vectors.neighbours import unit_rows


def weights_between(form_encoder: FormEncoder, ids: Sequence[int]) -> dict[str, FloatArray]:
    """Return a matrix of units by units for each kind of weights that the encoder has; rows sum to one."""
    found = {
        "positional kernel": form_encoder.forward.positional_weights(len(ids)),
        "self-attention": form_encoder.forward.attention_weights(ids),
    }
    return {name: square for name, square in found.items() if square is not None}


def influence_of_letters(model: Model, word: str) -> list[float]:
    """Return how far the vector from spelling turns without each letter of a normalised word: 1 - cosine, 0 to 2."""
    shortened = [word[:position] + word[position + 1 :] for position in range(len(word))]
    return _turns(model.infer([word, *shortened]))


def influence_of_units(form_encoder: FormEncoder, word: str) -> list[float]:
    """Return the same for each unit of a normalised word; 1.0 for the only unit of a word."""
    ids = form_encoder.units.ids(word)
    if len(ids) == 1:
        return [1.0]
    fewer = [ids[:position] + ids[position + 1 :] for position in range(len(ids))]
    return _turns(form_encoder.forward(Sequences.of([ids, *fewer])))


def _turns(vectors: FloatArray) -> list[float]:
    """Return 1 - cosine between the first vector and each other one."""
    whole, *others = unit_rows(vectors)
    cosines = np.array(others).reshape(len(others), len(whole)) @ whole
    turned: list[float] = np.clip(1.0 - cosines, 0.0, 2.0).tolist()
    return turned
