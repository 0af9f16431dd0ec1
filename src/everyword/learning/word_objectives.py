"""Objectives that keep the states of a network true to their words, beside whatever the network learns.

Tutek and Šnajder, "Staying True to Your Word: (How) Can Attention Become Explanation?" (RepL4NLP 2020): the state h_t
at a word may forget the word and take in its neighbours; attention to h_t then says little about word t.

    tying   Σ_t |h_t − e_t|² / Σ_t |e_t|²                   states stay near the vectors e_t of their words
    mlm     −(1/|M|) Σ_{t in M} log softmax(V ĥ_t)[w_t]     a share M of the words is hidden, and their states name them

Tying is relative to the size of the vectors, so that a weight means the same for vectors of any length; the published
one is (1/T) Σ_t |h_t − e_t|². V holds the vectors of words, of length 1 in the mean; it does not train them. If states
are longer or shorter than vectors, a matrix maps them; the published networks have states of the same length.
"""

from __future__ import annotations

from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn

HIDDEN = 0.15
"""The share of words that a state has to name."""
REPLACED, RANDOM = 0.8, 0.1
"""Of these, how many are replaced by a mark, and how many by another word; the others stay."""


class WithStates(Protocol):
    """What a network makes of a batch of texts."""

    @property
    def states(self) -> Tensor | None:
        """A vector for each word in its context, (texts, words, width)."""

    @property
    def inputs(self) -> Tensor:
        """The vector of each word, (texts, words, dim)."""


class WordNetwork(Protocol):
    """A network that reads rows of words, and can be given other vectors instead of theirs."""

    def read(self, rows: Tensor, /) -> Tensor:
        """Return the vectors of rows."""

    def __call__(self, rows: Tensor, lengths: Tensor, inputs: Tensor | None = None) -> WithStates:
        """Read texts."""


class WordObjective(nn.Module):
    """Base class: a loss of the states of a network.

    Args:
        dim: The length of word vectors.
        width: The length of states.
    """

    def __init__(self, dim: int, width: int) -> None:
        super().__init__()
        self.to_input: nn.Module = nn.Identity() if dim == width else nn.Linear(width, dim, bias=False)

    def mapped(self, passed: WithStates) -> Tensor:
        """Return the states, as long as word vectors."""
        assert passed.states is not None
        states: Tensor = self.to_input(passed.states)
        return states


class NoObjective(WordObjective):
    """Asks nothing of the states."""

    def __init__(self, dim: int, width: int) -> None:
        super().__init__(dim, dim)

    def forward(self, network: WordNetwork, rows: Tensor, lengths: Tensor, passed: WithStates) -> Tensor:
        """Return zero."""
        return passed.inputs.new_zeros(())


class Tying(WordObjective):
    """Keeps states near the vectors of their words."""

    def forward(self, network: WordNetwork, rows: Tensor, lengths: Tensor, passed: WithStates) -> Tensor:
        """Return the loss of a batch that a network has read."""
        return tying_loss(self.mapped(passed), passed.inputs, inside(rows, lengths))


class MaskedWords(WordObjective):
    """Has states name their words, some of which are hidden from the network in a second pass.

    Args:
        dim: The length of word vectors.
        width: The length of states.
        vocabulary: The rows of all words that may be named; None for the words of each batch.
    """

    def __init__(self, dim: int, width: int, vocabulary: Tensor | None = None) -> None:
        super().__init__(dim, width)
        self.mark = nn.Parameter(torch.zeros(dim))
        """The vector that hides a word."""
        self.register_buffer("vocabulary", vocabulary, persistent=False)

    def forward(self, network: WordNetwork, rows: Tensor, lengths: Tensor, passed: WithStates) -> Tensor:
        """Return the loss of a batch that a network has read; the batch is read again with hidden words."""
        chosen = inside(rows, lengths) & (torch.rand(rows.shape, device=rows.device) < HIDDEN)
        words = self.vocabulary if isinstance(self.vocabulary, Tensor) else torch.unique(rows[inside(rows, lengths)])
        vectors = network.read(words[None])[0].detach()
        again = network(rows, lengths, inputs=self.hidden(passed.inputs.detach(), chosen, vectors))
        if not chosen.any():
            return self.mapped(again).sum() * 0
        # The vocabulary is sorted, and has all words of training.
        scores = self.mapped(again)[chosen] @ (vectors / vectors.norm(dim=1).mean()).T
        return F.cross_entropy(scores, torch.searchsorted(words, rows[chosen]))

    def hidden(self, inputs: Tensor, chosen: Tensor, vectors: Tensor) -> Tensor:
        """Return word vectors in which chosen ones are replaced by the mark or by another word, or stay."""
        fate = torch.rand(chosen.shape, device=inputs.device)[..., None]
        others = vectors[torch.randint(len(vectors), chosen.shape, device=inputs.device)]
        marked = torch.where(fate < REPLACED, self.mark, torch.where(fate < REPLACED + RANDOM, others, inputs))
        return torch.where(chosen[..., None], marked, inputs)


def tying_loss(states: Tensor, inputs: Tensor, words: Tensor) -> Tensor:
    """Return the mean squared distance of states from the vectors of their words, beside the size of the vectors.

    Args:
        states: (texts, words, dim).
        inputs: (texts, words, dim).
        words: Which of them are words, not padding, (texts, words).
    """
    distances, sizes = ((one.square().sum(dim=-1)[words].mean()) for one in (states - inputs, inputs))
    return distances / sizes.clamp(min=torch.finfo(sizes.dtype).tiny)


def inside(rows: Tensor, lengths: Tensor) -> Tensor:
    """Return which places of a padded batch are words."""
    return torch.arange(rows.shape[1], device=rows.device) < lengths.to(rows.device)[:, None]
