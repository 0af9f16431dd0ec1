"""The model that is measured, and the data that it is measured with."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from everyword.corpus.codespell_split import CANDIDATES
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_model
from everyword.evaluation.tasks.given_candidates import FILE
from everyword.models.model import Model


@dataclass(frozen=True)
class Subject:
    """A model, where its file is, and the folders of data, peers and notes."""

    model: Model
    folder: Path
    data: Path
    cache: Path
    teacher: Path | None
    held_out: Path | None
    rounds: int
    development: bool
    """Whether test sets are left out."""
    notes: Path | None
    """Where to write what each strange token was near, for reading; outside the repository."""

    @cached_property
    def listed(self) -> list[str]:
        """Return the 50,000 words that are the same for every model and peer."""
        return (self.data / "kinds" / FILE).read_text(encoding="utf-8").split()

    @cached_property
    def frequent(self) -> list[str]:
        """Return the 50,000 most frequent words of the model."""
        return [word for _, word in zip(range(CANDIDATES), self.model, strict=False)]

    @cached_property
    def encoded(self) -> EvaluatedModel:
        """Return the model as a user gets it."""
        return evaluated_model(self.model, "encode")

    @cached_property
    def over_listed(self) -> EvaluatedModel:
        """Return the model as a user gets it, with the listed words as candidates."""
        return self.over(self.listed)

    def over(self, candidates: Sequence[str]) -> EvaluatedModel:
        """Return the model as a user gets it, with given candidates, which need not be stored."""
        return EvaluatedModel(self.model.name, "encode", self.model.encode, candidates, str.lower)


def commit() -> str:
    """Return the commit of the code, with a mark if there are changes beside it."""
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    found = subprocess.run(asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"
