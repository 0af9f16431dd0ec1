"""Weights of several contexts: those that agree with the others count more. Pure functions of tensors."""

from __future__ import annotations

import math

import torch
from torch import Tensor

LEAST_AGREEMENT = 0.1
"""Of all agreement, for or against, this share must be left as the sum, or all contexts count alike: a ratio to a sum
near zero would give weights without bound. With it none is larger than the inverse."""


def sums_of_words(values: Tensor, owners: Tensor, words: int) -> Tensor:
    """The sum of the rows that belong to each word."""
    return values.new_zeros(words, *values.shape[1:]).index_add(0, owners, values)


def agreement(projected: Tensor, owners: Tensor, words: int) -> Tensor:
    """For each context the sum of its scaled products with all contexts of its word, itself included."""
    # The sum of products is the product with the sum: no matrix of all pairs is needed.
    totals = sums_of_words(projected, owners, words)[owners]
    return (projected * totals).sum(dim=1) / math.sqrt(projected.shape[1])


def ratio_weights(scores: Tensor, owners: Tensor, words: int) -> Tensor:
    """Each score over the sum of the scores of its word; alike where that sum is next to nothing.

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
    """A softmax over the scores of each word."""
    highest = scores.new_full((words,), -torch.inf).scatter_reduce(0, owners, scores.detach(), "amax")
    return shares((scores - highest[owners]).exp(), owners, words)


def uniform_weights(owners: Tensor, words: int) -> Tensor:
    """All contexts of a word alike."""
    return shares(torch.ones(len(owners), device=owners.device), owners, words)


def shares(amounts: Tensor, owners: Tensor, words: int) -> Tensor:
    """Amounts that are not negative, over their sum for each word."""
    return amounts / sums_of_words(amounts, owners, words)[owners]
