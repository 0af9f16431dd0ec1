"""What a tagger reads of a word: kinds of input, sources of vectors, a trained combination of them; without torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, get_args

import numpy as np

from everyword.arrays import BoolArray, FloatArray, read_tensors
from everyword.atomic import write_atomic
from everyword.config import Count, Positive
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

Input = Literal["frozen", "frozen+char", "full", "full+emb", "char"]
"""What the tagger reads of a word.

- frozen: its vector, which is not trained;
- frozen+char: the same, and a character encoder;
- full: a lookup trained from random vectors, and a character encoder;
- full+emb: the same, initialised with the word vectors;
- char: a character encoder only; CHAR(D) if that was trained before.
"""
INPUTS: tuple[str, ...] = get_args(Input)
FROZEN = ("frozen", "frozen+char")
WITH_VECTORS = (*FROZEN, "full+emb")
FORMAT = "combination.v1"
Kind = Literal["concatenation", "mean", "linear-attention", "attention"]
"""How the vectors of a word are combined.

- concatenation: side by side, without a projection; of a single source, its vector;
- mean: projected to one length and averaged;
- linear-attention: weighted by attention, after a linear projection;
- attention: the same after a projection with tanh.
"""
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(frozen=True)
class CombinerConfig:
    """How the vectors of a word are combined."""

    kind: Kind = "attention"
    width: Count | None = None
    """Length of the projections; by default that of the longest source."""
    hidden: Count = 64
    """Length of the hidden layer that gives a source its weight."""
    length: Positive = 5.0
    """All vectors are scaled to this length first, so that no source drowns the others."""


class Source(Protocol):
    """Gives words vectors; a vector of zeros says that it does not have the word."""

    name: str

    @property
    def dim(self) -> int: ...

    def encode(self, words: Sequence[str], /) -> FloatArray: ...


class TableSource:
    """The words of a table, as they are written or else in lower case."""

    def __init__(self, name: str, table: VectorTable) -> None:
        self.name, self.table = name, table

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self.table.dim

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words, zeros for those that the table does not have."""
        index = self.table.index
        rows = np.array([index.get(word, index.get(word.lower(), -1)) for word in words], dtype=np.int64)
        found = np.zeros((len(words), self.dim), dtype=np.float32)
        found[rows >= 0] = self.table.rows(rows[rows >= 0])
        return found


class ModelSource:
    """The vectors that a model of everyword gives any word."""

    def __init__(self, model: Model) -> None:
        self.name, self.model = model.name, model

    @property
    def dim(self) -> int:
        """The length of a vector."""
        return self.model.dim

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words."""
        return np.asarray(self.model.encode(list(words)), dtype=np.float32)


class Sources:
    """Several sources as one: the vectors of a word side by side, each of the same length or zeros.

    Args:
        sources: One or more, with different names.
        length: What vectors are scaled to.
    """

    def __init__(self, sources: Sequence[Source], length: float = 5.0) -> None:
        names = [source.name for source in sources]
        if not sources:
            raise InputError("A tagger over sources of vectors needs one source or more. Got none.")
        if len(set(names)) < len(names):
            raise InputError(f"Sources of vectors need different names. Got {', '.join(names)}.")
        self.sources, self.length, self.names = tuple(sources), length, tuple(names)
        self.dims = tuple(source.dim for source in sources)

    @property
    def dim(self) -> int:
        """The length of all vectors side by side."""
        return sum(self.dims)

    def encode(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of words, (words, dim)."""
        parts = []
        for source in self.sources:
            vectors = np.asarray(source.encode(words), dtype=np.float32)
            if vectors.shape != (len(words), source.dim):
                raise InputError(
                    f"The source {source.name!r} must give {len(words)} vectors of length {source.dim}. "
                    f"Got an array of shape {vectors.shape}."
                )
            parts.append(unit_rows(vectors) * np.float32(self.length))
        return np.concatenate(parts, axis=1)


class Combined(NamedTuple):
    """Combined vectors, and the weight that each source had."""

    vectors: FloatArray
    weights: FloatArray


class Combination:
    """A trained combination, for use without torch.

    Args:
        kind: How vectors are combined.
        names: The sources, in their order.
        weights: By name: `projection.N` and `bias.N` of each source, `hidden` and `score` of the attention.
    """

    def __init__(self, kind: Kind, names: Sequence[str], weights: Mapping[str, FloatArray]) -> None:
        self.kind, self.names, self.weights = kind, tuple(names), dict(weights)

    def __call__(self, vectors: Sequence[FloatArray], present: BoolArray | None = None) -> Combined:
        """Combine the vectors of words.

        Args:
            vectors: For each source, (words, its length).
            present: (words, sources), which source has which word; by default those whose vector is not zero.
        """
        if len(vectors) != len(self.names):
            raise InputError(f"Give the vectors of {len(self.names)} sources. Got those of {len(vectors)}.")
        if present is None:
            present = np.stack([one.any(axis=1) for one in vectors], axis=1)
        if self.kind == "concatenation":
            return Combined(np.concatenate(vectors, axis=1), _normalised(present.astype(np.float32)))
        projected = np.stack([self._project(number, one) for number, one in enumerate(vectors)], axis=1)
        if self.kind == "mean":
            weights = _normalised(present.astype(np.float32))
        else:
            scores = np.tanh(projected @ self.weights["hidden"].T) @ self.weights["score"]
            scores = np.where(present, scores, -np.inf)
            highest = np.max(scores, axis=1, keepdims=True, initial=np.finfo(np.float32).min)
            weights = _normalised(np.exp(scores - highest))
        return Combined(np.einsum("ws,wse->we", weights, projected), weights)

    def _project(self, number: int, vectors: FloatArray) -> FloatArray:
        found: FloatArray = vectors @ self.weights[f"projection.{number}"].T + self.weights[f"bias.{number}"]
        return found if self.kind == "linear-attention" else np.tanh(found)

    def save(self, path: Path) -> None:
        """Write one safetensors file."""
        from safetensors.numpy import save

        metadata = {"format": FORMAT, "kind": self.kind, "names": "\n".join(self.names)}
        weights = {name: np.ascontiguousarray(weight) for name, weight in self.weights.items()}
        write_atomic(path, save(weights, metadata=metadata))

    @classmethod
    def load(cls, path: Path) -> Combination:
        """Read what `save` wrote."""
        try:
            weights, metadata = read_tensors(path)
            if metadata.get("format") != FORMAT or metadata.get("kind") not in KINDS:
                raise ValueError(f"its format is {metadata.get('format')!r:.40}, not {FORMAT!r}")
            return cls(metadata["kind"], metadata["names"].split("\n"), weights)  # type: ignore[arg-type]
        except FileNotFoundError:
            raise InputError(f"There is no file {path}; check the path.") from None
        except (ValueError, KeyError) as error:
            raise InputError(f"{path} cannot be read as a combination of sources: {error}.") from None


def _normalised(weights: FloatArray) -> FloatArray:
    """Divide each row by its sum; rows of zeros stay."""
    sums = weights.sum(axis=1, keepdims=True)
    found: FloatArray = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0)
    return found
