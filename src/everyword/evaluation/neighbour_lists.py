"""The nearest known words of some words, side by side for several ways: no score, but what a reader believes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.vectors.neighbours import exact_neighbours

Neighbours = list[tuple[str, float]]


def nearest_known(model: EvaluatedModel, words: Sequence[str], k: int = 5) -> list[Neighbours]:
    """For each word its nearest candidates and their cosines, the word itself left out; none for a zero vector."""
    if k < 1:
        raise InputError(f"The number of neighbours must be at least 1. Got {k} instead.")
    units = model.units(words)
    indices, cosines = exact_neighbours(units, model.candidate_units, k + 1, matrix_is_unit=True)
    return [
        [
            (model.candidates[row], float(cosine))
            for row, cosine in zip(indices[place], cosines[place], strict=True)
            if model.candidates[row] != model.spell(word)
        ][:k]
        if np.any(units[place])
        else []
        for place, word in enumerate(words)
    ]


def neighbour_table(models: Sequence[EvaluatedModel], words: Sequence[str], k: int = 5) -> str:
    """A Markdown table: a row for each word, a column for each way."""
    columns = [nearest_known(model, words, k) for model in models]
    head = ["word", *(f"{model.name}, {model.policy}" for model in models)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for place, word in enumerate(words):
        cells = [", ".join(other for other, _ in column[place]) or "–" for column in columns]
        lines.append("| " + " | ".join([word, *cells]) + " |")
    return "\n".join(lines)
