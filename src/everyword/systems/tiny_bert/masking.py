"""Masked words: which pieces are hidden from a language model, anew in every step."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

MASKED, REPLACED = 0.8, 0.9
"""Of the pieces to be guessed, 80 % are hidden, 10 % are others, and 10 % stay as they are."""


class Hidden(NamedTuple):
    """What the model sees of a batch, and what it is to guess where."""

    shown: Tensor
    places: Tensor
    """In each row, the places to guess; the same number in all rows, so that a GPU need not wait to hear it."""
    targets: Tensor


def hide_pieces(
    ids: Tensor, count: int, *, mask: int, first_plain: int, vocabulary: int, generator: torch.Generator
) -> Hidden:
    """Choose `count` pieces of each row; those below `first_plain` are special and are never chosen."""
    scores = torch.rand(ids.shape, generator=generator, device=ids.device)
    places = scores.masked_fill(ids < first_plain, -1.0).topk(count, dim=1).indices
    targets = ids.gather(1, places)
    fate = torch.rand(places.shape, generator=generator, device=ids.device)
    others = torch.randint(first_plain, vocabulary, places.shape, generator=generator, device=ids.device)
    seen = torch.where(fate < MASKED, mask, torch.where(fate < REPLACED, others, targets))
    return Hidden(ids.scatter(1, places, seen), places, targets)
