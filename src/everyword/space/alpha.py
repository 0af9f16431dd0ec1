"""Natural alpha vectors and limit vectors (Volpi and Malagò, RepL4NLP 2020), from word and context vectors.

A word's distribution over contexts p_w is a point of an exponential family, and its vector points from a reference p0
to it. Which way is straight depends on a number, alpha: with α = 1 and a uniform reference the vectors are those that
were trained, other numbers give other vectors of the same model:

    W_α(w) = I⁻¹ Σ_c p0(c) 2 / (1 - α) (p_w(c) / p0(c))^((1 - α) / 2) dv_c

As α falls, the context with the largest p_w(c) / p0(c) outweighs all others; the limit vector is that context's, and
there is nothing to tune. With I = L Lᵀ, cosines in the Fisher metric are ordinary cosines of Lᵀ W, so that the metric
is part of the vectors, and a plain table comes out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal, NamedTuple

import numpy as np

from everyword import config
from everyword.arrays import AnyArray, FloatArray
from everyword.config import NonNegative, Range
from everyword.errors import InputError
from everyword.space.context_family import Combine, ContextFamily, Reference, cholesky_factor
from everyword.space.linear_map import Regression, ridge_regression
from everyword.space.moments import DoubleArray, single
from everyword.space.pipeline import Reporter, no_report
from everyword.space.record import Contents, write_record
from everyword.space.rows import checked_rows
from everyword.vectors.context_pair import ContextModel, ContextPair
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

Metric = Literal["fisher", "identity"]
NEARLY_ONE = 1e-3
"""So near to α = 1 the vectors are those of α = 1; the formula for other numbers would divide 0 by 0."""


@dataclass(frozen=True, kw_only=True)
class _Geometry(ABC):
    """What alpha vectors and limit vectors have in common."""

    NAME: ClassVar[str]
    reference: Reference = "unigram"
    """The distribution from which words are seen."""
    combine: Combine = "u+v"
    """What stands for a word: its word vector, its context vector or the sum."""
    metric: Metric = "fisher"
    """Whether ordinary cosines of the result are those of the Fisher metric, or those of the plain formula."""
    model: ContextModel | None = None
    """What a product u · v estimates; None takes what the pair was trained for, or else softmax."""
    biases: bool = True
    """Whether the biases of the contexts count, if the pair has any; the paper leaves GloVe's out."""
    ridge: NonNegative = 0.0
    """Added to the diagonal of the Fisher matrix, as a share of its mean eigenvalue."""
    unit: bool = True
    """Whether vectors are scaled to length 1, as in the paper; lengths mean something with α = 1 only."""

    def fit(self, pair: ContextPair, *, report: Reporter = no_report) -> AlphaRecord:
        """Fit reference, Fisher matrix and, for words without a context vector, a regression.

        Args:
            pair: Word vectors, context vectors and counts.
            report: Called with a sentence when a long step begins.

        Returns:
            The record, which changes the pair and the vectors of later words.

        Raises:
            InputError: If the pair cannot be used.
        """
        config.check(self)
        if len(pair) < 2 or pair.vectors.shape[1] < 2:
            raise InputError(
                "Alpha vectors need at least 2 words and 2 dimensions. "
                f"Got {len(pair)} words of dimension {pair.vectors.shape[1]}."
            )
        vectors, contexts = (checked_rows(rows, pair.words) for rows in (pair.vectors, pair.contexts))
        if self.reference.startswith("model"):
            report(f"averaging the distributions of {len(pair):,} words")
        words = _combined(self.combine, vectors, contexts)
        known = pair if self.biases else replace(pair, biases=None)
        family = ContextFamily.fit(known, words, self.model or pair.model or "softmax", self.reference)
        root = np.linalg.inv(cholesky_factor(family.fisher, self.ridge)).astype(np.float64, copy=False)
        inverse: DoubleArray = root.T @ root
        projection = root.T if self.metric == "fisher" else inverse
        regression = None if self.combine == "u" else ridge_regression(vectors, contexts)
        return AlphaRecord(self, family, single(projection), regression)

    @abstractmethod
    def means(self, family: ContextFamily, words: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of words with their weighted sums of context vectors."""


@dataclass(frozen=True, kw_only=True)
class AlphaVectors(_Geometry):
    """Vectors that are straight in the geometry of a number alpha; 1 and a uniform reference give the trained ones."""

    NAME = "alpha.v1"
    alpha: Annotated[float, Range(-10_000, 10_000)] = -1.0

    def means(self, family: ContextFamily, words: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of words with their weighted sums of context vectors."""
        if abs(1 - self.alpha) < NEARLY_ONE:
            yield slice(0, len(words)), family.log_means(words)
            return
        for part, [mean] in family.tilted_means(words, [(1 - self.alpha) / 2]):
            yield part, mean if self.alpha < 1 else -mean


@dataclass(frozen=True, kw_only=True)
class LimitVectors(_Geometry):
    """The limit of alpha vectors as alpha falls: the context vectors of a word's best contexts."""

    NAME = "limit.v1"
    top: Annotated[int, Range(1, 100)] = 1
    """How many of the best contexts are averaged."""
    weighted: bool = False
    """Whether they are weighted by p_w / p0."""

    def means(self, family: ContextFamily, words: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
        """Yield blocks of words with their weighted sums of context vectors."""
        yield from family.best_means(words, min(self.top, len(family.contexts)), self.weighted)


SETTINGS: dict[str, type[AlphaVectors] | type[LimitVectors]] = {
    AlphaVectors.NAME: AlphaVectors,
    LimitVectors.NAME: LimitVectors,
}


@dataclass(frozen=True)
class AlphaRecord:
    """A fitted change of a pair into alpha vectors, which also changes the vectors of later words."""

    KIND: ClassVar[str] = "alpha"
    settings: _Geometry
    family: ContextFamily
    projection: FloatArray
    """From weighted sums of context vectors to the result."""
    regression: Regression | None
    """Predicts the context vector of a word that has none; None if context vectors do not stand for words."""

    @property
    def dim(self) -> int:
        """Dimension of the vectors before and after."""
        return len(self.projection)

    @property
    def fisher(self) -> FloatArray:
        """The Fisher matrix of the reference, without the ridge."""
        return single(self.family.fisher)

    def apply(self, vectors: AnyArray, contexts: AnyArray | None = None) -> FloatArray:
        """Return the alpha vectors of words; zero vectors stay zero.

        Args:
            vectors: Word vectors, also of words that the pair has not, such as vectors made from a spelling.
            contexts: Their context vectors; by default these are predicted from the word vectors.
        """
        rows = self._checked(vectors)
        others = self._predicted(rows) if contexts is None else self._checked(contexts)
        if len(others) != len(rows):
            raise InputError(f"Each word needs a context vector. Got {len(rows)} words and {len(others)} contexts.")
        changed = np.empty_like(rows)
        for part, means in self.settings.means(self.family, _combined(self.settings.combine, rows, others)):
            made = means @ self.projection
            changed[part] = unit_rows(made) if self.settings.unit else made
        changed[~rows.any(axis=1)] = 0
        return changed

    def apply_pair(self, pair: ContextPair) -> VectorTable:
        """Return the alpha vectors of a pair as a table."""
        return VectorTable.from_checked(pair.words, self.apply(pair.vectors, pair.contexts))

    def apply_table(self, table: VectorTable) -> VectorTable:
        """Return the alpha vectors of words without context vectors."""
        return VectorTable.from_checked(table.words, self.apply(checked_rows(table.matrix, table.words)))

    def _checked(self, matrix: AnyArray) -> FloatArray:
        rows = checked_rows(matrix)
        if rows.shape[1] != self.dim:
            raise InputError(
                f"This record was fitted to vectors of dimension {self.dim} and cannot be applied to those of "
                f"dimension {rows.shape[1]}; fit one to them, or give vectors of the same space."
            )
        return rows

    def _predicted(self, vectors: FloatArray) -> FloatArray:
        if self.regression is None:
            return vectors
        predicted: FloatArray = vectors @ self.regression.matrix + self.regression.offset
        return predicted

    def save(self, folder: str | Path) -> None:
        """Write the record; `everyword.space.load_record` reads it."""
        write_record(Path(folder), self.KIND, self.contents())

    def contents(self) -> Contents:
        """The record as plain values and arrays."""
        family, regression = self.family, self.regression
        arrays = {
            "contexts": family.contexts,
            "log_reference": family.log_reference,
            "log_ratio": family.log_ratio,
            "fisher": self.fisher,
            "projection": self.projection,
        }
        if regression is not None:
            arrays |= {"regression.matrix": regression.matrix, "regression.offset": regression.offset}
        described = {
            "name": self.settings.NAME,
            "options": asdict(self.settings),
            "ridge": None if regression is None else regression.ridge,
        }
        return Contents(described, arrays)

    @classmethod
    def from_contents(cls, contents: Contents) -> AlphaRecord:
        """Rebuild a record from its contents."""
        described, arrays = contents.described, contents.arrays
        settings = config.build(SETTINGS[described["name"]], described["options"], "the record")
        family = ContextFamily(
            arrays["contexts"], arrays["log_reference"], arrays["log_ratio"], arrays["fisher"].astype(np.float64)
        )
        regression = None
        if described["ridge"] is not None:
            kept = contents.part("regression").arrays
            regression = Regression(kept["matrix"], kept["offset"], float(described["ridge"]))
        return cls(settings, family, arrays["projection"], regression)

    def check(self) -> None:
        """Raise ValueError if arrays and dimensions do not match."""
        family, dim = self.family, self.dim
        count = len(family.log_reference)
        expected: list[tuple[AnyArray, tuple[int, ...]]] = [
            (family.contexts, (count, dim)),
            (family.log_ratio, (count,)),
            (family.fisher, (dim, dim)),
            (self.projection, (dim, dim)),
        ]
        if self.regression is not None:
            expected += [(self.regression.matrix, (dim, dim)), (self.regression.offset, (dim,))]
        if dim < 2 or count < 2 or any(array.shape != shape for array, shape in expected):
            raise ValueError("arrays of different sizes")
        if (self.regression is None) != (self.settings.combine == "u"):
            raise ValueError("a regression where none is needed, or none where one is")


def _combined(combine: Combine, vectors: FloatArray, contexts: FloatArray) -> FloatArray:
    if combine == "u":
        return vectors
    return contexts if combine == "v" else vectors + contexts


class AlphaResult(NamedTuple):
    """The table, and the record that changes the vectors of later words in the same way."""

    table: VectorTable
    record: AlphaRecord


def alpha_vectors(
    pair: ContextPair, settings: AlphaVectors | LimitVectors | None = None, *, report: Reporter = no_report
) -> AlphaResult:
    """Fit alpha vectors or limit vectors to a pair, and return those of its words.

    Args:
        pair: Word vectors, context vectors and, unless the reference is uniform, counts.
        settings: `AlphaVectors(alpha=...)` or `LimitVectors()`, which is the default and needs no tuning.
        report: Called with a sentence when a long step begins.

    Returns:
        The table, and the record.

    Raises:
        InputError: If the pair cannot be used.

    >>> rng = np.random.default_rng(0)
    >>> pair = ContextPair(["a", "b", "c", "d"], rng.normal(size=(4, 2)), rng.normal(size=(4, 2)))
    >>> plain = AlphaVectors(alpha=1, reference="uniform", combine="u", metric="identity", unit=False)
    >>> bool(np.allclose(alpha_vectors(pair, plain).table.matrix, pair.vectors, atol=1e-5))
    True
    """
    record = (settings or LimitVectors()).fit(pair, report=report)
    report(f"computing the vectors of {len(pair):,} words")
    return AlphaResult(record.apply_pair(pair), record)
