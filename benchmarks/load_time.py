"""Time and memory from a cold interpreter to the first vector, in fresh processes.

python benchmarks/load_time.py
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys

from record import keep

ROUNDS = 9
PROGRAM = """
import json, resource, time
started = time.perf_counter()
import everyword
model = everyword.load("love-en")
loaded = time.perf_counter() - started
model.encode(["mispelling"])
first_vector = time.perf_counter() - started
encoded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
model.nearest("mispelling")
print(json.dumps({
    "import_and_load_s": loaded,
    "first_vector_s": first_vector,
    "peak_memory_mb_after_encode": encoded,
    "peak_memory_mb_after_nearest": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def main() -> None:
    rounds = [json.loads(subprocess.check_output([sys.executable, "-c", PROGRAM])) for _ in range(ROUNDS)]
    medians = {key: round(statistics.median(one[key] for one in rounds), 3) for key in rounds[0]}
    print(medians)
    keep("load-time", {"metric": f"median of {ROUNDS} fresh processes", **medians})


if __name__ == "__main__":
    main()
