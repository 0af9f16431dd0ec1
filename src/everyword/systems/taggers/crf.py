"""A linear-chain conditional random field over the tags of a sentence (Lafferty, McCallum and Pereira 2001)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def mask_of(lengths: Tensor, positions: int) -> Tensor:
    """Lengths of sentences → (sentences, positions), true where a sentence has a token.

    >>> mask_of(torch.tensor([2, 1]), 2).tolist()
    [[True, True], [True, False]]
    """
    return torch.arange(positions, device=lengths.device) < lengths[:, None]


class CRF(nn.Module):
    """Scores the tags of a sentence together.

    Scores have the shape (sentences, positions, tags), tags and masks (sentences, positions). A mask is true at the
    tokens of a sentence, which stand before its padding; tags of padding may be anything that is a tag.

    Args:
        tags: Number of tags.
    """

    def __init__(self, tags: int) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.zeros(tags))
        self.end = nn.Parameter(torch.zeros(tags))
        self.transitions = nn.Parameter(torch.zeros(tags, tags))
        """From the row's tag to the column's."""

    def loss(self, scores: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Return the negative log-likelihood per token, over all sentences together."""
        return -self.log_likelihood(scores, tags, mask).sum() / mask.sum().clamp(min=1)

    def log_likelihood(self, scores: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """Return the log-probability of each sentence's tags; it is 0 for a sentence without tokens."""
        found = self._score(scores, tags, mask) - self._log_total(scores, mask)
        return torch.where(mask[:, 0], found, torch.zeros_like(found))

    @torch.no_grad()
    def decode(self, scores: Tensor, mask: Tensor) -> list[list[int]]:
        """Return the most probable tags of each sentence (Viterbi)."""
        state = self.start + scores[:, 0]
        came_from = []
        for position in range(1, scores.shape[1]):
            moved, origin = (state[:, :, None] + self.transitions).max(dim=1)
            state = torch.where(mask[:, position, None], moved + scores[:, position], state)
            came_from.append(origin)
        tag = (state + self.end).argmax(dim=1)
        path = [tag]
        for position in range(scores.shape[1] - 1, 0, -1):
            before = came_from[position - 1].gather(1, tag[:, None]).squeeze(1)
            tag = torch.where(mask[:, position], before, tag)
            path.append(tag)
        tags = torch.stack(path[::-1], dim=1).tolist()
        return [row[:length] for row, length in zip(tags, mask.sum(dim=1).tolist(), strict=True)]

    def _score(self, scores: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        emitted = scores.gather(2, tags[:, :, None]).squeeze(2)
        moved = self.transitions[tags[:, :-1], tags[:, 1:]]
        last = tags.gather(1, mask.sum(dim=1, keepdim=True).clamp(min=1) - 1).squeeze(1)
        return self.start[tags[:, 0]] + (emitted * mask).sum(1) + (moved * mask[:, 1:]).sum(1) + self.end[last]

    def _log_total(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return the log of the sum over all tag sequences (the forward algorithm)."""
        state = self.start + scores[:, 0]
        for position in range(1, scores.shape[1]):
            moved = torch.logsumexp(state[:, :, None] + self.transitions, dim=1) + scores[:, position]
            state = torch.where(mask[:, position, None], moved, state)
        return torch.logsumexp(state + self.end, dim=1)
