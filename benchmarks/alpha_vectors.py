"""Time and peak memory of alpha vectors and limit vectors.

python benchmarks/alpha_vectors.py --words 100000 --dim 300 --sample 5000

Vectors are random: neither time nor memory depends on what they are. Each row is measured in a process of its own,
which makes the pair first; the memory is that of the whole process. The time of a word does not depend on how many
others are changed, so that a sample of words over all contexts is enough; the result has room for all words.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import click
from record import keep

ROWS = {
    "limit vectors": 'LimitVectors(reference="unigram")',
    "alpha vectors, alpha -3": 'AlphaVectors(alpha=-3, reference="unigram")',
    "alpha vectors, alpha 1": 'AlphaVectors(alpha=1, reference="unigram")',
}
MEASURE = """
import json, resource, sys, time
import numpy as np
from everyword.space import AlphaVectors, LimitVectors, alpha_vectors
from everyword.vectors import ContextPair
count, dim, sample, made_by = *map(int, sys.argv[1:4]), sys.argv[4]
rng = np.random.default_rng(0)
vectors, contexts = (rng.standard_normal((count, dim), dtype=np.float32) * np.float32(0.2) for _ in range(2))
counts = np.maximum(1, 1e7 / np.arange(1, count + 1)).astype(np.int64)
pair = ContextPair([f"w{row}" for row in range(count)], vectors, contexts, counts)
start = time.process_time()
record = eval(made_by).fit(pair)
fitted = time.process_time()
made = np.ones_like(vectors)
made[:sample] = record.apply(vectors[:sample], contexts[:sample])
assert np.isfinite(made).all()
seconds = {"fit_seconds": fitted - start, "seconds_per_1000_words": (time.process_time() - fitted) / sample * 1000}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({**seconds, "peak_megabytes": peak / 1024}))
"""


@click.command()
@click.option("--words", default=100_000, show_default=True)
@click.option("--dim", default=300, show_default=True)
@click.option("--sample", default=5000, show_default=True, help="Compute the vectors of this many words.")
@click.option("--row", "chosen", type=click.Choice([*ROWS]), multiple=True, help="Measure these only.")
def main(words: int, dim: int, sample: int, chosen: tuple[str, ...]) -> None:
    """Measure each row on one thread and save all."""
    rows = {name: _measured([words, dim, min(sample, words)], ROWS[name]) for name in chosen or ROWS}
    for name, row in rows.items():
        print(f"{name}: {row}")
    head = {"words": words, "dim": dim, "sample": min(sample, words), "threads": 1, "clock": "processor time"}
    keep("alpha-vectors", {**head, "rows": rows})


def _measured(sizes: list[int], made_by: str) -> dict[str, Any]:
    one_thread = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    command = [sys.executable, "-c", MEASURE, *map(str, sizes), made_by]
    done = subprocess.run(command, env={**os.environ, **one_thread}, capture_output=True, text=True, check=True)
    return {name: round(value, 2) for name, value in json.loads(done.stdout).items()}


if __name__ == "__main__":
    main()
