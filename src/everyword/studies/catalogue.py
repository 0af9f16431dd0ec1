"""The studies inside the package, by name: one folder for each way in which they are made."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

FOLDERS = ("models", "rare_words", "tables")


def studies_in(folder: str) -> dict[str, Path]:
    """The studies that are made in one way."""
    home = Path(str(files("everyword") / "studies" / "published" / folder))
    return {path.stem: path for path in sorted(home.glob("*.toml"))}


def every_study() -> dict[str, Path]:
    """All of them."""
    return {name: path for folder in FOLDERS for name, path in studies_in(folder).items()}
