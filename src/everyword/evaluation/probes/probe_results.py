"""Results of probes as JSON files: one for each representation, layer and question, written atomically."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from everyword import __version__, config
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.evaluation.probes.probe import Probe, ProbeScore, ProbeSettings
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.results import NUMBERS, file_name, rounded, valid_record
from everyword.files import read_object

SCHEMA = 1
"""Raised when the meaning of a field changes."""


@dataclass(frozen=True)
class ProbeResult:
    """The answer of a representation to a question, with everything needed to read it later."""

    schema: int
    probe: str
    version: int
    question: str
    model: str
    model_sha256: str | None
    policy: str
    dim: int
    layer: int | None
    data: tuple[str, ...]
    data_sha256: str
    seed: int
    quick: bool
    metric: str
    value: float
    interval: tuple[float, float] | None
    n: int
    controls: dict[str, float]
    parts: dict[str, float]
    seconds: float
    versions: dict[str, str]
    control_labels: bool = False
    details: dict[str, dict[str, float]] = field(default_factory=dict)
    items: dict[str, tuple[float | str, ...]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The representation as tables and pictures call it: name, policy and layer."""
        layer = "" if self.layer is None else f", layer {self.layer}"
        policy = "" if self.policy in ("pieces", "random") else f", {self.policy}"
        return f"{self.model}{policy}{layer}"

    def answers(self, asked: Representation, probe: Probe, settings: ProbeSettings, sha256: str, items: bool) -> bool:
        """Whether asking again would give this result."""
        same = (
            (self.schema, SCHEMA),
            ((self.probe, self.version), (probe.name, probe.version)),
            ((self.model_sha256, self.policy, self.layer), (asked.fingerprint, asked.policy, asked.layer)),
            ((self.data_sha256, self.seed, self.quick), (sha256, settings.seed, settings.quick)),
        )
        enough = self.control_labels >= settings.control_labels and (bool(self.items) or not items)
        return asked.fingerprint is not None and enough and all(saved == expected for saved, expected in same)

    def as_json(self) -> str:
        """Return a JSON object, with numbers rounded to meaningful digits."""
        usual: dict[str, object] = {"items": {}, "details": {}, "control_labels": False}
        record = {name: value for name, value in asdict(self).items() if name not in usual or value != usual[name]}
        text = json.dumps(rounded(record), indent=2, ensure_ascii=False)
        return NUMBERS.sub(lambda found: " ".join(found[0].split()), text) + "\n"


def make(
    asked: Representation,
    probe: Probe,
    settings: ProbeSettings,
    score: ProbeScore,
    *,
    sha256: str,
    seconds: float,
    items: bool = False,
) -> ProbeResult:
    """Combine a score with what it belongs to."""
    return ProbeResult(
        schema=SCHEMA,
        probe=probe.name,
        version=probe.version,
        question=probe.summary,
        model=asked.name,
        model_sha256=asked.fingerprint,
        policy=asked.policy,
        dim=asked.dim,
        layer=asked.layer,
        data=probe.needs,
        data_sha256=sha256,
        seed=settings.seed,
        quick=settings.quick,
        metric=score.metric,
        value=score.value,
        interval=score.interval,
        n=score.n,
        controls=dict(score.controls),
        parts=dict(score.parts),
        seconds=seconds,
        versions={"everyword": __version__, "numpy": np.__version__, "python": platform.python_version()},
        control_labels=settings.control_labels,
        details={name: dict(row) for name, row in score.details.items()},
        items={name: tuple(column) for name, column in score.items.items()} if items else {},
    )


def result_path(results: Path, asked: Representation, probe: Probe, settings: ProbeSettings) -> Path:
    """Return the path of a result: RESULTS/model-checksum/policy/probe-name.version.json."""
    folder = file_name(asked.name) + (f"-{asked.fingerprint[:8]}" if asked.fingerprint else "")
    parts = ["probe", probe.full_name]
    parts += [f"layer-{asked.layer}"] if asked.layer is not None else []
    parts += ["quick"] if settings.quick else []
    parts += [f"seed-{settings.seed}"] if settings.seed else []
    return results / folder / asked.policy / f"{'-'.join(parts)}.json"


def write(path: Path, result: ProbeResult) -> None:
    """Save a result atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, result.as_json())


def read(path: Path) -> ProbeResult:
    """Read a saved result."""
    try:
        given = valid_record(read_object(path), ProbeResult, SCHEMA)
        return config.build(ProbeResult, given, "a result")
    except ValueError as error:
        raise InputError(f"{path} is not the result of a probe: {error}. Delete it, or ask again.") from None


def read_all(paths: Iterable[Path]) -> list[ProbeResult]:
    """Read the results of probes in files and folders; other results in a folder are passed over."""
    found: list[ProbeResult] = []
    for path in paths:
        if not path.exists():
            raise InputError(f"There are no results in {path}: run 'everyword probe' first, or check the path.")
        inside = sorted(path.rglob("probe-*.json")) if path.is_dir() else [path]
        found += map(read, inside)
    return found
