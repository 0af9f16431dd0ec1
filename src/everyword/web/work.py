"""Work off the event loop: a bounded number of jobs on a few threads, each with a time limit."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from everyword.web.problems import Problem, Refusal
from everyword.web.settings import Limits

Result = TypeVar("Result")
Request = TypeVar("Request")
THREADS = 4
"""NumPy lets others run during its larger operations, so a few threads are of use even under one interpreter lock."""
NEWEST = 0.1
"""The weight of the newest job in the mean duration of jobs."""
WORDS_AT_ONCE = 512
"""More words at once are hardly faster, and every request of a batch waits for the last of them."""


class Work:
    """Jobs that are accepted, run and given up; used from one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.unfinished = 0
        """Jobs that were accepted and have not ended."""
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="everyword")
        self._mean_seconds = 0.01

    async def run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Call a function on a thread and return its result."""
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
    def accepted(self) -> Iterator[None]:
        """Count as a job for the length of a context; for one that runs together with others."""
        self._accept()
        begin = monotonic()
        try:
            yield
        finally:
            self._end(begin)

    def _accept(self) -> None:
        if self.unfinished >= self.limits.waiting:
            error = f"Server busy: {self.unfinished} requests in progress. Retry later."
            raise Refusal(429, Problem(error=error), retry_after=self._soon())
        self.unfinished += 1

    def _end(self, begin: float) -> None:
        self.unfinished -= 1
        self._mean_seconds += NEWEST * (monotonic() - begin - self._mean_seconds)

    def _soon(self) -> int:
        """Return the seconds until a job should have ended: those in front have waited about as long as they take."""
        return max(1, math.ceil(self._mean_seconds))

    def too_busy(self) -> Refusal:
        """Return the refusal of a job that was never started."""
        error = f"The request was not started within {self.limits.seconds:g} seconds and was dropped. Retry later."
        return Refusal(503, Problem(error=error), retry_after=self._soon())

    def too_slow(self) -> Refusal:
        """Return the refusal of a job that was started and did not end."""
        error = f"The request took longer than {self.limits.seconds:g} seconds; send fewer words at a time."
        return Refusal(504, Problem(error=error))

    async def close(self) -> None:
        """Wait for the jobs that were started."""
        await asyncio.to_thread(self.pool.shutdown)


def _look_at(answer: asyncio.Future[Result]) -> None:
    """Keep asyncio from complaining about the error of a job that nobody waits for any more."""
    if not answer.cancelled():
        answer.exception()


@dataclass(frozen=True)
class WaitingRequest(Generic[Request]):
    """A request and where its answer goes."""

    request: Request
    words: int
    answer: asyncio.Future[bytes]


class Batches(Generic[Request]):
    """Requests whose words are encoded together, which is faster than one request after the other.

    One batch runs at a time; the requests that come meanwhile are the next one.
    """

    def __init__(self, work: Work, answer_all: Callable[[Sequence[Request]], Sequence[bytes]]) -> None:
        self._work, self._answer_all = work, answer_all
        self._waiting: list[WaitingRequest[Request]] = []
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, request: Request, words: int) -> bytes:
        """Return the answer to one request, of about so many words."""
        with self._work.accepted():
            waiting = WaitingRequest(request, words, asyncio.get_running_loop().create_future())
            self._waiting.append(waiting)
            if self._running is None or self._running.done():
                self._running = asyncio.create_task(self._run())
            try:
                return await asyncio.wait_for(waiting.answer, self._work.limits.seconds)
            except asyncio.TimeoutError:
                if waiting not in self._waiting:
                    raise self._work.too_slow() from None
                self._waiting.remove(waiting)
                raise self._work.too_busy() from None

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch = self._take()
            try:
                answers = await loop.run_in_executor(self._work.pool, self._answer_all, [one.request for one in batch])
            except Exception as error:
                for one in batch:
                    if not one.answer.done():
                        one.answer.set_exception(error)
            else:
                for one, answer in zip(batch, answers, strict=True):
                    if not one.answer.done():  # its time may be over
                        one.answer.set_result(answer)

    def _take(self) -> list[WaitingRequest[Request]]:
        """Take the requests that have waited longest, up to some number of words, at least one."""
        words = 0
        for taken, waiting in enumerate(self._waiting):
            words += waiting.words
            if taken and words > WORDS_AT_ONCE:
                break
        else:
            taken = len(self._waiting)
        batch, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return batch
