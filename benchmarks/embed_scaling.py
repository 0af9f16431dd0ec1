"""A million texts embedded on Ray by one worker and by two, each of one thread.

python benchmarks/embed_scaling.py --corpus wiki-00.txt.xz --corpus wiki-01.txt.xz

A Ray cluster of so many processors is started first and does not count; everything else does: the look at all rows, the
start of workers, loading the model, reading texts and writing vectors. Both are measured in turn, and the best time of
each counts. For a fair figure the machine has nothing else to do, and a core for each worker.
"""

from __future__ import annotations

import json
import lzma
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from text_parts.encoders import EVERYWORD
from text_parts.results import FOLDER, keep_rows

FILES = 4
WORKERS = (1, 2)
EMBED = """
import json, sys, time
import ray
from everyword import embed_files
texts, output, workers = sys.argv[1], sys.argv[2], int(sys.argv[3])
ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
start = time.perf_counter()
done = embed_files(texts, output, executor="ray", workers=workers)
print(json.dumps({"seconds": time.perf_counter() - start, "texts": done.texts}))
"""


@click.command()
@click.option("--corpus", type=click.Path(exists=True, path_type=Path), multiple=True, required=True, help="xz files.")
@click.option("--texts", default=1_000_000, show_default=True)
@click.option("--repeats", default=2, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), help="For texts and vectors; memory leaves out the disk.")
@click.option("--kept", type=click.Path(path_type=Path), default=FOLDER, help="Where the result is kept.")
def main(corpus: tuple[Path, ...], texts: int, repeats: int, folder: Path | None, kept: Path) -> None:
    """Embed sentences of a corpus and save the best time of each number of workers."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        words = _write(_sentences(corpus, texts), Path(place) / "texts")
        times: dict[int, list[float]] = {workers: [] for workers in WORKERS}
        for _ in range(repeats):
            for workers, seconds in times.items():
                seconds.append(_seconds(Path(place), workers, texts))
                print(f"{workers} worker(s): {seconds[-1]:.1f} s", flush=True)
    best = {workers: min(seconds) for workers, seconds in times.items()}
    row: dict[str, Any] = {
        "seconds": {str(workers): round(seconds, 2) for workers, seconds in best.items()},
        "texts_per_second": {str(workers): round(texts / seconds) for workers, seconds in best.items()},
        "speed_up": round(best[1] / best[2], 3),
    }
    keep_rows("ray", {EVERYWORD: row}, {"texts": texts, "words": words, "cores": os.cpu_count()}, kept)


def _sentences(corpus: Sequence[Path], count: int) -> list[str]:
    """Return lines of the corpus in random order, again and again if there are too few."""
    lines = [line for path in corpus for line in _lines(path)]
    random.Random(0).shuffle(lines)
    return (lines * (count // len(lines) + 1))[:count]


def _lines(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from (stripped for line in file if (stripped := line.strip()))


def _write(lines: Sequence[str], folder: Path) -> int:
    """Write texts to a few files and return how many words they have."""
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.txt").write_text("\n".join(lines[number::FILES]) + "\n", encoding="utf-8")
    return sum(len(line.split()) for line in lines)


def _seconds(place: Path, workers: int, texts: int) -> float:
    shutil.rmtree(place / "vectors", ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-c", EMBED, str(place / "texts"), str(place / "vectors"), str(workers)],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["texts"] == texts
    return float(told["seconds"])


if __name__ == "__main__":
    main()
