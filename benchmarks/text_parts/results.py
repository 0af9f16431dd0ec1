"""Saved results of texts: a file for each part, a row for each encoder, each row with its own date and commit."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from record import RESULTS, keep, machine, read

FOLDER = RESULTS / "texts"


def keep_rows(part: str, rows: dict[str, dict[str, Any]], about: dict[str, Any], folder: Path = FOLDER) -> Path:
    """Save rows of encoders; the others stay, unless they were measured on something else."""
    kept = read(part, folder) if (folder / f"{part}.json").exists() else {}
    same = all(kept.get(key) == value for key, value in about.items())
    stamp = {"date": date.today().isoformat(), "processor": machine()["processor"]}
    encoders = (kept.get("encoders", {}) if same else {}) | {name: stamp | row for name, row in rows.items()}
    return keep(part, {**about, "encoders": encoders}, folder)


def show(part: str, name: str, row: dict[str, Any]) -> None:
    """Print the numbers of an encoder."""
    plain = {key: value for key, value in row.items() if isinstance(value, int | float)}
    ways = {key: value for key, value in row.items() if isinstance(value, dict) and key != "about"}
    for way, scores in {"": plain, **ways}.items():
        if scores:
            print(f"{part} {name:18} {way:10}", *(f"{key} {value:.5g}" for key, value in scores.items()), flush=True)
