"""The scores of one seed of a row about models, in a file of the work folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.evaluation.results import rounded
from everyword.files import fingerprint, read_object
from everyword.learning.loop import LOG
from everyword.studies.claims import Score

CURVES = ("loss", "held_out_cosine")
"""What is kept of every epoch of a training."""


@dataclass(frozen=True)
class Cell:
    """A model, its scores by benchmark, and how it learnt."""

    model: str
    """The fingerprint of the model, or of the vectors that were given."""
    scores: Mapping[str, Score | None]
    """None where the networks of a task cannot read the model."""
    curve: Mapping[str, list[float]] = field(default_factory=dict)
    """The loss and the held-out cosine after each epoch."""
    words: int = 0
    """The number of words that it learnt from."""
    nearest: Mapping[str, list[str]] = field(default_factory=dict)
    """The nearest stored words of the words that the study lists."""


def curve_of(run: Path) -> dict[str, list[float]]:
    """Return what the log of a training says of each epoch."""
    if not (run / LOG).exists():
        return {}
    lines = [json.loads(line) for line in (run / LOG).read_text(encoding="utf-8").splitlines()]
    return {name: [line[name] for line in lines] for name in CURVES if lines and name in lines[0]}


def write_cell(path: Path, described: Any, cell: Cell) -> Cell:
    """Write a cell, with a fingerprint of all that decides it, and return it as it is in the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scores = {name: score and asdict(score) for name, score in cell.scores.items()}
    values = {
        "stamp": fingerprint(described),
        "model": cell.model,
        "scores": scores,
        "curve": dict(cell.curve),
        "words": cell.words,
    }
    values |= {"nearest": dict(cell.nearest)} if cell.nearest else {}
    write_atomic(path, json.dumps(rounded(values), indent=2) + "\n")
    return read_cell(path, described) or cell


def read_cell(path: Path, described: Any) -> Cell | None:
    """Read a cell; None if there is none, or if it was made in another way."""
    try:
        saved = read_object(path)
        if saved["stamp"] != fingerprint(described):
            return None
        scores = {name: score and _score(score) for name, score in saved["scores"].items()}
        return Cell(saved["model"], scores, saved["curve"], saved["words"], saved.get("nearest", {}))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} does not hold scores ({error!s:.80}); delete it to make them again.") from None


def _score(saved: dict[str, Any]) -> Score:
    return Score(**{**saved, "runs": tuple(saved["runs"])})
