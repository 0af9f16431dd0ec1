"""The result of a probe, alone and compared with another one item by item."""

from pathlib import Path

from everyword.evaluation.item_results import compare_saved, read_saved
from everyword.evaluation.probes import probe_results
from fuzz.targets.common import read_folder

NAME = "probe-x.json"


def _compare(folder: Path) -> None:
    saved = read_saved(folder)
    compare_saved(saved, saved, samples=10)


def read(data: bytes) -> None:
    """Read a folder of results."""
    read_folder({NAME: data}, lambda folder: probe_results.read_all([folder]), _compare)
