"""A linear-chain conditional random field: tags of a sentence are scored together (Lafferty et al. 2001)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Crf(nn.Module):
    """Emissions (sentences, places, tags) → log-likelihood of tags, or the best tags."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        self.start = nn.Parameter(torch.zeros(tags))
        self.end = nn.Parameter(torch.zeros(tags))
        self.transitions = nn.Parameter(torch.zeros(tags, tags))
        """From the row's tag to the column's."""

    def log_likelihood(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        """Log-probability of each sentence's tags; places beyond the length do not count."""
        return self._score(emissions, tags, lengths) - self._log_total(emissions, lengths)

    def _score(self, emissions: Tensor, tags: Tensor, lengths: Tensor) -> Tensor:
        inside = torch.arange(tags.shape[1], device=tags.device) < lengths[:, None]
        emitted = emissions.gather(2, tags[:, :, None]).squeeze(2)
        moved = self.transitions[tags[:, :-1], tags[:, 1:]]
        last = tags.gather(1, lengths[:, None] - 1).squeeze(1)
        return self.start[tags[:, 0]] + (emitted * inside).sum(1) + (moved * inside[:, 1:]).sum(1) + self.end[last]

    def _log_total(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """The forward algorithm: log of the sum over all tag sequences."""
        state = self.start + emissions[:, 0]
        for place in range(1, emissions.shape[1]):
            moved = torch.logsumexp(state[:, :, None] + self.transitions, dim=1) + emissions[:, place]
            state = torch.where((place < lengths)[:, None], moved, state)
        return torch.logsumexp(state + self.end, dim=1)

    @torch.no_grad()
    def best(self, emissions: Tensor, lengths: Tensor) -> list[list[int]]:
        """The most probable tags of each sentence (Viterbi)."""
        state = self.start + emissions[:, 0]
        came_from = []
        for place in range(1, emissions.shape[1]):
            moved, origin = (state[:, :, None] + self.transitions).max(dim=1)
            inside = (place < lengths)[:, None]
            state = torch.where(inside, moved + emissions[:, place], state)
            came_from.append(origin)
        tag = (state + self.end).argmax(dim=1)
        path = [tag]
        for place in range(emissions.shape[1] - 1, 0, -1):
            before = came_from[place - 1].gather(1, tag[:, None]).squeeze(1)
            tag = torch.where(place < lengths, before, tag)
            path.append(tag)
        tags = torch.stack(path[::-1], dim=1).tolist()
        return [row[:length] for row, length in zip(tags, lengths.tolist(), strict=True)]
