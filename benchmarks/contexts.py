"""Speed and memory of finding sentences of words in a corpus, the best of several runs.

python benchmarks/contexts.py --corpus wiki-00.txt.xz --corpus wiki-01.txt.xz --words frequencies.tsv
"""

from __future__ import annotations

import lzma
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from record import keep

MEGABYTE = 1e6
Times = dict[str, float]


@click.command()
@click.option("--corpus", type=click.Path(exists=True, path_type=Path), multiple=True, required=True, help="xz files.")
@click.option("--words", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--limit", default=100_000, show_default=True, help="The first words of the list.")
@click.option("--repeats", default=3, show_default=True)
def main(corpus: tuple[Path, ...], words: Path, limit: int, repeats: int) -> None:
    """Read the corpus unpacked with one and two workers, and packed; save the best time of each."""
    with tempfile.TemporaryDirectory() as folder:
        plain = [_unpacked(path, Path(folder)) for path in corpus]
        size = sum(path.stat().st_size for path in plain) / MEGABYTE
        asked = ["--words", str(words), "--limit", str(limit), "--quiet"]
        # One after the other in each round, because other programs may slow the machine down for a while.
        ways = {"plain, 1 worker": (plain, 1), "plain, 2 workers": (plain, 2), "xz, 1 worker": (list(corpus), 1)}
        times: dict[str, list[Times]] = {name: [] for name in ways}
        for _ in range(repeats):
            for name, (files, workers) in ways.items():
                times[name].append(_timed(files, [*asked, "--workers", str(workers)], Path(folder) / "out"))
    keep(
        "contexts",
        {
            "words": limit,
            "files": len(corpus),
            "megabytes": round(size, 1),
            "repeats": repeats,
            "ways": {name: _best(found, size) for name, found in times.items()},
        },
    )


def _unpacked(path: Path, folder: Path) -> Path:
    target = folder / path.stem
    with lzma.open(path) as packed, target.open("wb") as file:
        shutil.copyfileobj(packed, file)
    return target


def _timed(files: Sequence[Path], asked: Sequence[str], out: Path) -> Times:
    """Return the seconds of reading, which makes parts, and of writing, which merges them."""
    shutil.rmtree(out, ignore_errors=True)
    reading, writing = (_run(files, [*asked, "--output", str(out), *more]) for more in (["--shard", "1/1"], []))
    return {
        "reading": reading["seconds"],
        "reading_processor": reading["processor"],
        "writing": writing["seconds"],
        "memory": max(reading["memory"], writing["memory"]),
    }


def _run(files: Sequence[Path], asked: Sequence[str]) -> Times:
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True);"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN);"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss)"
    )
    command = [sys.executable, "-m", "everyword", "contexts", *map(str, files), *asked]
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code, *command], check=True, capture_output=True, text=True)
    processor, memory = map(float, done.stdout.split())
    return {"seconds": time.perf_counter() - started, "processor": processor, "memory": memory * 1024 / MEGABYTE}


def _best(times: Sequence[Times], size: float) -> dict[str, Any]:
    """Return the rates of the best run, and the memory of the largest process in the worst one."""
    best = {key: min(found[key] for found in times) for key in ("reading", "reading_processor", "writing")}
    return {
        "megabytes_per_second": round(size / best["reading"], 1),
        "megabytes_per_processor_second": round(size / best["reading_processor"], 1),
        "seconds_reading": round(best["reading"], 1),
        "seconds_writing": round(best["writing"], 1),
        "megabytes_of_memory": round(max(found["memory"] for found in times)),
    }


if __name__ == "__main__":
    main()
