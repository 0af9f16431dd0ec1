"""How long `everyword probe` needs for a vector file: all questions with their controls, from a fresh process.

python benchmarks/probe_time.py --vectors glove-6b.npy --data DATA
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
from record import keep

BAR_SECONDS = 600


@click.command()
@click.option("--vectors", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True)
def main(vectors: Path, data: Path) -> None:
    """Time the command with all questions and with --quick."""
    load = round(os.getloadavg()[0], 1)
    found = {name: timed(vectors, data, options) for name, options in {"all": (), "quick": ("--quick",)}.items()}
    keep(
        "probe-time",
        {
            "metric": "seconds of a fresh process, controls included",
            "vectors": vectors.name,
            "cores": os.cpu_count(),
            "load_before": load,
            "bar": f"at most {BAR_SECONDS} seconds for all questions on two cores",
            **found,
        },
    )


def timed(vectors: Path, data: Path, options: tuple[str, ...]) -> dict[str, object]:
    """Ask all questions and return the time, in all and by question."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "everyword", "probe", str(vectors), "--data", str(data), "--quiet", *options]
        started = time.perf_counter()
        subprocess.run([*command, "--results", folder], check=True)
        seconds = time.perf_counter() - started
        answers = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).rglob("*.json"))]
    own = {one["probe"]: round(one["seconds"], 1) for one in answers if not one["model"].startswith("random")}
    return {"seconds": round(seconds), "reached": seconds <= BAR_SECONDS, "questions": len(own), "by_question": own}


if __name__ == "__main__":
    main()
