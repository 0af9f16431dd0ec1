"""Draw docs/pictures/codes.svg from the kept study: python benchmarks/codes.py."""

from __future__ import annotations

import json
from pathlib import Path

from everyword.studies.plots.codes import draw_codes
from everyword.studies.plots.picture import Frame

ROOT = Path(__file__).parents[1]
STUDY = ROOT / "benchmarks" / "results" / "studies" / "emergent-codes.json"
ENOUGH = {20: "enough to number all strings", 24: "enough for four bits per concept"}


def main() -> None:
    study = json.loads(STUDY.read_text(encoding="utf-8"))
    draw_codes(study["details"], Frame(ROOT / "docs" / "pictures" / "codes.svg"), enough=ENOUGH)


if __name__ == "__main__":
    main()
