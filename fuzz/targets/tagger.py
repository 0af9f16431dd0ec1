"""A saved tagger."""

from pathlib import Path

from everyword.systems.taggers.saved import WEIGHTS, load_tagger, tag_texts
from fuzz.targets.common import read_folder


def _tag(folder: Path) -> None:
    tag_texts(load_tagger(folder), ["A ban sat.", ""])


def read(data: bytes) -> None:
    """Tag texts."""
    read_folder({WEIGHTS: data}, _tag)
