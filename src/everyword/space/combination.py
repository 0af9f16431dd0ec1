"""Several vectors of a word combined as a network has learnt it: side by side, their mean, or by attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np

from everyword.arrays import BoolArray, FloatArray, read_tensors
from everyword.atomic import write_atomic
from everyword.config import Count, Positive
from everyword.errors import InputError

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
