"""Heads for entities: is a token an entity, and a mixture of experts, one per category (Liu, Winata and Fung 2020).

Both are learnt beside the tags. An expert is a linear layer; how much each counts for a token is itself learnt from the
token's category, so the weights can be read: they say which kinds of entity a token is confused with.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.learning.crf import CRF

OUTSIDE = "O"


def category(tag: str) -> str:
    """Return the category of a tag: what stands behind its mark, or the tag itself.

    >>> category("B-PER"), category("I-PER"), category("O"), category("NOUN")
    ('PER', 'PER', 'O', 'NOUN')
    """
    mark, dash, kind = tag.partition("-")
    return kind if dash and mark in ("B", "I", "E", "S") else tag


def categories(tags: Sequence[str]) -> list[str]:
    """Return all categories, the outside first.

    >>> categories(["B-LOC", "B-PER", "I-PER", "O"])
    ['O', 'LOC', 'PER']
    """
    return [OUTSIDE, *sorted({category(tag) for tag in tags} - {OUTSIDE})]


class EntityExperts(nn.Module):
    """States → a mixture of the outputs of experts, and the scores of the gate.

    Args:
        dim: The length of a state.
        size: The length of an expert's output.
        count: Number of experts, one per category.
    """

    def __init__(self, dim: int, size: int, count: int) -> None:
        super().__init__()
        self.size, self.count = size, count
        self.experts = nn.Linear(dim, size * count)
        self.gate = nn.Linear(dim, count)

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """States (..., dim) → features (..., size) and scores of the gate (..., count)."""
        scores: Tensor = self.gate(states)
        outputs = self.experts(states).unflatten(-1, (self.count, self.size))
        return torch.einsum("...e,...es->...s", F.softmax(scores, dim=-1), outputs), scores


class EntityTask(nn.Module):
    """Whether a token belongs to an entity of any kind, over the same states as the tags."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.output = nn.Linear(dim, 2)
        self.crf = CRF(2)

    def loss(self, states: Tensor, is_entity: Tensor, inside: Tensor) -> Tensor:
        """Return the negative log-likelihood per token."""
        return self.crf.loss(self.output(states), is_entity.long(), inside)
