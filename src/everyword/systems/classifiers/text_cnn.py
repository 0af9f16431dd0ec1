"""A convolutional network over the word vectors of a text, with max-pooling over time (Kim 2014)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn


class TextCnn(nn.Module):
    """Word vectors and lengths of texts → a score for each label."""

    def __init__(self, dim: int, labels: int, *, widths: Sequence[int], filters: int, dropout: float) -> None:
        super().__init__()
        # A window may reach over either end by all but one of its words, so a text of one word has windows too.
        self.convolutions = nn.ModuleList(nn.Conv1d(dim, filters, width, padding=width - 1) for width in widths)
        self.widths = tuple(widths)
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(filters * len(self.widths), labels)

    def forward(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return scores (texts, labels); `vectors` beyond a text's length have no influence."""
        scores: Tensor = self.output(self.dropout(self.features(vectors, lengths)))
        return scores

    def features(self, vectors: Tensor, lengths: Tensor) -> Tensor:
        """Return the strongest answer of each filter, (texts, widths · filters)."""
        positions = torch.arange(vectors.shape[1], device=vectors.device)
        columns = (vectors * (positions < lengths[:, None])[:, :, None]).transpose(1, 2)
        strongest = []
        for width, convolution in zip(self.widths, self.convolutions, strict=True):
            answers = convolution(columns)
            windows = torch.arange(answers.shape[2], device=vectors.device)
            outside = windows >= lengths[:, None] + width - 1
            strongest.append(answers.masked_fill(outside[:, None], float("-inf")).amax(dim=2))
        return torch.cat(strongest, dim=1).relu()
