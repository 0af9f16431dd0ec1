"""The vectors of the tokens of texts, in one array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from everyword.arrays import AnyArray, IndexArray
from everyword.errors import InputError


class TokenVectors(NamedTuple):
    """The vectors of all tokens, one text after the other."""

    vectors: AnyArray
    """(tokens, layers, dim); static vectors have one layer."""
    starts: IndexArray
    """The row of the first token of each text, and behind the last."""

    @classmethod
    def of(cls, vectors: AnyArray, lengths: Sequence[int]) -> TokenVectors:
        """Join vectors of tokens, (tokens, dim) or (tokens, layers, dim), with the lengths of the texts."""
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        if len(vectors) != starts[-1]:
            raise InputError(f"Each token needs a vector. Got {len(vectors)} for {int(starts[-1])} tokens.")
        return cls(vectors[:, None] if vectors.ndim == 2 else vectors, starts)
