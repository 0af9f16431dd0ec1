"""Results as JSON files: one for each model, policy, task and data set, written atomically."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from everyword import __version__, config
from everyword.atomic import write_atomic
from everyword.errors import EverywordError, InputError
from everyword.evaluation.benchmark import Benchmark
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Noise, name_under
from everyword.evaluation.task import Scores
from everyword.files import read_object
from everyword.space.scorer import COSINE

NUMBERS = re.compile(r"\[[-\d.,e\s]*\]")
"""A list of numbers, which is written on one line."""
SCHEMA = 1
"""Raised when the meaning of a field changes."""


@dataclass(frozen=True)
class Result:
    """The scores of a model in a benchmark, with everything needed to read them later."""

    schema: int
    task: str
    version: int
    data: str
    data_place: str
    data_sha256: str
    data_expected: bool
    """Whether the data is the catalogue's copy."""
    model: str
    model_sha256: str | None
    policy: str
    candidates: int
    """The number of known words among which answers were searched, in tasks that search for one."""
    seed: int
    main: str
    """The name of the score that represents the others."""
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
    candidates_limited: bool = False
    """Whether there were fewer candidates than known words."""
    corruption: str | None = None
    """The kind of errors in the words of the data; None for clean data."""
    strength: float = 0.0
    """The percentage of words to be changed."""
    changed: float | None = None
    """The share of words that really changed."""
    scorer: str = COSINE
    """How words were compared."""
    items: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Numbers of single items, in the order of the data set: which ones were right, or their ranks."""

    @property
    def noise(self) -> Noise | None:
        """Corruption and strength as one value."""
        return Noise(self.corruption, self.strength) if self.corruption else None

    @property
    def benchmark(self) -> str:
        """The name of the benchmark: task, data set and noise."""
        return name_under(self.noise, f"{self.task}/{self.data}")

    @property
    def value(self) -> float | None:
        """The main score."""
        return self.scores[self.main]

    def answers(self, model: EvaluatedModel, benchmark: Benchmark, seed: int) -> bool:
        """Whether running the benchmark again would give this result."""
        same = (
            (self.schema, SCHEMA),
            (self.version, benchmark.task.version),
            (self.data_sha256, benchmark.sha256),
            (self.model_sha256, model.fingerprint),
            (self.policy, model.policy),
            (self.candidates, len(model.candidates)),
            (self.seed, seed),
            (self.noise, benchmark.noise),
            (self.scorer, str(model.scorer or COSINE)),
        )
        return model.fingerprint is not None and all(saved == expected for saved, expected in same)

    def as_json(self) -> str:
        """Return a JSON object, with numbers rounded to meaningful digits."""
        usual = {"items": {}, "scorer": COSINE}
        record = {name: value for name, value in asdict(self).items() if name not in usual or value != usual[name]}
        text = json.dumps(rounded(record), indent=2, ensure_ascii=False)
        return NUMBERS.sub(lambda found: " ".join(found[0].split()), text) + "\n"


def make(
    model: EvaluatedModel,
    benchmark: Benchmark,
    seed: int,
    scores: Scores,
    *,
    encode_seconds: float,
    score_seconds: float,
    items: bool = False,
) -> Result:
    """Combine scores with what they belong to; `items` keeps those of all tasks that have any."""
    kept = {**scores.items, **(scores.items_if_asked if items else {})}
    return Result(
        schema=SCHEMA,
        task=benchmark.task.name,
        version=benchmark.task.version,
        data=benchmark.data,
        data_place=benchmark.origin,
        data_sha256=benchmark.sha256,
        data_expected=benchmark.expected,
        model=model.name,
        model_sha256=model.fingerprint,
        policy=model.policy,
        candidates=len(model.candidates),
        seed=seed,
        main=benchmark.task.main if benchmark.task.main in scores.values else next(iter(scores.values)),
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
        candidates_limited=model.limited,
        corruption=benchmark.noise.corruption if benchmark.noise else None,
        strength=benchmark.noise.strength if benchmark.noise else 0.0,
        changed=scores.changed,
        scorer=str(model.scorer or COSINE),
        items={name: tuple(numbers) for name, numbers in kept.items()},
    )


def result_path(results: Path, model: EvaluatedModel, benchmark: Benchmark, seed: int = 0) -> Path:
    """Return the path of a result: RESULTS/model-checksum/policy/task.version-data.json.

    Unusual settings (noise, fewer candidates, another seed) follow the data's name, so that no result overwrites one
    that answers another question.
    """
    folder = file_name(model.name) + (f"-{model.fingerprint[:8]}" if model.fingerprint else "")
    parts = [benchmark.task.full_name, file_name(benchmark.data)]
    if benchmark.noise:
        parts.append(str(benchmark.noise))
    if model.scorer is not None:
        parts.append(file_name(str(model.scorer).replace(":", ".")))
    if model.limited:
        parts.append(f"candidates-{len(model.candidates)}")
    if seed:
        parts.append(f"seed-{seed}")
    return results / folder / model.policy / f"{'-'.join(parts)}.json"


def file_name(name: str) -> str:
    """Return a name without characters that a file name must not have."""
    return re.sub(r"[^\w.-]+", "_", name)


def write(path: Path, result: Result) -> None:
    """Save a result atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, result.as_json())


def valid_record(record: Mapping[str, Any], kind: type, schema: int) -> dict[str, Any]:
    """Return the fields of a dataclass in a saved record; raise ValueError if one is missing or wrong."""
    if record.get("schema") != schema:
        raise ValueError(f"its schema is {record.get('schema')!r}, and this version reads {schema}")
    needed = {one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING}
    if missing := needed - record.keys():
        raise ValueError(f"it lacks {', '.join(sorted(missing))}")
    given = {one.name: record[one.name] for one in fields(kind) if one.name in record}
    if problems := config.problems_of(kind, given):
        raise ValueError("; ".join(problems))
    return given


def read(path: Path) -> Result:
    """Read a saved result."""
    try:
        given = valid_record(read_object(path), Result, SCHEMA)
        result = Result(**given)
        _ = result.noise, result.value  # what cannot be is found here, and not where it is drawn
        return result
    except (ValueError, KeyError, EverywordError) as error:
        raise InputError(f"{path} is not a saved result: {error}. Delete it, or run its task again.") from None


def read_all(paths: Iterable[Path]) -> list[Result]:
    """Read all results in files and folders."""
    found: list[Result] = []
    for path in paths:
        if not path.exists():
            raise InputError(f"There are no results in {path}: run 'everyword evaluate' first, or check the path.")
        inside = [file for file in sorted(path.rglob("*.json")) if not _is_other(file)] if path.is_dir() else [path]
        found += map(read, inside)
    return found


def _is_other(path: Path) -> bool:
    """Whether a file is the summary of a study, whose results are beside it, or the answer to a probe."""
    try:
        return not {"study", "probe"}.isdisjoint(read_object(path))
    except (OSError, ValueError):
        return False  # reading it as a result gives the error


def rounded(value: Any) -> Any:
    """Return a record with numbers rounded to meaningful digits."""
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [rounded(inner) for inner in value]
    return round(value, 4) if isinstance(value, float) else value
