"""A table of the vectors of all tokens of a task: each distinct token is encoded once, then looked up by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError

Encode = Callable[[Sequence[str]], FloatArray]
PADDING = 0


def scale_to(vectors: FloatArray, size: float) -> float:
    """Return what to multiply vectors by so that their coordinates have a root mean square; zero vectors do not count.

    >>> scale_to(np.array([[0.0, 0.0], [3.0, 1.0]]), 5**0.5)
    1.0
    """
    known = vectors[vectors.any(axis=1)].astype(np.float64)
    return float(size / np.sqrt(np.mean(known**2))) if len(known) else 1.0


class WordVectors:
    """A matrix that grows with the tokens that are looked up; row 0 is padding, and rows never change."""

    def __init__(self, encode: Encode | None, dim: int, known: Callable[[str], bool] | None = None) -> None:
        self.dim = dim if encode is not None else 0
        self.encode_seconds = 0.0
        self.tokens: list[str] = [""]
        """The token of each row."""
        self.vectors: Tensor = torch.zeros(1, self.dim)
        self._on_device = self.vectors
        self._encode = encode
        self._known = known
        self._row_of: dict[str, int] = {}
        self._known_rows: list[bool] = [False]

    def __len__(self) -> int:
        return len(self.tokens)

    def rows(self, sentences: Sequence[Sequence[str]]) -> list[IndexArray]:
        """Return the row of each token of each sentence; new tokens are encoded first, all at once."""
        new = [t for t in dict.fromkeys(token for tokens in sentences for token in tokens) if t not in self._row_of]
        if new:
            self._add(new)
        return [np.array([self._row_of[token] for token in tokens], dtype=np.int64) for tokens in sentences]

    def look_up(self, rows: Tensor) -> Tensor:
        """Return the vectors of rows, on their device, where a copy of the matrix is cached until it grows."""
        if self._on_device.device != rows.device or len(self._on_device) != len(self.vectors):
            self._on_device = self.vectors.to(rows.device)
        return self._on_device[rows]

    def anew(self) -> WordVectors:
        """Return an empty table with the same source of vectors."""
        return WordVectors(self._encode, self.dim, self._known)

    def count_known(self, rows: Sequence[IndexArray]) -> tuple[int, int]:
        """Return how many tokens are known, and how many sentences consist of known ones only."""
        flags = np.array(self._known_rows)
        return int(sum(flags[row].sum() for row in rows)), int(sum(flags[row].all() for row in rows))

    def _add(self, new: list[str]) -> None:
        vectors = np.zeros((len(new), 0), dtype=np.float32)
        if self._encode is not None:
            start = perf_counter()
            vectors = np.asarray(self._encode(new), dtype=np.float32)
            self.encode_seconds += perf_counter() - start
        if vectors.shape != (len(new), self.dim):
            raise InputError(
                f"Encoding {len(new)} words must give an array of shape {(len(new), self.dim)}. Got {vectors.shape}."
            )
        if not (finite := np.isfinite(vectors).all(axis=1)).all():
            raise InputError(f"The vector of {new[int(np.argmin(finite))]!r} holds NaN or infinity; fix it first.")
        self._row_of.update({token: row for row, token in enumerate(new, start=len(self.tokens))})
        self.tokens += new
        self.vectors = torch.cat([self.vectors, torch.from_numpy(vectors)])
        known = self._known
        self._known_rows += [known(t) if known else bool(vector.any()) for t, vector in zip(new, vectors, strict=True)]
