"""Tables of the nearest known words, side by side for several models: not a score, but examples for readers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.vectors.neighbours import exact_neighbours

Neighbours = list[tuple[str, float]]
LISTED = 7
"""How many neighbours a study lists."""


def nearest_known(model: EvaluatedModel, words: Sequence[str], k: int = 5) -> list[Neighbours]:
    """Return the nearest candidates of each word except itself, with their cosines; none for a zero vector."""
    if k < 1:
        raise InputError(f"The number of neighbours must be at least 1. Got {k} instead.")
    units = model.units(words)
    indices, cosines = exact_neighbours(units, model.candidate_units, k + 1, matrix_is_unit=True)
    return [
        [
            (model.candidates[row], float(cosine))
            for row, cosine in zip(indices[index], cosines[index], strict=True)
            if model.candidates[row] != model.spell(word)
        ][:k]
        if np.any(units[index])
        else []
        for index, word in enumerate(words)
    ]


def nearest_words(model: EvaluatedModel, words: Sequence[str]) -> dict[str, list[str]]:
    """Return the nearest known words of each word, nearest first."""
    if not words:
        return {}
    found = nearest_known(model, words, LISTED)
    return {word: [other for other, _ in near] for word, near in zip(words, found, strict=True)}


def neighbour_table(models: Sequence[EvaluatedModel], words: Sequence[str], k: int = 5) -> str:
    """Return a Markdown table of nearest known words.

    Args:
        models: One column each.
        words: One row each.
        k: How many neighbours to list.

    Returns:
        The lines of the table.
    """
    columns = [nearest_known(model, words, k) for model in models]
    head = ["word", *(f"{model.name}, {model.policy}" for model in models)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for index, word in enumerate(words):
        cells = [", ".join(other for other, _ in column[index]) or "–" for column in columns]
        lines.append("| " + " | ".join([word, *cells]) + " |")
    return "\n".join(lines)
