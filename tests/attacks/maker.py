"""What an attack is: a hostile file, and the reader that a user would give it to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Maker = Callable[[Path], Path]
"""Writes something hostile into an empty folder and returns what a user would open."""


def content(raw: bytes, name: str = "x") -> Maker:
    """A file of these bytes."""

    def make(folder: Path) -> Path:
        (folder / name).write_bytes(raw)
        return folder / name

    return make
