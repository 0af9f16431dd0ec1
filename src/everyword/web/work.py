"""Work off the event loop: a bounded number of jobs on a few threads, each with a time limit."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

from everyword.web.problems import Problem, Refused
from everyword.web.settings import Limits

Result = TypeVar("Result")
THREADS = 4
"""NumPy lets others run during its larger operations, so a few threads are of use even under one interpreter lock."""
NEWEST = 0.1
"""The weight of the newest job in the mean duration of jobs."""


class Work:
    """Jobs that are accepted, run and given up; used from one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.unfinished = 0
        """Jobs that were accepted and have not ended."""
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="everyword")
        self._mean_seconds = 0.01

    async def run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """What a function says, run on a thread."""
        loop, begin = asyncio.get_running_loop(), monotonic()
        self._accept()
        job: Future[Result] = self.pool.submit(function, *arguments)
        # A job that nobody waits for any more still takes its place until its thread is free.
        job.add_done_callback(lambda _: loop.call_soon_threadsafe(self._end, begin))
        answer = asyncio.wrap_future(job)
        answer.add_done_callback(_look_at)
        await asyncio.wait([answer], timeout=self.limits.seconds)
        if answer.done():
            return answer.result()
        raise self.too_busy() if job.cancel() else self.too_slow()

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place among the jobs, for one that runs together with others."""
        self._accept()
        begin = monotonic()
        try:
            yield
        finally:
            self._end(begin)

    def _accept(self) -> None:
        if self.unfinished >= self.limits.waiting:
            told = f"{self.unfinished} requests are being answered, and that is all this service takes; try again soon."
            raise Refused(429, Problem(error=told), retry_after=self._soon())
        self.unfinished += 1

    def _end(self, begin: float) -> None:
        self.unfinished -= 1
        self._mean_seconds += NEWEST * (monotonic() - begin - self._mean_seconds)

    def _soon(self) -> int:
        """Seconds until there should be room: what is in front has been waiting about as long as it takes."""
        return max(1, math.ceil(self._mean_seconds))

    def too_busy(self) -> Refused:
        """The job was never begun."""
        told = f"The request was not begun within {self.limits.seconds:g} seconds, so it was dropped; try again soon."
        return Refused(503, Problem(error=told), retry_after=self._soon())

    def too_slow(self) -> Refused:
        """The job was begun and did not end."""
        told = f"The request took longer than {self.limits.seconds:g} seconds; ask for fewer words at a time."
        return Refused(504, Problem(error=told))

    async def close(self) -> None:
        """Wait for the jobs that were begun."""
        await asyncio.to_thread(self.pool.shutdown)


def _look_at(answer: asyncio.Future[Result]) -> None:
    """Keep asyncio from complaining about the error of a job that nobody waits for any more."""
    if not answer.cancelled():
        answer.exception()
