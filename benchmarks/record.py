"""Results as they are kept: one JSON file each, with what is needed to read the numbers later."""

from __future__ import annotations

import json
import platform
import sys
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from everyword.atomic import write_atomic

INFERRED = "model, every vector inferred"
"""The way of `love_similarity.py` that the docs speak of."""
RESULTS = Path(__file__).parent / "results"
PACKAGES = ("everyword", "numpy", "torch", "fasttext-wheel", "floret", "model2vec", "symspellpy", "rapidfuzz")


def machine() -> dict[str, str]:
    """The processor and the versions that the numbers belong to."""
    return {"processor": _processor(), "python": platform.python_version()} | {
        package: found for package in PACKAGES if (found := _version(package))
    }


def keep(name: str, result: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Write a result and say where."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    record = {"name": name, "date": date.today().isoformat(), "machine": machine(), **result}
    write_atomic(path, json.dumps(record, indent=2) + "\n")
    print(f"kept in {'benchmarks/results' if folder == RESULTS else folder}/{path.name}", file=sys.stderr)
    return path


def keep_part(name: str, part: str, result: dict[str, Any], head: dict[str, Any], folder: Path = RESULTS) -> Path:
    """Put one part into a kept result, with its own date and machine; parts under another head are dropped."""
    kept = read(name, folder) if (folder / f"{name}.json").exists() else {}
    same = all(kept.get(key) == value for key, value in head.items())
    parts = kept.get("parts", {}) if same else {}
    parts[part] = {"date": date.today().isoformat(), "machine": machine(), **result}
    return keep(name, {**head, "parts": parts}, folder)


def read(name: str, folder: Path = RESULTS) -> dict[str, Any]:
    """A kept result."""
    result: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return result


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
