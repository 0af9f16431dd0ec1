"""Words as tuples of feature probabilities: fuzzy sets that can be joined, cut and compared.

>>> import numpy as np
>>> from everyword.vectors.table import VectorTable
>>> table = VectorTable(["red", "rose", "violet"], np.array([[2, 0], [1, 1], [0, 2]], dtype=np.float32))
>>> space = FuzzySpace(table, normalise="row")
>>> space.nearest(space["red"] | space["violet"], 1)[0][0]
'rose'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from everyword import config
from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import InputError
from everyword.space import divergences
from everyword.space.divergences import Direction, Measure, Targets
from everyword.space.expression import combine
from everyword.space.feature_tuple import FeatureTuple, analogy_tuples
from everyword.space.moments import DoubleArray
from everyword.space.pipeline import Pipeline
from everyword.space.rows import blocks, checked_rows
from everyword.space.scorer import Scorer
from everyword.space.steps.base import FittedStep
from everyword.space.steps.features import Features, Normalise

SPARE = 50
"""Words beyond those asked for that are compared again in double precision."""
Found = list[tuple[str, float]]
"""Words and their measures, closest first."""


class Index(Protocol):
    """The rows of words."""

    def get(self, word: str, /) -> int | None: ...


class Stored(Protocol):
    """Words with vectors, by row."""

    @property
    def words(self) -> Sequence[str]: ...
    @property
    def index(self) -> Index: ...
    def rows(self, rows: slice | IndexArray) -> FloatArray: ...


class FuzzySpace:
    """The feature tuples of a table's or a model's words, and of every other word that a model gives a vector.

    Args:
        source: A `VectorTable`, or a model.
        normalise: "column" makes each feature a distribution over the words, "row" each word one over the features;
            "none" leaves powers as they are, up to 1.
        base: The base of the powers.
        unit: Whether vectors are scaled to length 1 first.
        fitted: Instead of these choices, the fitted step of a saved record.

    Raises:
        InputError: If there are no words, a vector is not finite, or `fitted` is of another dimension.
    """

    def __init__(
        self,
        source: Any,
        *,
        normalise: Normalise = "column",
        base: float = math.e,
        unit: bool = False,
        fitted: FittedStep | None = None,
    ) -> None:
        self._stored: Stored = getattr(source, "known_words", source)
        self._count = self._stored.searched() if hasattr(self._stored, "searched") else len(self._stored.words)
        self._encode: Callable[[str], FloatArray] = source.encode if hasattr(source, "encode") else source.__getitem__
        self._spell: Callable[[str], str] = source.normalise if hasattr(source, "normalise") else str
        if not self._count:
            raise InputError("A space of feature tuples needs words; the table has none.")
        dim = self._stored.rows(slice(0, 1)).shape[1]
        config.check(step := Features(normalise, base, unit))
        self.fitted = fitted or FittedStep(step, dim, *step.learn_from(self._rows()))
        """The step that makes tuples, with its normalisers."""
        if self.fitted.dim != dim:
            raise InputError(
                f"This record was fitted to vectors of dimension {self.fitted.dim} and cannot be applied to those of "
                f"dimension {dim}; fit one to them, or give vectors of the same space."
            )

    @classmethod
    def from_record(cls, source: Any, record: Pipeline) -> FuzzySpace:
        """Return the space of a saved record with the one step "features"."""
        if len(record.steps) != 1 or not isinstance(record.steps[0].step, Features):
            raise InputError("A space of feature tuples needs a record with the one step 'features'.")
        return cls(source, fitted=record.steps[0])

    @property
    def record(self) -> Pipeline:
        """The fit, which can be saved and applied to other tables."""
        return Pipeline(self.fitted.dim, (self.fitted,))

    def save(self, folder: str | Path) -> None:
        """Save the fit; `everyword.space.load_record` reads it for `FuzzySpace.from_record`."""
        self.record.save(folder)

    def __len__(self) -> int:
        """Return how many words are searched; a model's words of other languages are left out."""
        return self._count

    @property
    def words(self) -> Sequence[str]:
        """The words among which neighbours are searched."""
        return self._stored.words[: self._count]

    def __getitem__(self, word: str) -> FeatureTuple:
        """Return the tuple of a word: of any word if the source is a model, else of one in the table."""
        [values] = self.transform(np.asarray(self._encode(word))[None, :])
        return FeatureTuple(values, frozenset([self._spell(word)]))

    def transform(self, vectors: AnyArray) -> DoubleArray:
        """Return the tuples of vectors, one row each, by the saved normalisers."""
        return self.fitted.change(checked_rows(vectors)).astype(np.float64)

    def combine(self, expression: str) -> FeatureTuple:
        """Return the tuple of an expression such as "(rose | violet) & ~colour"."""
        return combine(expression, self.__getitem__)

    def entropy(self, word: str) -> float:
        """Return the entropy of a word."""
        return self[word].entropy

    def top_entropy(
        self, n: int = 50, *, among: int | None = None, counts: Mapping[str, int] | None = None, min_count: int = 100
    ) -> Found:
        """Return the words of highest entropy.

        Args:
            n: How many.
            among: Only the first words, which are the most frequent ones.
            counts: How often words occur; those below `min_count` are left out.
            min_count: See `counts`.
        """
        entropies = np.concatenate([divergences.entropy(part) for part in self._blocks(among)])
        if counts is not None:
            rare = [counts.get(word, 0) < min_count for word in self._stored.words[: len(entropies)]]
            entropies[rare] = -np.inf
        best = np.argsort(-entropies, kind="stable")[: min(n, int(np.isfinite(entropies).sum()))]
        return [(self._stored.words[row], float(entropies[row])) for row in best]

    def nearest(
        self,
        of: FeatureTuple | str,
        n: int = 10,
        *,
        measure: Measure = "cross-entropy",
        direction: Direction = "from",
        renormalise: bool = True,
        leave_out: Collection[str] = (),
    ) -> Found:
        """Return the words closest to a tuple, without those it is made of.

        Args:
            of: A tuple, or a word or an expression.
            n: How many words.
            measure: "cross-entropy", "kl", "bernoulli-kl" or "overlap".
            direction: "from" the tuple to each word, back ("to"), or "both" on average.
            renormalise: Whether a tuple of several words is first scaled to the cardinality of a word. An intersection
                is otherwise so small that a divergence tells its size and nothing else.
            leave_out: Further words that are not neighbours.

        Returns:
            Words and their measures, closest first.
        """
        asked = self.combine(of) if isinstance(of, str) else of
        if renormalise and len(asked.words) != 1:
            asked = asked.scaled(self.mean_cardinality)
        barred = asked.words | frozenset(leave_out)
        found = (self._stored.index.get(word) for word in barred)
        rows = [row for row in found if row is not None and row < self._count]
        sign = -1 if measure == "overlap" else 1
        rough = sign * self._compare(asked.values[None, :], measure, direction)[0]
        rough[rows] = np.inf
        wanted = min(n, self._count - len(rows))
        chosen = np.sort(np.argsort(rough, kind="stable")[: min(wanted + SPARE, self._count - len(rows))])
        tuples = self.transform(self._stored.rows(chosen))
        exact = divergences.of_pairs(measure, direction, np.broadcast_to(asked.values, tuples.shape), tuples)
        order = np.argsort(sign * exact, kind="stable")[:wanted]
        return [(self._stored.words[chosen[place]], float(exact[place])) for place in order]

    def closest(self, of: FeatureTuple | str, scorer: Scorer, n: int = 10) -> Found:
        """Return the words closest by the measure and direction of a scorer."""
        chosen = {"measure": scorer.measure, "direction": scorer.direction, "renormalise": scorer.renormalise}
        return self.nearest(of, n, **chosen)  # type: ignore[arg-type]

    def analogy(self, a: str, b: str, x: str, n: int = 1, **how: Any) -> Found:
        """Return what is to x as b is to a: the words closest to b and x together without a.

        Args:
            a: A word, such as "man".
            b: What is to it as the answer is to `x`, such as "king".
            x: A third word, such as "woman".
            n: How many answers.
            **how: Measure, direction and renormalise, as in `nearest`.
        """
        first, second, third = self[a], self[b], self[x]
        asked = FeatureTuple(
            analogy_tuples(first.values, second.values, third.values), first.words | second.words | third.words
        )
        return self.nearest(asked, n, **how)

    @cached_property
    def mean_cardinality(self) -> float:
        """The mean cardinality of the words."""
        return sum(float(part.sum(dtype=np.float64)) for part in self._blocks()) / self._count

    def _rows(self, among: int | None = None) -> Iterator[FloatArray]:
        """The vectors of the words, block by block."""
        count = self._count if among is None else min(among, self._count)
        dim = self._stored.rows(slice(0, 1)).shape[1]
        for part in blocks(count, dim):
            yield checked_rows(self._stored.rows(part), self._stored.words[part])

    def _blocks(self, among: int | None = None) -> Iterator[FloatArray]:
        """The tuples of the words, block by block."""
        return (self.fitted.change(rows) for rows in self._rows(among))

    def _compare(self, tuples: DoubleArray, measure: Measure, direction: Direction) -> AnyArray:
        return np.concatenate(
            [Targets(part).compare(measure, direction, tuples) for part in self._blocks()],
            axis=1,
        )
