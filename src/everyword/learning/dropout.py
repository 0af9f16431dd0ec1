"""Dropout for sequences."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class LockedDropout(nn.Module):
    """Dropout that hides the same coordinates at all tokens of a sentence (Gal and Ghahramani 2016)."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, inputs: Tensor) -> Tensor:
        """Inputs (sentences, positions, dim) → the same with hidden coordinates, and the others larger."""
        if not self.training or not self.share:
            return inputs
        return inputs * F.dropout(torch.ones_like(inputs[:, :1]), self.share)
