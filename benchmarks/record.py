"""Saved results: one JSON file each, with the machine and versions that the numbers belong to."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from everyword import config
from everyword.atomic import write_atomic
from everyword.evaluation.results import NUMBERS
from everyword.studies.config import load_study
from everyword.studies.kept import changes_since

INFERRED = "model, every vector inferred"
"""The row of `love_similarity.py` that the docs show."""
RESULTS = Path(__file__).parent / "results"
PACKAGES = ("everyword", "numpy", "torch", "fasttext-wheel", "floret", "model2vec", "symspellpy", "rapidfuzz")


def machine() -> dict[str, str]:
    """Return the processor and the versions of packages."""
    return {"processor": _processor(), "python": platform.python_version()} | {
        package: found for package in PACKAGES if (found := _version(package))
    }


def keep(name: str, result: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Save a result and print where."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    record = {"name": name, "date": date.today().isoformat(), "machine": machine(), **result}
    write_atomic(path, NUMBERS.sub(lambda found: " ".join(found[0].split()), json.dumps(record, indent=2)) + "\n")
    print(f"Saved to {'benchmarks/results' if folder == RESULTS else folder}/{path.name}.", file=sys.stderr)
    return path


def keep_part(name: str, part: str, result: dict[str, Any], head: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Save one part of a result, with its own date and machine; parts under another head are dropped."""
    kept = read(name, folder) if (folder / f"{name}.json").exists() else {}
    same = all(kept.get(key) == value for key, value in head.items())
    parts = kept.get("parts", {}) if same else {}
    parts[part] = {"date": date.today().isoformat(), "machine": machine(), **result}
    return keep(name, {**head, "parts": parts}, folder)


def read(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """Read a saved result."""
    result: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return result


def read_parts(folder: Path, identity: str | None = None) -> dict[str, Any]:
    """Read all parts in a folder by their names; with an identity, only those of that model."""
    parts = {path.stem: read(path.stem, folder) for path in sorted(folder.glob("*.json"))}
    return {name: part for name, part in parts.items() if identity is None or identity == part["model"]["identity"]}


def read_study(name: str) -> dict[str, Any]:
    """Read a saved study, with the title, the source and the claims in the words of its file."""
    result = read(f"studies/{name}")
    study = load_study(result["study"])
    texts = {_identity(config.to_dict(claim)): claim.text for claim in study.claims}
    for claim in result["claims"]:
        claim["text"] = texts.get(_identity(claim), claim["text"])
    told = {"title": study.title, "source": study.source, "seeds_are": study.SEEDS_ARE}
    return result | told | {"changed_since": changes_since(result, study)}


def _identity(claim: Mapping[str, Any]) -> tuple[Any, ...]:
    return claim["better"], tuple(claim["than"]), claim["on"]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
