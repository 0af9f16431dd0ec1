"""Requests → what the page draws: a map, the effect of typos, the influence of letters and units."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from threading import Event, Lock, Thread

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.explanation import Explanation, Source
from everyword.models.model import Model
from everyword.models.unit_weights import influence_of_letters, influence_of_units, weights_between
from everyword.space.projection import Plane, project
from everyword.vectors.neighbours import unit_rows
from everyword.web import schemas
from everyword.web.model_store import ModelEntry
from everyword.web.problems import Problem, Refusal

KEPT_CURVES = "curves.json"
MOSTLY = 0.5
"""From this share of a vector on, a known word is what a misspelling stands for."""
AGAIN_IN = 3
"""Seconds after which a request that needs UMAP may be sent again."""


class UmapCompiler:
    """Compiles UMAP beside the service when it is first needed, which takes up to half a minute.

    Requests that need it are refused until it is ready.
    """

    def __init__(self) -> None:
        self._begun, self._ready = Lock(), Event()

    def check(self) -> None:
        """Refuse while UMAP is not ready; the first call starts to compile it."""
        if self._ready.is_set():
            return
        if self._begun.acquire(blocking=False):
            Thread(target=self._compile, name="everyword-umap", daemon=True).start()
        error = "UMAP is being compiled for its first use; retry in some seconds."
        raise Refusal(503, Problem(error=error), retry_after=AGAIN_IN)

    def _compile(self) -> None:
        try:
            project(np.random.default_rng(0).normal(size=(16, 8)).astype(np.float32), "umap")
        finally:  # whatever was wrong, the next request shows it
            self._ready.set()


_UMAP = UmapCompiler()
_PROJECTING = Lock()
"""UMAP's compiled code is not made for several threads."""


def projections() -> list[schemas.Method]:
    """Return the projections that this server has."""
    return ["pca", "umap"] if find_spec("umap") else ["pca"]


def draw_map(model: Model, words: Sequence[str], k: int, method: str) -> schemas.MapResponse:
    """Lay words and their neighbours out on a plane; a word without a vector is left out."""
    given = list(dict.fromkeys(words))
    made, explained = model.look_up(given)
    with_vectors = [index for index, vector in enumerate(made) if vector.any()]
    if not with_vectors:
        caption = "None of the words has a vector."
        return schemas.MapResponse(model=model.name, points=[], joins=[], axes=["", ""], caption=caption)
    asked, vectors = [given[index] for index in with_vectors], made[with_vectors]
    meant = [_meant(explained[index]) for index in with_vectors]
    around = _around(model, asked, vectors, k, meant)
    others, origins = model.encode_with_origins(around)
    plane = _plane(unit_rows(np.concatenate([vectors, others])), method)
    sources = [explained[index].source for index in with_vectors] + [origin.source for origin in origins]
    shown = [*asked, *around]
    points = [
        schemas.Point(word=word, x=x, y=y, asked=index < len(asked), source=source)
        for index, (word, (x, y), source) in enumerate(zip(shown, plane.points.tolist(), sources, strict=True))
    ]
    index_of = {model.normalise(word): index for index, word in reversed(list(enumerate(shown)))}
    joins = [schemas.Join(typo=typo, word=index_of[word]) for typo, word in enumerate(meant) if word in index_of]
    return schemas.MapResponse(
        model=model.name, points=points, joins=joins, axes=list(plane.axes), caption=plane.caption
    )


def _meant(explained: Explanation) -> str | None:
    """Return the known word that a misspelling stands for, if most of its vector is that word's."""
    first = explained.candidates[0] if explained.candidates else None
    meant = explained.source is Source.RETRIEVED and first is not None and first.share >= MOSTLY
    return first.word if meant and first is not None else None


def _around(model: Model, asked: Sequence[str], vectors: FloatArray, k: int, meant: Iterable[str | None]) -> list[str]:
    """Return the neighbours of words, and the words that misspellings among them stand for."""
    spelt = [model.normalise(word) for word in asked]
    found = model.known_words.nearest(vectors, k, [{word} for word in spelt]) if k else []
    near = [other for pairs in found for other, _ in pairs]
    return list(dict.fromkeys(word for word in [*near, *meant] if word is not None and word not in spelt))


def _plane(vectors: FloatArray, method: str) -> Plane:
    if method == "pca":
        return project(vectors, method)
    if "umap" in projections():
        _UMAP.check()
    with _PROJECTING:
        return project(vectors, method)


def typo_cosines(entry: ModelEntry, word: str, variants: Sequence[str]) -> schemas.TyposResponse:
    """Compare the vector of each variant with that of the word, for everyword and each baseline."""
    words = [word, *variants]
    vectors, origins = entry.model.encode_with_origins(words)
    cosines = {"everyword": _cosines_to_first(vectors)}
    cosines |= {name: _cosines_to_first(baseline(words)) for name, baseline in entry.table.baselines.items()}
    rows = [
        schemas.TypoCosines(word=variant, source=origin.source, **{name: found[i] for name, found in cosines.items()})
        for i, (variant, origin) in enumerate(zip(variants, origins[1:], strict=True))
    ]
    return schemas.TyposResponse(model=entry.model.name, word=word, variants=rows)


def _cosines_to_first(vectors: FloatArray) -> list[float | None]:
    """Compute the cosines of all other vectors to the first; None where one of the two is zero, so no vector."""
    first, *others = unit_rows(vectors).astype(np.float64)
    return [float(np.clip(other @ first, -1.0, 1.0)) if first.any() and other.any() else None for other in others]


def word_units(model: Model, word: str) -> schemas.UnitsResponse:
    """Return the influence of letters and units on a vector from spelling; nothing for an unusable word."""
    form_encoder, spelt = model.form_encoder, model.normalise(word)
    letters: list[schemas.Unit] = []
    units: list[schemas.Unit] = []
    weights: list[schemas.WeightMatrix] = []
    if form_encoder.units.usable(spelt):
        letters = _units(spelt, influence_of_letters(model, spelt))
        units = _units(form_encoder.units.shown(spelt), influence_of_units(form_encoder, spelt))
        squares = weights_between(form_encoder, form_encoder.units.ids(spelt))
        weights = [schemas.WeightMatrix(name=name, rows=square.tolist()) for name, square in squares.items()]
    return schemas.UnitsResponse(
        model=model.name, encoder=form_encoder.encoder, spelt=spelt, letters=letters, units=units, weights=weights
    )


def _units(texts: Sequence[str], influences: Sequence[float]) -> list[schemas.Unit]:
    return [schemas.Unit(text=text, influence=found) for text, found in zip(texts, influences, strict=True)]


@cache
def kept_curves() -> schemas.Curves:
    """Return how typos lower the score of word similarity, from the project's benchmarks."""
    text = (files("everyword.web") / KEPT_CURVES).read_text(encoding="utf-8")
    return schemas.Curves(**json.loads(text))
