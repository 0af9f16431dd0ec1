"""Which pieces of a text a masked language model has to predict."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

LEAST = 1e-30
MASKED, REPLACED = 0.8, 0.9
"""Of the pieces to be predicted, 80 % are masked, 10 % are replaced by others, and 10 % stay as they are."""


class MaskedBatch(NamedTuple):
    """The input of the model, and what it is to predict where."""

    shown: Tensor
    positions: Tensor
    """The positions to predict in each row; as many in every row, so that a GPU need not wait for the number."""
    targets: Tensor


def hide_pieces(
    ids: Tensor,
    count: int,
    *,
    mask: int,
    first_plain: int,
    vocabulary: int,
    generator: torch.Generator,
    weights: Tensor | None = None,
) -> MaskedBatch:
    """Hide `count` pieces of each row; those below `first_plain` are special and are never chosen.

    With weights, pieces are drawn one after the other in proportion to theirs: the largest of u^(1/w) with random u.
    """
    scores = torch.rand(ids.shape, generator=generator, device=ids.device)
    if weights is not None:
        scores = (scores.clamp_min(LEAST).log() * (weights.mean() / weights.clamp_min(LEAST))[ids]).exp()
    positions = scores.masked_fill(ids < first_plain, -1.0).topk(count, dim=1).indices
    targets = ids.gather(1, positions)
    fate = torch.rand(positions.shape, generator=generator, device=ids.device)
    others = torch.randint(first_plain, vocabulary, positions.shape, generator=generator, device=ids.device)
    seen = torch.where(fate < MASKED, mask, torch.where(fate < REPLACED, others, targets))
    return MaskedBatch(ids.scatter(1, positions, seen), positions, targets)
