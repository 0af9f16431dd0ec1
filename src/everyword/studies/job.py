"""A study to run, and the data that it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from everyword.errors import InputError
from everyword.evaluation.catalogue import data_folder
from everyword.studies.config import Size, Study


@dataclass(frozen=True, kw_only=True)
class Job:
    """A study to run: its size and settings, and where models and results are saved."""

    study: Study
    work: Path
    """The folder for what is trained, where the same job is resumed."""
    results: Path
    """The folder for scores."""
    data: Path | None = None
    size: Size = "small"
    overrides: tuple[str, ...] = ()
    """Laid over the size of the study; what defines a variant comes after them."""
    device: str = "cpu"
    report: Callable[[str], None] = print
    """Called with a line for each step."""

    @property
    def folder(self) -> Path:
        """The data folder.

        Raises:
            InputError: If there is none.
        """
        found = data_folder(self.data)
        if found is None:
            raise InputError(f"The study {self.study.name} reads a data folder; name it by --data.")
        return found

    def path(self, name: str) -> Path:
        """Return a file of the data folder."""
        return self.folder / name
