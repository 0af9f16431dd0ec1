"""Draw docs/pictures/scores-by-frequency.svg from the kept study: python benchmarks/by_frequency.py."""

from __future__ import annotations

import json
from pathlib import Path

from everyword.studies.plots.bands import draw_bands
from everyword.studies.plots.picture import Frame

ROOT = Path(__file__).parents[1]
STUDY = ROOT / "benchmarks" / "results" / "studies" / "scores-by-frequency.json"
FIT = ("per doubling", "low", "high")


def main() -> None:
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for variant in json.loads(STUDY.read_text(encoding="utf-8"))["variants"]:
        for column, score in variant["ours"].items():
            benchmark, _, band = column.partition(" ")
            if band not in FIT:
                found.setdefault(benchmark, {}).setdefault(variant["label"], {})[band] = score
    draw_bands(found, Frame(ROOT / "docs" / "pictures" / "scores-by-frequency.svg"))


if __name__ == "__main__":
    main()
