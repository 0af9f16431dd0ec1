"""A small network that scores candidates by their features; the word as it is written scores 0."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import DamagedModelError
from everyword.sentences.context.features import FEATURES

TABLES = ("features", "bias", "score", "score_bias")


class Scorer:
    """One hidden layer; made for words that are stored, or for those that are not."""

    def __init__(self, features: FloatArray, bias: FloatArray, score: FloatArray, score_bias: FloatArray) -> None:
        self.features, self.bias, self.score, self.score_bias = features, bias, score, score_bias

    @classmethod
    def untrained(cls) -> Scorer:
        """Return a network to which all candidates are the same."""
        none = np.zeros(0, dtype=np.float32)
        return cls(np.zeros((len(FEATURES), 0), dtype=np.float32), none, none, np.zeros(1, dtype=np.float32))

    def scores(self, features: FloatArray) -> FloatArray:
        """Return the score of each candidate."""
        hidden: FloatArray = features @ self.features
        hidden += self.bias
        np.maximum(hidden, 0, out=hidden)
        scores: FloatArray = np.asarray(hidden @ self.score, dtype=np.float32)
        scores += self.score_bias
        return scores

    def shares(self, features: FloatArray, place: IndexArray, places: int) -> FloatArray:
        """Return how likely each candidate is meant, all candidates of a place and the word itself being one."""
        scores = self.scores(features)
        top = np.zeros(places, dtype=np.float32)
        np.maximum.at(top, place, scores)
        shares = np.exp(scores - top[place])
        total = np.bincount(place, shares, minlength=places) + np.exp(-top)
        likely: FloatArray = (shares / total[place]).astype(np.float32)
        return likely

    def to_tensors(self, name: str) -> dict[str, AnyArray]:
        """Return the arrays to be saved, under a name."""
        return {f"{name}.{table}": getattr(self, table) for table in TABLES}

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, AnyArray], name: str) -> Scorer:
        """Return a saved network; raise DamagedModelError if its tables are missing or of the wrong size."""
        tables = {table: tensors.get(f"{name}.{table}", np.empty(0)) for table in TABLES}
        hidden = tables["bias"].size
        shapes = dict(zip(TABLES, ((len(FEATURES), hidden), (hidden,), (hidden,), (1,)), strict=True))
        wrong = [
            table
            for table, shape in shapes.items()
            if tables[table].shape != shape or tables[table].dtype != np.float32 or not np.isfinite(tables[table]).all()
        ]
        if wrong:
            raise DamagedModelError(
                f"The part of the model that reads by context is damaged: {', '.join(wrong)} of the {name} network "
                "missing or of the wrong size. Download or save the model again."
            )
        return cls(**tables)
