"""The checkpoint of a training, and its log."""

from pathlib import Path

from everyword.learning.checkpoint import TrainingLog, load_checkpoint
from fuzz.targets.common import read_file


def read(data: bytes) -> None:
    """Read both."""
    read_file(data, "checkpoint.safetensors", _read_checkpoint)
    read_file(data, "log.jsonl", _forget)


def _read_checkpoint(path: Path) -> None:
    load_checkpoint(path, "a fingerprint")


def _forget(path: Path) -> None:
    TrainingLog(path).forget("", 1)
