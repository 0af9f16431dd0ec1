"""The service with many clients: errors, response times, memory.

    python benchmarks/serve.py     # as kept: six minutes on a quiet machine of two cores
    python benchmarks/serve.py --seconds 5 --requests 2000 --folder /tmp  # a quick look

The service and its clients share the machine. First all clients ask without pause (saturation), then as many questions
a second as a share of what that gave, then some number of questions while the service's memory is watched.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic, perf_counter, sleep
from typing import Any

import click
from load import Connection, Seen, as_request, at_a_pace, clients, without_pause
from peers.clock import percentile
from record import RESULTS, keep

import everyword
from everyword import registry
from everyword.text.corruption import TYPOS

BODIES = 400
FREQUENT = 50_000
BELOW_SATURATION = 0.6
NOT_SENT_AWAY = 48
"""How many clients are always admitted at the same time."""


@click.command()
@click.option("--clients", "count", default=200, show_default=True, help="Clients at the same time.")
@click.option("--words", default=32, show_default=True, help="Words per request, half of them misspelt.")
@click.option("--seconds", default=60, show_default=True, help="Length of each of the first two parts.")
@click.option("--requests", default=100_000, show_default=True, help="Requests of the third part.")
@click.option("--workers", default=1, show_default=True, help="Processes of the service.")
@click.option("--folder", type=click.Path(path_type=Path), default=RESULTS, help="The folder of saved results.")
def main(*, count: int, words: int, seconds: int, requests: int, workers: int, folder: Path) -> None:
    """Measure and save."""
    load_before = round(os.getloadavg()[0], 2)
    with served(workers) as (host, port):
        questions = [as_request(body, host) for body in bodies(words)]
        ask = partial(clients, count, host, port)
        saturated = asyncio.run(crowd(ask, questions, seconds))
        pace = saturated["answered_per_second"] * BELOW_SATURATION
        relaxed = asyncio.run(paced(ask, questions, seconds, pace, count))
        memory = watched(partial(clients, min(count, NOT_SENT_AWAY), host, port), questions, requests, host, port)
    result = {
        "model": "everyword-en",
        "cores": os.cpu_count(),
        "load_before": load_before,
        "workers": workers,
        "clients": count,
        "words_per_request": words,
        "seconds": seconds,
        "saturated": saturated,
        "below_saturation": {"share": BELOW_SATURATION, **relaxed},
        "memory": memory,
    }
    print(json.dumps(result, indent=2))
    keep("serve", result, folder)


@contextmanager
def served(workers: int) -> Iterator[tuple[str, int]]:
    """Start a service of the default model in another process."""
    options = ["--port", "0", "--model", "everyword-en", "--workers", str(workers)]
    with subprocess.Popen([sys.executable, "-m", "everyword", "serve", *options], stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        said = process.stderr.readline().decode()
        try:
            host, port = said.split()[3].removeprefix("http://").split(":")
            wait_for(host, int(port))
            yield host, int(port)
        finally:
            process.terminate()


def wait_for(host: str, port: int) -> None:
    deadline = monotonic() + 60
    while monotonic() < deadline:
        try:
            text_of(host, port, "health")
            return
        except OSError:
            sleep(0.1)
    raise SystemExit("The service does not answer.")


def text_of(host: str, port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://{host}:{port}/{path}", timeout=60) as answer:
        text: str = answer.read().decode()
    return text


def bodies(words: int) -> list[bytes]:
    """Return requests with frequent words, every second one misspelt."""
    known, rng = everyword.load("everyword-en").known_words.words[:FREQUENT], Random(0)
    kinds = [registry.corruptions.get(name) for name in TYPOS]

    def word(index: int) -> str:
        drawn = rng.choice(known)
        return rng.choice(kinds)(drawn, rng) if index % 2 else drawn

    return [json.dumps({"words": [word(index) for index in range(words)]}).encode() for _ in range(BODIES)]


async def crowd(ask: Any, questions: list[bytes], seconds: int) -> dict[str, Any]:
    """Let all clients send requests without pause."""
    end = perf_counter() + seconds

    async def one(connection: Connection, number: int, seen: Seen) -> None:
        await without_pause(connection, questions, number, seen, lambda: perf_counter() < end)

    return summary(await ask(one), seconds)


async def paced(ask: Any, questions: list[bytes], seconds: int, pace: float, count: int) -> dict[str, Any]:
    """Let all clients together send requests at a given rate per second."""
    every, start = count / pace, perf_counter() + 0.5

    async def one(connection: Connection, number: int, seen: Seen) -> None:
        # Each client begins a little later than the one before, so that questions come evenly.
        times = (start + every * (turn + number / count) for turn in range(round(seconds / every)))
        await at_a_pace(connection, questions, number, seen, times=times)

    return summary(await ask(one), seconds)


def summary(seen: Seen, seconds: float) -> dict[str, Any]:
    return {
        "statuses": {str(status): times for status, times in sorted(seen.statuses.items())},
        "answered_per_second": round(len(seen.seconds) / seconds, 1),
        "milliseconds": {f"p{share}": round(1000 * percentile(seen.seconds, share), 1) for share in (50, 90, 99, 100)},
    }


def watched(ask: Any, questions: list[bytes], requests: int, host: str, port: int) -> dict[str, Any]:
    """Return the memory of the service as the number of requests grows."""
    megabytes, statuses = [resident(host, port)], Seen().statuses
    for _ in range(10):
        left = iter(range(requests // 10))

        async def one(connection: Connection, number: int, seen: Seen, left: Iterator[int] = left) -> None:
            await without_pause(connection, questions, number, seen, lambda: next(left, None) is not None)

        statuses += asyncio.run(ask(one)).statuses
        megabytes.append(resident(host, port))
    return {"requests": statuses.total(), "statuses": {str(s): n for s, n in statuses.items()}, "megabytes": megabytes}


def resident(host: str, port: int) -> float:
    lines = text_of(host, port, "metrics").splitlines()
    found = next(line for line in lines if line.startswith("process_resident_memory_bytes"))
    return round(int(found.split()[1]) / 1e6, 1)


if __name__ == "__main__":
    main()
