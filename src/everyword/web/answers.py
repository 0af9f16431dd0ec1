"""Requests → answers, for the API: plain functions of a model and a request, run on threads."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from random import Random

import numpy as np
from pydantic_core import to_json

from everyword import registry
from everyword.arrays import FloatArray
from everyword.models.explanation import Source
from everyword.models.known import Neighbours
from everyword.models.model import LONGER_TERMS, Model
from everyword.models.terms import contains_term
from everyword.text.corruption import corrupt_text
from everyword.vectors.neighbours import unit_rows
from everyword.web import schemas
from everyword.web.stems import fold

DIGITS = 6
"""After the point: as exact as a float32 of a vector's size, and half as long."""
OF_ONE_STEM = 4
"""How many times as many neighbours are searched where those of one stem are folded."""


def encode_together(model: Model, requests: Sequence[schemas.EncodeRequest]) -> list[bytes]:
    """Answer several requests for vectors as JSON; all their words are encoded together."""
    words = [word for request in requests for word in request.words]
    vectors, origins = model.encode_with_origins(words)
    sources = [origin.source for origin in origins]
    answers, first = [], 0
    for request in requests:
        part = slice(first, first + len(request.words))
        answers.append(_encoded(model, vectors[part], sources[part], request.format))
        first = part.stop
    return answers


def _encoded(model: Model, vectors: FloatArray, sources: list[Source], form: str) -> bytes:
    # Not through the schema: to check thousands of numbers that were just made takes longer than to make them.
    return to_json({"model": model.name, "dim": model.dim, "sources": sources, "vectors": vectors_as(form, vectors)})


def vectors_as(form: str, vectors: FloatArray) -> list[list[float]] | list[str]:
    """Return vectors as "floats" or "base64"."""
    if form == "base64":
        return _as_base64(vectors)
    rounded: list[list[float]] = np.round(vectors.astype(np.float64), DIGITS).tolist()
    return rounded


def _as_base64(vectors: FloatArray) -> list[str]:
    return [base64.b64encode(row.tobytes()).decode() for row in vectors.astype("<f4")]


def nearest(model: Model, request: schemas.NearestRequest, among: Model | None = None) -> schemas.NearestResponse:
    """Find the neighbours of each word, perhaps among the words of another model."""
    vectors, origins = model.encode_with_origins(request.words)
    most = OF_ONE_STEM * request.k if request.fold else request.k
    if among is None:
        near_all = _neighbours(model, request.words, vectors, most, foreign=request.foreign)
    else:  # the word itself may be one of them
        near_all = model.known_words_of(among).nearest(vectors, most, foreign=request.foreign)
    found = [
        schemas.WordNeighbours(word=word, source=origin.source, neighbours=_shown(near, request))
        for word, origin, near in zip(request.words, origins, near_all, strict=True)
    ]
    return schemas.NearestResponse(model=model.name, words=found)


def _shown(near: Neighbours, request: schemas.NearestRequest) -> list[schemas.FoldedNeighbour]:
    if not request.fold:
        return [schemas.FoldedNeighbour(word=word, cosine=cosine, same_stem=[]) for word, cosine in near]
    return [
        schemas.FoldedNeighbour(word=word, cosine=cosine, same_stem=listed_neighbours(others))
        for (word, cosine), others in fold(near, request.k)
    ]


def listed_neighbours(near: Neighbours) -> list[schemas.Neighbour]:
    """Return neighbours as the API shows them."""
    return [schemas.Neighbour(word=word, cosine=cosine) for word, cosine in near]


def _neighbours(
    model: Model, words: Sequence[str], vectors: FloatArray, k: int, *, foreign: bool = False
) -> list[Neighbours]:
    """Find the neighbours of words from their vectors, by the rules of `Model.nearest`."""
    own = [model.normalise(word) for word in words]
    spare = LONGER_TERMS if "phrases" in model.known_words.sections else 0
    found = model.known_words.nearest(vectors, k + spare, [{word} for word in own], foreign=foreign)
    return [
        [pair for pair in near if not contains_term(pair[0], word)][:k] if vector.any() else []
        for word, vector, near in zip(own, vectors, found, strict=True)
    ]


def similarities(model: Model, pairs: Sequence[tuple[str, str]]) -> schemas.SimilarityResponse:
    """Compute the cosine of each pair."""
    units = unit_rows(model.encode([word for pair in pairs for word in pair])).astype(np.float64)
    cosines = np.clip((units[::2] * units[1::2]).sum(axis=1), -1.0, 1.0)
    return schemas.SimilarityResponse(model=model.name, cosines=cosines.tolist())


def explanations(model: Model, words: Sequence[str]) -> schemas.ExplainResponse:
    """Explain where each vector comes from."""
    found = [
        schemas.WordExplanation(
            word=word,
            spelt=explained.word,
            source=explained.source,
            confidence=explained.confidence,
            candidates=[schemas.Share(word=share.word, share=share.share) for share in explained.candidates],
            form_share=explained.form_share,
            read_as=explained.read_as,
        )
        for word, explained in zip(words, model.explain(words), strict=True)
    ]
    return schemas.ExplainResponse(model=model.name, words=found)


def corrupt_texts(request: schemas.CorruptRequest) -> schemas.CorruptResponse:
    """Put typos into texts; the same seed gives each text the same typos, whatever texts are beside it."""
    kinds = [registry.corruptions.get(kind) for kind in request.kinds]
    texts = [corrupt_text(text, request.share, kinds, Random(request.seed)) for text in request.texts]
    return schemas.CorruptResponse(texts=texts)


def compare(models: Iterable[Model], words: Sequence[str], k: int) -> schemas.CompareResponse:
    """Ask each model about the same words."""
    return schemas.CompareResponse(models=[_report(model, words, k) for model in models])


def _report(model: Model, words: Sequence[str], k: int) -> schemas.ModelReport:
    vectors, explained = model.look_up(words)
    units = unit_rows(vectors).astype(np.float64)
    reports = [
        schemas.WordReport(
            word=word, source=found.source, confidence=found.confidence, neighbours=listed_neighbours(near)
        )
        for word, found, near in zip(words, explained, _neighbours(model, words, vectors, k), strict=True)
    ]
    return schemas.ModelReport(model=model.name, words=reports, cosines=np.clip(units @ units.T, -1.0, 1.0).tolist())
