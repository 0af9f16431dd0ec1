"""Words of several requests, encoded together: that takes less time than one request after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from everyword.web.work import Work

WORDS_AT_ONCE = 512
"""More words at once are hardly faster, and everybody waits for the last of them."""


class Sized(Protocol):
    """A request of some words."""

    words: list[str]


Asked = TypeVar("Asked", bound=Sized)
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Waiting(Generic[Asked, Answer]):
    """A request and where its answer goes."""

    asked: Asked
    answer: asyncio.Future[Answer]


class Batches(Generic[Asked, Answer]):
    """One batch at a time; whatever comes meanwhile is the next one."""

    def __init__(self, work: Work, answers: Callable[[Sequence[Asked]], Sequence[Answer]]) -> None:
        self._work, self._answers = work, answers
        self._waiting: list[Waiting[Asked, Answer]] = []
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, asked: Asked) -> Answer:
        """The answer to one request."""
        with self._work.place():
            waiting = Waiting[Asked, Answer](asked, asyncio.get_running_loop().create_future())
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
                answers = await loop.run_in_executor(self._work.pool, self._answers, [one.asked for one in batch])
            except Exception as error:
                for one in batch:
                    if not one.answer.done():
                        one.answer.set_exception(error)
            else:
                for one, answer in zip(batch, answers, strict=True):
                    if not one.answer.done():  # its time may be over
                        one.answer.set_result(answer)

    def _take(self) -> list[Waiting[Asked, Answer]]:
        """The requests that have waited longest, up to some number of words, at least one."""
        words = 0
        for taken, waiting in enumerate(self._waiting):
            words += len(waiting.asked.words)
            if taken and words > WORDS_AT_ONCE:
                break
        else:
            taken = len(self._waiting)
        batch, self._waiting = self._waiting[:taken], self._waiting[taken:]
        return batch
