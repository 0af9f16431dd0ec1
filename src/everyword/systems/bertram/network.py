"""The trained network: form vectors, attention over contexts, a linear map to the target space, an optional gate."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.systems.bertram.config import Weights
from everyword.systems.bertram.form import Form

FORM, CONTEXT, GATE = "form", "context", "gate"
LEAST_AGREEMENT = 0.1
"""Of all agreement, for or against, this share must be left as the sum, or all contexts count alike: a ratio to a sum
near zero would give weights without bound. With it none is larger than the inverse."""


class Contexts(NamedTuple):
    """Context vectors of some words, in the order of the words."""

    vectors: Tensor
    """(contexts, dim)."""
    owners: Tensor
    """The index of the word that each context belongs to."""
    words: int
    sizes: Tensor | None = None
    """The number of known words in each context, where it is a bag of words."""


def owners_of(counts: Sequence[int], device: torch.device) -> Tensor:
    """Return the index of the word that each context belongs to.

    >>> owners_of([2, 1], torch.device("cpu")).tolist()
    [0, 0, 1]
    """
    return torch.repeat_interleave(torch.tensor(counts)).to(device)


class FormContextNetwork(nn.Module):
    """Combines the contexts of each word with its form."""

    def __init__(self, form: Form, context_dim: int, weights: Weights, *, gated: bool) -> None:
        super().__init__()
        self.form = form
        self.weighting = weights
        learnt = weights in ("ratio", "softmax")
        self.attention = nn.Linear(context_dim, context_dim) if learnt else None
        self.to_space = nn.Linear(context_dim, form.dim)
        self.gate = nn.Linear(form.dim + context_dim, 1) if gated else None

    def weights(self, contexts: Contexts) -> Tensor:
        """Return a weight per context; the weights of a word sum to 1."""
        owners, words = contexts.owners, contexts.words
        if self.attention is None:
            if self.weighting == "words" and contexts.sizes is not None:
                return shares(contexts.sizes, owners, words)
            return uniform_weights(owners, words)
        scores = agreement(self.attention(contexts.vectors), owners, words)
        return (ratio_weights if self.weighting == "ratio" else softmax_weights)(scores, owners, words)

    def pooled(self, contexts: Contexts) -> tuple[Tensor, Tensor]:
        """Return the weighted sum of the contexts of each word, and the weights."""
        weights = self.weights(contexts)
        return sums_of_words(weights[:, None] * contexts.vectors, contexts.owners, contexts.words), weights

    def forward(self, contexts: Contexts, forms: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return a vector per word, gated with its form vector if there is a gate, and the weights of its contexts."""
        pooled, weights = self.pooled(contexts)
        vectors = self.to_space(pooled)
        if self.gate is None or forms is None:
            return vectors, weights
        share = torch.sigmoid(self.gate(torch.cat([forms, pooled], dim=1)))
        return share * vectors + (1 - share) * forms, weights

    def vectors(
        self, words: Sequence[str], seen: list[int], combine: Callable[[list[int], Tensor], Tensor]
    ) -> FloatArray:
        """Return form vectors, replaced by what `combine` makes of them for the words seen in a context."""
        forms = self.form(words)
        found: FloatArray = forms.cpu().numpy().astype(np.float32)
        if seen:
            found[seen] = combine(seen, forms[torch.tensor(seen, device=forms.device)]).cpu().numpy()
        return found

    def train_only(self, parts: Collection[str]) -> None:
        """Freeze all parts of the network but these (FORM, CONTEXT, GATE)."""
        part_of = {"form": FORM, "attention": CONTEXT, "to_space": CONTEXT, "gate": GATE}
        for name, module in self.named_children():
            module.requires_grad_(part_of[name] in parts)


def sums_of_words(values: Tensor, owners: Tensor, words: int) -> Tensor:
    """Return the sum of the rows of each word."""
    return values.new_zeros(words, *values.shape[1:]).index_add(0, owners, values)


def agreement(projected: Tensor, owners: Tensor, words: int) -> Tensor:
    """Return for each context the sum of its scaled products with all contexts of its word, itself included."""
    # The sum of products is the product with the sum: no matrix of all pairs is needed.
    totals = sums_of_words(projected, owners, words)[owners]
    return (projected * totals).sum(dim=1) / math.sqrt(projected.shape[1])


def ratio_weights(scores: Tensor, owners: Tensor, words: int) -> Tensor:
    """Divide each score by the sum of the scores of its word; uniform weights where that sum is close to zero.

    >>> ratio_weights(torch.tensor([3.0, 1.0, 1.0, -1.0]), torch.tensor([0, 0, 1, 1]), 2).tolist()
    [0.75, 0.25, 0.5, 0.5]
    """
    totals = sums_of_words(scores, owners, words)[owners]
    trusted = totals.abs() > LEAST_AGREEMENT * sums_of_words(scores.abs(), owners, words)[owners]
    # Where the sum is not trusted, 1 is divided by instead: both branches of `where` must have a finite gradient.
    return torch.where(
        trusted, scores / torch.where(trusted, totals, totals.new_ones(())), uniform_weights(owners, words)
    )


def softmax_weights(scores: Tensor, owners: Tensor, words: int) -> Tensor:
    """Return a softmax over the scores of each word."""
    highest = scores.new_full((words,), -torch.inf).scatter_reduce(0, owners, scores.detach(), "amax")
    return shares((scores - highest[owners]).exp(), owners, words)


def uniform_weights(owners: Tensor, words: int) -> Tensor:
    """Return equal weights for the contexts of a word."""
    return shares(torch.ones(len(owners), device=owners.device), owners, words)


def shares(amounts: Tensor, owners: Tensor, words: int) -> Tensor:
    """Divide non-negative amounts by their sum per word."""
    return amounts / sums_of_words(amounts, owners, words)[owners]
