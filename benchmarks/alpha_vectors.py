"""Time and peak memory of alpha vectors and limit vectors.

python benchmarks/alpha_vectors.py --words 100000 --dim 300

Vectors are random: neither time nor memory depends on what they are. Each row is measured in a process of its own,
which makes the pair first; the memory is that of the whole process.
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
count, dim, made_by = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
rng = np.random.default_rng(0)
vectors, contexts = (rng.standard_normal((count, dim), dtype=np.float32) * np.float32(0.2) for _ in range(2))
counts = np.maximum(1, 1e7 / np.arange(1, count + 1)).astype(np.int64)
pair = ContextPair([f"w{row}" for row in range(count)], vectors, contexts, counts)
start, processor = time.perf_counter(), time.process_time()
table, _ = alpha_vectors(pair, eval(made_by))
assert np.isfinite(table.matrix).all()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
seconds = {"seconds": time.perf_counter() - start, "processor_seconds": time.process_time() - processor}
print(json.dumps({**seconds, "peak_megabytes": peak / 1024}))
"""


@click.command()
@click.option("--words", default=100_000, show_default=True)
@click.option("--dim", default=300, show_default=True)
@click.option("--row", "chosen", type=click.Choice([*ROWS]), multiple=True, help="Measure these only.")
def main(words: int, dim: int, chosen: tuple[str, ...]) -> None:
    """Measure each row on one thread and save all."""
    rows = {name: _measured(words, dim, ROWS[name]) for name in chosen or ROWS}
    for name, row in rows.items():
        print(f"{name}: {row}")
    keep("alpha-vectors", {"words": words, "dim": dim, "threads": 1, "rows": rows})


def _measured(words: int, dim: int, made_by: str) -> dict[str, Any]:
    one_thread = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    command = [sys.executable, "-c", MEASURE, str(words), str(dim), made_by]
    done = subprocess.run(command, env={**os.environ, **one_thread}, capture_output=True, text=True, check=True)
    return {name: round(value, 1) for name, value in json.loads(done.stdout).items()}


if __name__ == "__main__":
    main()
