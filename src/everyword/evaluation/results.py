"""Results as they are kept: one JSON file for each model, policy, task and data set, whole or not there."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from everyword import __version__
from everyword.errors import InputError
from everyword.evaluation.pieces import Piece
from everyword.evaluation.task import Scores
from everyword.evaluation.way import Way
from everyword.files import write_whole

SCHEMA = 1
"""Raised when the meaning of a field changes."""


@dataclass(frozen=True)
class Result:
    """A score with everything needed to read it later."""

    schema: int
    task: str
    version: int
    data: str
    data_place: str
    data_sha256: str
    data_expected: bool
    """Whether the data is the copy of the catalogue."""
    model: str
    model_sha256: str | None
    policy: str
    candidates: int
    """How many known words answers were looked for among, in tasks that look for one."""
    seed: int
    main: str
    """The name of the score that stands for the others."""
    scores: dict[str, float | None]
    spread: dict[str, float]
    seeds: int
    n: int
    known: int
    coverage: float
    """The share of items whose words are all known."""
    sections: dict[str, dict[str, float]]
    encode_seconds: float
    score_seconds: float
    versions: dict[str, str]

    @property
    def piece(self) -> str:
        """Task and data set."""
        return f"{self.task}/{self.data}"

    @property
    def value(self) -> float | None:
        """The main score."""
        return self.scores[self.main]

    def answers(self, way: Way, piece: Piece, seed: int) -> bool:
        """Whether running the piece again would give this result."""
        same = (
            (self.schema, SCHEMA),
            (self.version, piece.task.version),
            (self.data_sha256, piece.sha256),
            (self.model_sha256, way.identity),
            (self.policy, way.policy),
            (self.candidates, len(way.candidates)),
            (self.seed, seed),
        )
        return way.identity is not None and all(kept == wanted for kept, wanted in same)

    def as_json(self) -> str:
        """One JSON object, numbers rounded to what they can mean."""
        return json.dumps(_rounded(asdict(self)), indent=2, ensure_ascii=False) + "\n"


def make(way: Way, piece: Piece, seed: int, scores: Scores, *, encode_seconds: float, score_seconds: float) -> Result:
    """Put a score together with what it belongs to."""
    return Result(
        schema=SCHEMA,
        task=piece.task.name,
        version=piece.task.version,
        data=piece.data,
        data_place=piece.place,
        data_sha256=piece.sha256,
        data_expected=piece.expected,
        model=way.name,
        model_sha256=way.identity,
        policy=way.policy,
        candidates=len(way.candidates),
        seed=seed,
        main=piece.task.main,
        scores=dict(scores.values),
        spread=dict(scores.spread),
        seeds=scores.seeds,
        n=scores.n,
        known=scores.known,
        coverage=scores.known / scores.n,
        sections={name: dict(part) for name, part in scores.sections.items()},
        encode_seconds=encode_seconds,
        score_seconds=score_seconds,
        versions={"everyword": __version__, "numpy": np.__version__, "python": platform.python_version()},
    )


def place_of(results: Path, way: Way, piece: Piece) -> Path:
    """The file of a piece: RESULTS/model-checksum/policy/task.version-data.json."""
    model = _file_name(way.name) + (f"-{way.identity[:8]}" if way.identity else "")
    return results / model / way.policy / f"{piece.task.full_name}-{_file_name(piece.data)}.json"


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", name)


def keep(path: Path, result: Result) -> None:
    """Write a result; a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, result.as_json())


def read(path: Path) -> Result:
    """Read a kept result."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record.get("schema") != SCHEMA:
            raise ValueError(f"its schema is {record.get('schema')!r}, and this version reads {SCHEMA}")
        missing = {field.name for field in fields(Result)} - record.keys()
        if missing:
            raise ValueError(f"it lacks {', '.join(sorted(missing))}")
        return Result(**{field.name: record[field.name] for field in fields(Result)})
    except (ValueError, AttributeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no kept result: {error}. Delete it, or run its task again.") from None


def read_all(places: Iterable[Path]) -> list[Result]:
    """All results in files and folders."""
    found: list[Result] = []
    for place in places:
        if not place.exists():
            raise InputError(f"There are no results in {place}: run 'everyword evaluate' first, or check the path.")
        inside = [path for path in sorted(place.rglob("*.json")) if not _is_study(path)] if place.is_dir() else [place]
        found += map(read, inside)
    return found


def _is_study(path: Path) -> bool:
    """Whether a file sums up a study, whose results lie beside it."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return False  # no JSON or no text: reading it as a result tells so
    return isinstance(record, dict) and "study" in record


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return round(value, 4) if isinstance(value, float) else value
