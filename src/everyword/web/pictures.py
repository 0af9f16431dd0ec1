"""Requests → what the page draws: a map, what typos leave, what a vector from spelling hangs on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from threading import Lock

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.model import Model
from everyword.models.unit_weights import influence_of_letters, influence_of_units, weights_between
from everyword.space.projection import Plane, project
from everyword.vectors.neighbours import unit_rows
from everyword.web import schemas
from everyword.web.first_use import FirstUse
from everyword.web.served import Served

KEPT_CURVES = "curves.json"
_COMPILED = FirstUse()
_BENDING = Lock()
"""UMAP's compiled code is not made for several threads."""


def projections() -> list[schemas.Method]:
    """The ways to make a plane that this server has."""
    return ["pca", "umap"] if find_spec("umap") else ["pca"]


def drawn_map(model: Model, words: Sequence[str], k: int, method: str) -> schemas.Map:
    """Words and their neighbours on a plane; a word without a vector is left out."""
    asked = list(dict.fromkeys(word for word in words if model[word].any()))
    spelt = {model.normalise(word) for word in asked}
    around = dict.fromkeys(other for word in asked for other, _ in model.nearest(word, k))
    shown = [*asked, *(other for other in around if other not in spelt)]
    if not shown:
        return schemas.Map(model=model.name, points=[], axes=["", ""], caption="None of the words has a vector.")
    plane = _plane(unit_rows(model.encode(shown)), method)
    points = [
        schemas.Point(word=word, x=x, y=y, asked=place < len(asked))
        for place, (word, (x, y)) in enumerate(zip(shown, plane.points.tolist(), strict=True))
    ]
    return schemas.Map(model=model.name, points=points, axes=list(plane.axes), caption=plane.caption)


def _plane(vectors: FloatArray, method: str) -> Plane:
    if method == "pca":
        return project(vectors, method)
    if "umap" in projections():
        _COMPILED.check()
    with _BENDING:
        return project(vectors, method)


def kept_under_typos(served: Served, word: str, variants: Sequence[str]) -> schemas.AllKept:
    """How near the vector of each variant is to that of the word, under every method by its own vectors."""
    words = [word, *variants]
    vectors, origins = served.model.encode_with_origins(words)
    cosines = {"everyword": _to_the_first(vectors)}
    cosines |= {name: _to_the_first(baseline(words)) for name, baseline in served.baselines.items()}
    lines = [
        schemas.Kept(word=variant, source=origin.source, **{name: found[place] for name, found in cosines.items()})
        for place, (variant, origin) in enumerate(zip(variants, origins[1:], strict=True))
    ]
    return schemas.AllKept(model=served.model.name, word=word, variants=lines)


def _to_the_first(vectors: FloatArray) -> list[float]:
    first, *others = unit_rows(vectors).astype(np.float64)
    return [float(np.clip(other @ first, -1.0, 1.0)) for other in others]


def word_units(model: Model, word: str) -> schemas.WordUnits:
    """What the vector that the spelling gives hangs on; nothing for a word of which nothing is known."""
    form_encoder, spelt = model.form_encoder, model.normalise(word)
    letters: list[schemas.Unit] = []
    units: list[schemas.Unit] = []
    weights: list[schemas.Square] = []
    if form_encoder.units.usable(spelt):
        letters = _units(spelt, influence_of_letters(model, spelt))
        units = _units(form_encoder.units.shown(spelt), influence_of_units(form_encoder, spelt))
        squares = weights_between(form_encoder, form_encoder.units.ids(spelt))
        weights = [schemas.Square(name=name, rows=square.tolist()) for name, square in squares.items()]
    return schemas.WordUnits(
        model=model.name, encoder=form_encoder.encoder, spelt=spelt, letters=letters, units=units, weights=weights
    )


def _units(texts: Sequence[str], influences: Sequence[float]) -> list[schemas.Unit]:
    return [schemas.Unit(text=text, influence=found) for text, found in zip(texts, influences, strict=True)]


@cache
def kept_curves() -> schemas.Curves:
    """What typos leave of similarity, as the project's benchmarks found it."""
    text = (files("everyword.web") / KEPT_CURVES).read_text(encoding="utf-8")
    return schemas.Curves(**json.loads(text))
