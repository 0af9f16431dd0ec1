"""A saved classifier."""

from pathlib import Path

from everyword.systems.classifiers.classifier import WEIGHTS, load_classifier
from fuzz.targets.common import read_folder


def _classify(folder: Path) -> None:
    load_classifier(folder).classify(["A ban sat.", ""])


def read(data: bytes) -> None:
    """Classify texts."""
    read_folder({WEIGHTS: data}, _classify)
