"""Pool the vectors of pieces into one vector: pure functions of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from everyword.errors import InputError, did_you_mean
from everyword.language_models.pieces import Span


def mean_of_text(outputs: Tensor, mask: Tensor, word: Sequence[Span]) -> Tensor:
    """Return the mean over all pieces, special ones too, as most sentence encoders are trained to do."""
    return (outputs * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)


def max_of_text(outputs: Tensor, mask: Tensor, word: Sequence[Span]) -> Tensor:
    """Return the maximum over all pieces in each dimension."""
    return outputs.masked_fill(~mask[..., None], -torch.inf).amax(dim=1)


def first_piece(outputs: Tensor, mask: Tensor, word: Sequence[Span]) -> Tensor:
    """Return the vector of the first piece, [CLS] in models like BERT."""
    return outputs[:, 0]


def mean_of_word(outputs: Tensor, mask: Tensor, word: Sequence[Span]) -> Tensor:
    """Return the mean over the pieces of the word itself."""
    return mean_of_spans(outputs, range(len(word)), word)


def mean_of_spans(outputs: Tensor, texts: Sequence[int], spans: Sequence[Span]) -> Tensor:
    """Return the mean vector of each span of pieces, in the text of that index in the batch.

    >>> outputs = torch.tensor([[[1.0], [2.0], [4.0]]])
    >>> mean_of_spans(outputs, [0, 0], [Span(0, 1), Span(1, 3)]).tolist()
    [[1.0], [3.0]]
    """
    pieces = outputs.shape[1]
    flat = [text * pieces + piece for text, span in zip(texts, spans, strict=True) for piece in range(*span)]
    sizes = torch.tensor([span.stop - span.start for span in spans], device=outputs.device)
    positions = torch.tensor(flat, device=outputs.device, dtype=torch.int64)
    owners = torch.repeat_interleave(torch.arange(len(spans), device=outputs.device), sizes, output_size=len(flat))
    return mean_of_positions(outputs, positions, owners, sizes)


def mean_of_positions(outputs: Tensor, positions: Tensor, owners: Tensor, sizes: Tensor) -> Tensor:
    """Return the mean vector of each owner.

    Args:
        outputs: The vectors of a batch (texts, pieces, dim).
        positions: Indices into all pieces of the batch.
        owners: The owner of each position.
        sizes: The number of positions of each owner.

    >>> outputs = torch.tensor([[[1.0], [2.0]], [[4.0], [8.0]]])
    >>> mean_of_positions(outputs, torch.tensor([1, 2, 3]), torch.tensor([0, 1, 1]), torch.tensor([1, 2])).tolist()
    [[2.0], [6.0]]
    """
    picked = outputs.flatten(0, 1)[positions]
    sums = outputs.new_zeros(len(sizes), outputs.shape[2]).index_add_(0, owners, picked)
    return sums / sizes.clamp(min=1)[:, None]


Pool = Callable[[Tensor, Tensor, Sequence[Span]], Tensor]
"""From outputs (texts, pieces, dim), a mask that is false for padding, and each text's word to (texts, dim)."""

POOLS: dict[str, Pool] = {"mean": mean_of_text, "max": max_of_text, "cls": first_piece, "word": mean_of_word}


def get_pool(name: str) -> Pool:
    """Return a pooling by its name."""
    if name not in POOLS:
        raise InputError(f"There is no pooling {name!r}: {did_you_mean(name, POOLS)}")
    return POOLS[name]
