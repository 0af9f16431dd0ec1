"""The trained part: form, weights over contexts, the map to the space aimed at, and perhaps a gate."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from everyword.systems.bertram.config import Weights
from everyword.systems.bertram.form import Form
from everyword.systems.bertram.weighing import (
    agreement,
    ratio_weights,
    shares,
    softmax_weights,
    sums_of_words,
    uniform_weights,
)

FORM, CONTEXT, GATE = "form", "context", "gate"


class Contexts(NamedTuple):
    """Vectors of the contexts of some words, those of the first word first."""

    vectors: Tensor
    """(contexts, dim)."""
    owners: Tensor
    """The word that each belongs to, by its place."""
    words: int
    sizes: Tensor | None = None
    """How many known words each context holds, where it is a bag of words."""


def owners_of(counts: Sequence[int], device: torch.device) -> Tensor:
    """The place of the word that each context belongs to.

    >>> owners_of([2, 1], torch.device("cpu")).tolist()
    [0, 0, 1]
    """
    return torch.repeat_interleave(torch.tensor(counts)).to(device)


class FormContextNetwork(nn.Module):
    """Combines the contexts of each word with its form."""

    def __init__(self, form: Form, context_dim: int, weights: Weights, *, gated: bool) -> None:
        super().__init__()
        self.form = form
        self.how = weights
        learnt = weights in ("ratio", "softmax")
        self.attention = nn.Linear(context_dim, context_dim) if learnt else None
        self.to_space = nn.Linear(context_dim, form.dim)
        self.gate = nn.Linear(form.dim + context_dim, 1) if gated else None

    def weights(self, contexts: Contexts) -> Tensor:
        """One weight for each context; those of a word sum to 1."""
        owners, words = contexts.owners, contexts.words
        if self.attention is None:
            if self.how == "words" and contexts.sizes is not None:
                return shares(contexts.sizes, owners, words)
            return uniform_weights(owners, words)
        scores = agreement(self.attention(contexts.vectors), owners, words)
        return (ratio_weights if self.how == "ratio" else softmax_weights)(scores, owners, words)

    def pooled(self, contexts: Contexts) -> tuple[Tensor, Tensor]:
        """The weighed sum of the contexts of each word, and their weights."""
        weights = self.weights(contexts)
        return sums_of_words(weights[:, None] * contexts.vectors, contexts.owners, contexts.words), weights

    def forward(self, contexts: Contexts, forms: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """A vector for each word, and the weights of its contexts; form vectors go through the gate."""
        pooled, weights = self.pooled(contexts)
        vectors = self.to_space(pooled)
        if self.gate is None or forms is None:
            return vectors, weights
        share = torch.sigmoid(self.gate(torch.cat([forms, pooled], dim=1)))
        return share * vectors + (1 - share) * forms, weights

    def train_only(self, parts: Collection[str]) -> None:
        """Let these parts learn, FORM, CONTEXT or GATE, and no other."""
        part_of = {"form": FORM, "attention": CONTEXT, "to_space": CONTEXT, "gate": GATE}
        for name, module in self.named_children():
            module.requires_grad_(part_of[name] in parts)
