"""The batches of a training in their order, made ahead by other processes where that is wished."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from typing import Any, cast

from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from everyword.arrays import IdArray
from everyword.systems.spelling.examples import Examples

Place = tuple[int, int]
"""Epoch and step."""


class PlacedBatches(Dataset[Any]):
    """Epoch and step → batch. Since that is a function, it does not matter which process computes it."""

    def __init__(self, examples: Examples, anchors_per_batch: int) -> None:
        self._examples = examples
        self._anchors_per_batch = anchors_per_batch
        self._epoch = -1

    def __getitem__(self, place: Place) -> tuple[IdArray, IdArray]:
        epoch, step = place
        if epoch != self._epoch:  # batches come in order, so the words of one epoch are drawn once
            self._epoch, self._anchors = epoch, self._examples.anchors(epoch)
        first = step * self._anchors_per_batch
        return self._examples.batch(epoch, step, self._anchors[first : first + self._anchors_per_batch])


def batches(
    examples: Examples, anchors_per_batch: int, places: Sequence[Place], workers: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Word indices and padded ids of the batches at these places, in this order."""
    loader = DataLoader(
        PlacedBatches(examples, anchors_per_batch),
        batch_size=None,
        sampler=cast("Any", places),
        num_workers=workers,
        worker_init_fn=_leave_interrupts_to_the_trainer,
    )
    return iter(loader)


def _leave_interrupts_to_the_trainer(_worker: int) -> None:
    # Ctrl-C reaches all processes of a terminal; the trainer ends its step and then has no more use for the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
