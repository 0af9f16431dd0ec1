"""Batches of words that are always shown as they are, drawn and padded on the device that learns from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from everyword.text.units import Units

WIDTHS = 4
"""Batches are padded to multiples of this, so that few shapes occur."""


class ShownWords:
    """The units of all training words, once, on a device; the words of a batch are those of `Examples` by that seed.

    Args:
        words: The training words.
        units: Cuts them.
        seed: Draws the order of each epoch.
        device: Where batches are wanted.
    """

    def __init__(self, words: Sequence[str], units: Units, *, seed: int, device: torch.device) -> None:
        sequences = units.batch(words).sequences
        self.seed, self.device = seed, device
        self._lengths = sequences.lengths
        self._ids = torch.from_numpy(sequences.padded()).to(device, torch.int64)

    def batches(self, anchors: int, epoch: int, first_step: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield the word indices and padded ids of the batches of an epoch, from a step on."""
        order = np.random.default_rng([self.seed, epoch]).permutation(len(self._lengths))
        rows = torch.from_numpy(order).to(self.device)
        for first in range(first_step * anchors, len(order), anchors):
            longest = int(self._lengths[order[first : first + anchors]].max())
            some = rows[first : first + anchors]
            yield some, self._ids[some, : -(-longest // WIDTHS) * WIDTHS]
