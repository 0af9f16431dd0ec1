"""The result of a task with its items, compared with another one."""

from pathlib import Path

from everyword.evaluation.item_results import compare_saved, read_saved
from fuzz.targets.common import read_folder


def _compare(folder: Path) -> None:
    saved = read_saved(folder)
    compare_saved(saved, saved, samples=10)


def read(data: bytes) -> None:
    """Read a folder of results."""
    read_folder({"x.json": data}, _compare)
