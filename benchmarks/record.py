"""Results as they are kept: one JSON file each, with what is needed to read the numbers later."""

from __future__ import annotations

import json
import platform
import sys
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("everyword", "numpy", "torch", "fasttext-wheel", "rapidfuzz")


def machine() -> dict[str, str]:
    """The processor and the versions that the numbers belong to."""
    return {"processor": _processor(), "python": platform.python_version()} | {
        package: found for package in PACKAGES if (found := _version(package))
    }


def keep(name: str, result: dict[str, Any]) -> Path:
    """Write a result and say where."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    record = {"name": name, "date": date.today().isoformat(), "machine": machine(), **result}
    path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(f"kept in benchmarks/results/{path.name}", file=sys.stderr)
    return path


def read(name: str) -> dict[str, Any]:
    """A kept result."""
    result: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
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
