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
from everyword.models.model import Model
from everyword.text.corruption import corrupt_text
from everyword.vectors.neighbours import unit_rows
from everyword.web import schemas

DIGITS = 6
"""After the point: as exact as a float32 of a vector's size, and half as long."""


def encoded(model: Model, requests: Sequence[schemas.AskEncode]) -> list[bytes]:
    """The answers to several requests, as JSON; all their words are encoded together."""
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
    rows = _as_base64(vectors) if form == "base64" else np.round(vectors.astype(np.float64), DIGITS).tolist()
    return to_json({"model": model.name, "dim": model.dim, "sources": sources, "vectors": rows})


def _as_base64(vectors: FloatArray) -> list[str]:
    return [base64.b64encode(row.tobytes()).decode() for row in vectors.astype("<f4")]


def nearest(model: Model, words: Iterable[str], k: int) -> schemas.AllNearest:
    """The neighbours of each word."""
    found = [
        schemas.Nearest(word=word, source=model.source(word), neighbours=neighbours(model, word, k)) for word in words
    ]
    return schemas.AllNearest(model=model.name, words=found)


def neighbours(model: Model, word: str, k: int) -> list[schemas.Neighbour]:
    """The neighbours of one word."""
    return [schemas.Neighbour(word=other, cosine=cosine) for other, cosine in model.nearest(word, k)]


def similarities(model: Model, pairs: Sequence[tuple[str, str]]) -> schemas.Similarities:
    """The cosine of each pair."""
    units = unit_rows(model.encode([word for pair in pairs for word in pair])).astype(np.float64)
    cosines = np.clip((units[::2] * units[1::2]).sum(axis=1), -1.0, 1.0)
    return schemas.Similarities(model=model.name, cosines=cosines.tolist())


def explained(model: Model, words: Iterable[str]) -> schemas.AllExplained:
    """Where each vector comes from."""
    return schemas.AllExplained(model=model.name, words=[_explained(model, word) for word in words])


def _explained(model: Model, word: str) -> schemas.Explained:
    found = model.explain(word)
    return schemas.Explained(
        word=word,
        spelt=found.word,
        source=found.source,
        confidence=found.confidence,
        candidates=[schemas.Share(word=share.word, share=share.share) for share in found.candidates],
        form_share=found.form_share,
    )


def corrupted(request: schemas.AskCorrupt) -> schemas.Corrupted:
    """The texts with typos; the same seed gives each text the same typos, whatever stands beside it."""
    kinds = [registry.corruptions.get(kind) for kind in request.kinds]
    texts = [corrupt_text(text, request.share, kinds, Random(request.seed)) for text in request.texts]
    return schemas.Corrupted(texts=texts)


def compared(models: Iterable[Model], words: Sequence[str], k: int) -> schemas.Compared:
    """What each model says of the same words."""
    return schemas.Compared(models=[_of_model(model, words, k) for model in models])


def _of_model(model: Model, words: Sequence[str], k: int) -> schemas.OneModel:
    units = unit_rows(model.encode(words)).astype(np.float64)
    said = []
    for word in words:
        found = model.explain(word)
        near = neighbours(model, word, k)
        said.append(schemas.WordOfModel(word=word, source=found.source, confidence=found.confidence, neighbours=near))
    return schemas.OneModel(model=model.name, words=said, cosines=np.clip(units @ units.T, -1.0, 1.0).tolist())
