"""The state of training: how far it has come, and all numbers it needs to go on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from everyword.learning.stamped import read_stamped, write_stamped


@dataclass
class Progress:
    """How far training has come."""

    epoch: int = 0
    step: int = 0
    """Batches done in this epoch."""
    loss_sum: float = 0.0
    """Sum of the losses of those batches."""
    best_score: float = float("-inf")
    best_epoch: int = -1


def save_checkpoint(path: Path, groups: dict[str, dict[str, Tensor]], progress: Progress, stamp: str) -> None:
    """Write named groups of tensors."""
    arrays = {
        f"{group}/{name}": tensor.detach().cpu().contiguous().numpy()
        for group, tensors in groups.items()
        for name, tensor in tensors.items()
    }
    write_stamped(path, arrays, asdict(progress), stamp)


def load_checkpoint(path: Path, stamp: str) -> tuple[dict[str, dict[str, Tensor]], Progress]:
    """Read what `save_checkpoint` wrote."""
    arrays, header = read_stamped(path, stamp)
    groups: dict[str, dict[str, Tensor]] = {}
    for key, array in arrays.items():
        group, name = key.split("/", 1)
        groups.setdefault(group, {})[name] = torch.from_numpy(array)
    return groups, Progress(**header)
