"""A study to run, and the data that it reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword.errors import InputError, did_you_mean
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
    only_seed: int | None = None
    """The one seed to run, while others run beside it."""
    only_rows: tuple[str, ...] = ()
    """The rows to make, while others are made beside them; empty makes all."""

    @property
    def seeds(self) -> Sequence[int]:
        """The seeds to run."""
        return range(self.study.seeds) if self.only_seed is None else [self.only_seed]

    def makes(self, label: str) -> bool:
        """Whether a row is to be made."""
        return not self.only_rows or label in self.only_rows

    def check_share(self) -> None:
        """Raise an error if the study lacks the seed or the rows that are to be made."""
        if self.only_seed is not None and not 0 <= self.only_seed < self.study.seeds:
            raise InputError(f"--only-seed must be from 0 to {self.study.seeds - 1}. Got {self.only_seed} instead.")
        labels = [variant.label for variant in self.study.variants]
        for label in self.only_rows:
            if label not in labels:
                raise InputError(f"The study {self.study.name} has no row {label!r}: {did_you_mean(label, labels)}")

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
