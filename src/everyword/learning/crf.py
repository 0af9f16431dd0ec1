"""A linear-chain conditional random field over the tags of a sentence (Lafferty, McCallum and Pereira 2001)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

BARRED = -1e4
"""The score of what must not be; it is finite, so that sums of it stay numbers."""


FEW = 24
"""Tags up to which a GPU sums over all sequences by halves."""


class Barred(NamedTuple):
    """Tags that cannot come first or last, (tags,), and pairs that cannot follow each other, (tags, tags)."""

    starts: Tensor
    moves: Tensor
    ends: Tensor


def barred_in_spans(tags: Sequence[str], device: str | torch.device = "cpu") -> Barred | None:
    """Return what valid BIO or BIOES tags cannot be; None for tags that mark no spans.

    I and E follow B or I of their type; where there are E and S, a B or I is not the last of its span.

    >>> barred_in_spans(["B-PER", "I-PER", "O"]).moves.int().tolist()
    [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    >>> barred_in_spans(["B-PER", "E-PER", "O", "S-PER"]).ends.tolist()
    [True, False, False, False]
    >>> barred_in_spans(["ADJ", "NOUN"])
    """
    marks = [tag.partition("-") for tag in tags]
    if not all(mark in ("B", "I", "O", "E", "S") and bool(kind) == (mark != "O") for mark, _, kind in marks):
        return None
    closed = any(mark in ("E", "S") for mark, _, _ in marks)
    inside = [kind if mark in ("B", "I") else "" for mark, _, kind in marks]
    """The type of the span that goes on after a tag, or may go on."""
    goes_on = [kind if mark in ("I", "E") else "" for mark, _, kind in marks]
    moves = [[open_ != other and bool(other or closed) for other in goes_on] for open_ in inside]
    starts, ends = [bool(kind) for kind in goes_on], [closed and bool(kind) for kind in inside]
    return Barred(*(torch.tensor(found, device=device) for found in (starts, moves, ends)))


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

    def marginals(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return the probability of each tag at each token, whatever the other tags: (sentences, positions, tags)."""
        with torch.enable_grad():
            scores = scores.detach().requires_grad_()
            # The slope of the log of the sum over all sequences is the share of those with this tag here.
            found = torch.autograd.grad(self._log_total(scores, mask).sum(), scores)[0]
        return found * mask[:, :, None]

    @torch.no_grad()
    def decode(self, scores: Tensor, mask: Tensor, barred: Barred | None = None) -> list[list[int]]:
        """Return the most probable tags of each sentence (Viterbi), among the sequences that are not barred."""
        starts: Tensor = self.start if barred is None else self.start.masked_fill(barred.starts, BARRED)
        moves: Tensor = self.transitions if barred is None else self.transitions.masked_fill(barred.moves, BARRED)
        ends: Tensor = self.end if barred is None else self.end.masked_fill(barred.ends, BARRED)
        state = starts + scores[:, 0]
        came_from = []
        for position in range(1, scores.shape[1]):
            moved, origin = (state[:, :, None] + moves).max(dim=1)
            state = torch.where(mask[:, position, None], moved + scores[:, position], state)
            came_from.append(origin)
        tag = (state + ends).argmax(dim=1)
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
        if scores.is_cuda and scores.shape[2] <= FEW:
            return self._log_total_by_halves(scores, mask)
        state = self.start + scores[:, 0]
        for position in range(1, scores.shape[1]):
            moved = torch.logsumexp(state[:, :, None] + self.transitions, dim=1) + scores[:, position]
            state = torch.where(mask[:, position, None], moved, state)
        return torch.logsumexp(state + self.end, dim=1)

    def _log_total_by_halves(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return the same in as many steps as the length has binary digits: more work, but all of it side by side."""
        tags = scores.shape[2]
        same = torch.full((tags, tags), BARRED, device=scores.device, dtype=scores.dtype).fill_diagonal_(0.0)
        moves = torch.where(mask[:, 1:, None, None], self.transitions + scores[:, 1:, None, :], same)
        while moves.shape[1] > 1:
            if moves.shape[1] % 2:
                moves = torch.cat([moves, same.expand(len(moves), 1, tags, tags)], dim=1)
            moves = torch.logsumexp(moves[:, ::2, :, :, None] + moves[:, 1::2, None, :, :], dim=3)
        state = self.start + scores[:, 0]
        if moves.shape[1]:
            state = torch.logsumexp(state[:, :, None] + moves[:, 0], dim=1)
        return torch.logsumexp(state + self.end, dim=1)
