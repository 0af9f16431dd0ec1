"""Where the map from contexts to vectors begins: at its closed form, so that training has only to refine it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from everyword.arrays import FloatArray, IndexArray
from everyword.space.linear_map import HELD_OUT_EVERY, ridge_regression
from everyword.systems.bertram.batches import Batch
from everyword.systems.bertram.network import Contexts, FormContextNetwork

WORDS_AT_ONCE = 512


@torch.no_grad()
def start_with_ridge(
    network: FormContextNetwork, shown: Callable[[Batch], Contexts], counts: IndexArray, targets: FloatArray
) -> None:
    """Set the map by regression from the weighed contexts of all words to their targets."""
    rows = np.flatnonzero(counts)
    if len(rows) < 2 * HELD_OUT_EVERY:  # too few to choose the strength of the ridge by
        return
    starts = np.cumsum(counts) - counts
    pooled = []
    for first in range(0, len(rows), WORDS_AT_ONCE):
        some = rows[first : first + WORDS_AT_ONCE]
        everything: Sequence[IndexArray] = [np.arange(starts[row], starts[row] + counts[row]) for row in some]
        pooled.append(network.pooled(shown(Batch(some, everything)))[0].cpu().numpy())
    matrix, offset, _ = ridge_regression(np.concatenate(pooled), targets[rows])
    network.to_space.weight.copy_(torch.from_numpy(matrix.T))
    network.to_space.bias.copy_(torch.from_numpy(offset))
