"""Timing: many words at once, one word at a time, and a fresh process."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Batch = Sequence[str]
Runner = tuple[Callable[[Batch], Any], int]
"""A function of a batch of words, and how many words of each batch it gets; slow ones get fewer."""


def paces(
    runners: Mapping[str, Runner], batches: Sequence[Batch], clock: Callable[[], float] = time.perf_counter
) -> dict[str, dict[str, int]]:
    """Measure words per second, best and median round. The first batch warms up; each round has words of its own.

    All take turns in every round, so that a busy moment of the machine meets all of them. With `time.process_time` as
    the clock, only the time that the process itself computes is counted.
    """
    times: dict[str, list[float]] = {name: [] for name in runners}
    for batch in batches:
        for name, (run, size) in runners.items():
            words = batch[:size]
            started = clock()
            run(words)
            times[name].append((clock() - started) / len(words))
    return {
        name: {
            "words_per_second": round(1 / min(spent[1:])),
            "median_words_per_second": round(1 / statistics.median(spent[1:])),
            "batch": min(runners[name][1], len(batches[0])),
        }
        for name, spent in times.items()
    }


def latency(
    run: Callable[[str], Any], words: Batch, warm_up: int = 100, clock: Callable[[], int] = time.perf_counter_ns
) -> dict[str, float]:
    """Measure the microseconds for one word: median and 95th percentile."""
    for word in words[:warm_up]:
        run(word)
    spent = []
    for word in words[warm_up:]:
        started = clock()
        run(word)
        spent.append((clock() - started) / 1000)
    return {"p50_us": round(percentile(spent, 50), 1), "p95_us": round(percentile(spent, 95), 1)}


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest value that the given percentage of the values does not exceed.

    >>> percentile([5, 1, 4, 2, 3], 50), percentile(list(range(1, 101)), 95)
    (3, 95)
    """
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


# VmHWM and not ru_maxrss: the latter survives exec, so that a child of a large process looks as large.
PROGRAM = """
import json, time
path, word = {path!r}, "mispellinng"
def memory(key):
    return next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith(key))
started, before = time.perf_counter(), time.process_time()
{load}
loaded, computed, resident = time.perf_counter() - started, time.process_time() - before, memory("VmRSS")
{first_word}
print(json.dumps({{
    "import_and_load_s": loaded,
    "import_and_load_cpu_s": computed,
    "memory_mb_after_load": resident,
    "first_unknown_word_s": time.perf_counter() - started,
    "first_unknown_word_cpu_s": time.process_time() - before,
    "memory_mb_after_unknown": memory("VmRSS"),
    "peak_memory_mb": memory("VmHWM"),
}}))
"""


def fresh_process(load: str, first_word: str, path: Path, rounds: int) -> dict[str, float]:
    """Return medians over fresh interpreters that load `path`, then handle an unknown `word`; Linux only.

    The best times are there too: they suffer less from other work on the machine.
    """
    program = PROGRAM.format(load=load, first_word=first_word, path=str(path))
    # A first run, which does not count, may write compiled modules: an installed package has them.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    asked = [sys.executable, "-c", program]
    runs = [json.loads(subprocess.check_output(asked, env=environment)) for _ in range(rounds + 1)][1:]
    medians = {key: round(statistics.median(run[key] for run in runs), 3) for key in runs[0]}
    best = ("import_and_load_s", "first_unknown_word_s")
    return medians | {f"best_{key}": round(min(run[key] for run in runs), 3) for key in best}


def size_on_disk(path: Path) -> int:
    """Return the size in bytes of a file, or of all files in a folder."""
    return sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file())
