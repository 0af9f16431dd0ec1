"""Sums and differences of words, and words joined by operators."""

from __future__ import annotations

from everyword.web.model_store import ModelEntry
from everyword.web.playground_schemas import AlgebraNeighbour, AlgebraRequest, AlgebraResponse


def solve(entry: ModelEntry, request: AlgebraRequest) -> AlgebraResponse:
    """Find the known words closest to a sum of words, or to an expression."""
    if request.expression is not None:
        found = entry.feature_tuples.nearest(request.expression, request.k)
        return _answer(entry, "cross-entropy", found)
    positive, negative = request.positive, request.negative
    found = entry.model.nearest(positive=positive, negative=negative, k=request.k)
    return _answer(entry, "cosine", found if entry.model.encode([*positive, *negative]).any() else [])


def _answer(entry: ModelEntry, measure: str, found: list[tuple[str, float]]) -> AlgebraResponse:
    neighbours = [AlgebraNeighbour(word=word, value=value) for word, value in found]
    return AlgebraResponse(model=entry.model.name, measure=measure, neighbours=neighbours)  # type: ignore[arg-type]
