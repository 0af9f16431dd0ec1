"""The state of a training on disk: a checkpoint, refused if it belongs to another configuration, and a log.

A checkpoint is a safetensors file with a JSON header, replaced in one move. It carries a fingerprint of the
configuration and the data, so that a resumed run cannot silently mix two trainings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.numpy import save
from torch import Tensor

from everyword.arrays import AnyArray, read_tensors
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.files import parse_json

FINGERPRINT, HEADER = "stamp", "header"
"""Keys in the metadata of a file; the first is older than its name here."""
OLD_GROUPS = {"encoder": "network", "rule": "optimiser"}
"""Names that groups of tensors had in older checkpoints."""


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


def save_checkpoint(
    path: Path, groups: Mapping[str, Mapping[str, Tensor]], progress: Progress, fingerprint: str
) -> None:
    """Write named groups of tensors."""
    arrays = {
        f"{group}/{name}": tensor.detach().cpu().contiguous().numpy()
        for group, tensors in groups.items()
        for name, tensor in tensors.items()
    }
    write_arrays(path, arrays, asdict(progress), fingerprint)


def load_checkpoint(path: Path, fingerprint: str) -> tuple[dict[str, dict[str, Tensor]], Progress]:
    """Read what `save_checkpoint` wrote."""
    arrays, header = read_arrays(path, fingerprint)
    groups: dict[str, dict[str, Tensor]] = {}
    for key, array in arrays.items():
        group, _, name = key.partition("/")
        groups.setdefault(OLD_GROUPS.get(group, group), {})[name] = torch.from_numpy(array)
    try:
        return groups, Progress(**header)
    except TypeError:
        raise InputError(f"{path} does not say how far training has come; start again without --resume.") from None


def write_arrays(path: Path, arrays: Mapping[str, AnyArray], header: Mapping[str, Any], fingerprint: str) -> None:
    """Write arrays and a header that belong to a fingerprint."""
    write_atomic(path, save(dict(arrays), metadata={HEADER: json.dumps(header), FINGERPRINT: fingerprint}))


def read_arrays(path: Path, fingerprint: str) -> tuple[dict[str, AnyArray], dict[str, Any]]:
    """Read what `write_arrays` wrote with the same fingerprint."""
    try:
        arrays, metadata = read_tensors(path)
    except FileNotFoundError:
        raise InputError(f"There is nothing to resume in {path.parent}; start without --resume.") from None
    except ValueError as error:
        raise InputError(f"{path} cannot be read: {error}. Start again without --resume.") from None
    if metadata.get(FINGERPRINT) != fingerprint:
        raise InputError(
            f"{path.parent} was started with another configuration or teacher; use those again, "
            "or start without --resume."
        )
    try:
        return arrays, dict(parse_json(metadata[HEADER]))
    except (KeyError, ValueError, TypeError):
        raise InputError(f"{path} has no header that can be read; start again without --resume.") from None


class TrainingLog:
    """A file of JSON lines, one per epoch, to which a resumed run appends."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def forget(self, stage: str | None, epochs: int) -> None:
        """Remove the lines of a stage after some epochs; all lines if the stage is None.

        A process that was killed may have left half a line, or one of an epoch that its checkpoint knows nothing of.
        """
        if stage is None:
            self._path.unlink(missing_ok=True)
        if self._path.is_file():
            *lines, _half = self._path.read_text(encoding="utf-8", errors="replace").split("\n")
            write_atomic(self._path, "".join(f"{line}\n" for line in lines if not _is_later(line, stage, epochs)))

    def write(self, report: Mapping[str, Any]) -> None:
        """Append one line; it is on disk before training goes on."""
        short = {key: float(f"{value:.6g}") if isinstance(value, float) else value for key, value in report.items()}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(short) + "\n")


def _is_later(line: str, stage: str | None, epochs: int) -> bool:
    try:
        report = dict(parse_json(line))
        return bool(report.get("stage", "") == stage and report["epoch"] > epochs)
    except (ValueError, TypeError, KeyError):
        return False
