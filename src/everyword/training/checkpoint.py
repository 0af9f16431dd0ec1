"""The state of training in one file: tensors and a JSON header, no pickle, replaced in one move."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from everyword.errors import InputError


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


def save_checkpoint(path: Path, tensors: dict[str, Tensor], progress: Progress, fingerprint: str) -> None:
    """Write beside the old checkpoint, then rename over it."""
    beside = path.with_name(path.name + ".partial")
    header = {"progress": json.dumps(asdict(progress)), "fingerprint": fingerprint}
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, beside, metadata=header)
    os.replace(beside, path)


def load_checkpoint(path: Path, fingerprint: str) -> tuple[dict[str, Tensor], Progress]:
    """Read a checkpoint, refusing one that belongs to another configuration or other data."""
    try:
        with safe_open(path, framework="pt") as file:
            header = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (no mapping)
    except SafetensorError as error:
        raise InputError(f"The checkpoint {path} cannot be read: {error}. Start again without --resume.") from None
    if header.get("fingerprint") != fingerprint:
        raise InputError(
            f"The checkpoint {path} was made with another configuration, teacher or word list; "
            "use those again, or start without --resume."
        )
    return tensors, Progress(**json.loads(header["progress"]))
