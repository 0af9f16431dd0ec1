"""Time and memory of exact CSLS between random unit vectors of 300 dimensions, on one core.

    OMP_NUM_THREADS=1 python benchmarks/alignment_speed.py --words 50000
    OMP_NUM_THREADS=1 python benchmarks/alignment_speed.py --words 200000 --queries 10000

Each size is a part of the kept result. With --queries only that many source words search among all target words, and
their neighbourhoods are measured for that many target words: the kept time is that of this slice, and the time of the
whole, which grows with the number of rows, is said to be an estimate.
"""

from __future__ import annotations

import os
import resource
import time

import click
import numpy as np
from record import keep_part

from everyword.space.alignment.retrieval import best, mean_similarities, penalties
from everyword.vectors.neighbours import unit_rows

DIM = 300
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@click.command()
@click.option("--words", default=50_000, show_default=True)
@click.option("--queries", type=int)
def main(words: int, queries: int | None) -> None:
    """Measure one size and keep it."""
    if os.environ.get(THREADS[0]) != "1":
        raise click.UsageError("Set OMP_NUM_THREADS=1, so that one core is measured.")
    draw = np.random.default_rng(0)
    source, target = (unit_rows(draw.standard_normal((words, DIM), dtype=np.float32)) for _ in range(2))
    wall, processor = time.perf_counter(), time.process_time()
    if queries is None:
        best(source, target, penalties(source, target))
    else:
        mean_similarities(target[:queries], source)
        best(source[:queries], target, np.zeros(words, dtype=np.float32))
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    result = {
        "words": words,
        "rows_measured": queries or words,
        "wall_s": round(wall, 1),
        "processor_s": round(processor, 1),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    if queries is not None:
        result["processor_s_of_all_rows_estimated"] = round(processor * words / queries)
    print(result)
    keep_part("alignment-speed", f"{words}", result, {"metric": f"CSLS, source to target, dimension {DIM}, one core"})


if __name__ == "__main__":
    main()
