"""What a service did so far, in Prometheus' text format: few numbers, written by hand."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds."""
OTHER = "other"
"""Stands for all paths that do not exist: whoever tries paths must not make the list longer."""
MEMORY = Path("/proc/self/statm")


class Metrics:
    """Counts of requests and words; used from one event loop."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.words: Counter[str] = Counter()
        self._durations: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BUCKETS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def count(self, path: str, method: str, status: int, seconds: float) -> None:
        """A request was answered."""
        self.requests[path, method, status] += 1
        self._durations[path][bisect_left(BUCKETS, seconds)] += 1
        self._seconds[path] += seconds

    def text(self, unfinished: int) -> str:
        """All numbers as text."""
        return "\n".join([*self._lines(unfinished), ""])

    def _lines(self, unfinished: int) -> Iterator[str]:
        yield from _family("everyword_requests_total", "counter", "Requests answered.")
        for (path, method, status), times in self.requests.items():
            yield f'everyword_requests_total{{path="{path}",method="{method}",status="{status}"}} {times}'
        yield from _family("everyword_words_total", "counter", "Words encoded by /v1/encode.")
        for model, times in self.words.items():
            yield f'everyword_words_total{{model="{_escaped(model)}"}} {times}'
        yield from _family("everyword_request_seconds", "histogram", "Time until a request was answered.")
        for path, counts in self._durations.items():
            yield from self._histogram(path, counts)
        yield from _family("everyword_unfinished_requests", "gauge", "Requests accepted and not answered yet.")
        yield f"everyword_unfinished_requests {unfinished}"
        if MEMORY.exists():
            yield from _family("process_resident_memory_bytes", "gauge", "Memory in use.")
            yield f"process_resident_memory_bytes {resident_bytes()}"

    def _histogram(self, path: str, counts: Iterable[int]) -> Iterator[str]:
        total = 0
        for border, times in zip((*map(str, BUCKETS), "+Inf"), counts, strict=True):
            total += times
            yield f'everyword_request_seconds_bucket{{path="{path}",le="{border}"}} {total}'
        yield f'everyword_request_seconds_sum{{path="{path}"}} {self._seconds[path]:.6f}'
        yield f'everyword_request_seconds_count{{path="{path}"}} {total}'


def _family(name: str, kind: str, told: str) -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def resident_bytes() -> int:
    """Memory in use, where the system tells."""
    return int(MEMORY.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Counting:
    """Counts every request that passes, with its status and time."""

    METHODS = ("GET", "POST", "HEAD", "OPTIONS")

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and count it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begin, status = perf_counter(), 500

        async def seen(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, seen)
        finally:
            method = scope["method"] if scope["method"] in self.METHODS else OTHER
            self.metrics.count(_path(scope), method, status, perf_counter() - begin)


def _path(scope: Scope) -> str:
    """The path of the route that answered."""
    route = scope.get("route")
    return getattr(route, "path", None) or OTHER
