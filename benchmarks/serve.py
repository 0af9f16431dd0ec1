"""The service with many clients: errors, response times, memory.

    python benchmarks/serve.py     # as kept: seven minutes on a quiet machine of two cores, then some more for memory
    python benchmarks/serve.py --seconds 5 --requests 2000 --folder /tmp  # a quick look

The service and its clients share the machine. For each route, first all clients ask without pause (saturation), then as
many questions a second as a share of what that gave. At the end each route gets some number of questions while the
service's memory is watched.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
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

MODEL = "everyword-en"
BODIES = range(400)
FREQUENT = 50_000
WORDS_PER_TEXT = 12
BELOW_SATURATION = 0.6
NOT_SENT_AWAY = 48
"""How many clients are always admitted at the same time."""


@click.command()
@click.option("--clients", "count", default=200, show_default=True, help="Clients at the same time.")
@click.option("--words", default=32, show_default=True, help="Words per request, half of them misspelt.")
@click.option("--texts", default=4, show_default=True, help="Texts per request, each with a misspelt word.")
@click.option("--seconds", default=60, show_default=True, help="Length of each of the first two parts.")
@click.option("--requests", default=100_000, show_default=True, help="Requests of the third part.")
@click.option("--workers", default=1, show_default=True, help="Processes of the service.")
@click.option("--folder", type=click.Path(path_type=Path), default=RESULTS, help="The folder of saved results.")
def main(*, count: int, words: int, texts: int, seconds: int, requests: int, workers: int, folder: Path) -> None:
    """Measure and save."""
    load_before = round(os.getloadavg()[0], 2)
    bodies = {"/v1/encode": word_bodies(words), "/embed": text_bodies(texts), "/v1/embeddings": openai_bodies(texts)}
    routes = {path: timed(path, bodies[path], count, seconds, workers) for path in bodies}
    print("Response times are measured; memory needs no quiet machine.", file=sys.stderr, flush=True)
    for path, result in routes.items():
        result["memory"] = watched(path, bodies[path], min(count, NOT_SENT_AWAY), requests, workers)
    result = {
        "model": MODEL,
        "cores": os.cpu_count(),
        "load_before": load_before,
        "workers": workers,
        "clients": count,
        "words_per_request": words,
        "texts_per_request": texts,
        "words_per_text": WORDS_PER_TEXT,
        "seconds": seconds,
        "routes": routes,
    }
    print(json.dumps(result, indent=2))
    keep("serve", result, folder)


def timed(path: str, bodies: Sequence[bytes], count: int, seconds: int, workers: int) -> dict[str, Any]:
    """Return how a service that was just started answers requests without pause, and then fewer of them."""
    with served(workers) as (host, port):
        questions = [as_request(path, body, host) for body in bodies]
        ask = partial(clients, count, host, port)
        saturated = asyncio.run(crowd(ask, questions, seconds))
        pace = saturated["answered_per_second"] * BELOW_SATURATION
        relaxed = asyncio.run(paced(ask, questions, seconds, pace, count))
    return {"saturated": saturated, "below_saturation": {"share": BELOW_SATURATION, **relaxed}}


@contextmanager
def served(workers: int) -> Iterator[tuple[str, int]]:
    """Start a service of the default model in another process."""
    options = ["--port", "0", "--model", MODEL, "--workers", str(workers)]
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


def drawn_words() -> Iterator[tuple[str, str]]:
    """Yield frequent words, each with a misspelling of it, without end."""
    known, rng = everyword.load(MODEL).known_words.words[:FREQUENT], Random(0)
    kinds = [registry.corruptions.get(name) for name in TYPOS]
    while True:
        word = rng.choice(known)
        yield word, rng.choice(kinds)(word, rng)


def word_bodies(words: int) -> list[bytes]:
    """Return requests with words, every second one misspelt."""
    drawn = drawn_words()
    return [as_json({"words": [pair[index % 2] for index, pair in enumerate(islice(drawn, words))]}) for _ in BODIES]


def drawn_texts() -> Iterator[str]:
    """Yield texts of frequent words, one of which is misspelt."""
    drawn = drawn_words()
    while True:
        yield " ".join(pair[not index] for index, pair in enumerate(islice(drawn, WORDS_PER_TEXT)))


def text_bodies(texts: int) -> list[bytes]:
    """Return requests for the vectors of texts."""
    drawn = drawn_texts()
    return [as_json({"texts": list(islice(drawn, texts))}) for _ in BODIES]


def openai_bodies(texts: int) -> list[bytes]:
    """Return the same as OpenAI's client sends it."""
    drawn, form = drawn_texts(), {"model": MODEL, "encoding_format": "base64"}
    return [as_json({"input": list(islice(drawn, texts)), **form}) for _ in BODIES]


def as_json(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


async def crowd(ask: Any, questions: Sequence[bytes], seconds: int) -> dict[str, Any]:
    """Let all clients send requests without pause."""
    end = perf_counter() + seconds

    async def one(connection: Connection, number: int, seen: Seen) -> None:
        await without_pause(connection, questions, number, seen, lambda: perf_counter() < end)

    return summary(await ask(one), seconds)


async def paced(ask: Any, questions: Sequence[bytes], seconds: int, pace: float, count: int) -> dict[str, Any]:
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


def watched(path: str, bodies: Sequence[bytes], count: int, requests: int, workers: int) -> dict[str, Any]:
    """Return the memory of a service that was just started as the number of requests grows."""
    with served(workers) as (host, port):
        questions = [as_request(path, body, host) for body in bodies]
        megabytes, statuses = [resident(host, port)], Seen().statuses
        for _ in range(10):
            left = iter(range(requests // 10))

            async def one(connection: Connection, number: int, seen: Seen, left: Iterator[int] = left) -> None:
                await without_pause(connection, questions, number, seen, lambda: next(left, None) is not None)

            statuses += asyncio.run(clients(count, host, port, one)).statuses
            megabytes.append(resident(host, port))
    return {"requests": statuses.total(), "statuses": {str(s): n for s, n in statuses.items()}, "megabytes": megabytes}


def resident(host: str, port: int) -> float:
    lines = text_of(host, port, "metrics").splitlines()
    found = next(line for line in lines if line.startswith("process_resident_memory_bytes"))
    return round(float(found.split()[1]) / 1e6, 1)


if __name__ == "__main__":
    main()
