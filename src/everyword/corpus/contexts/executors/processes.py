"""Tasks in processes of this machine."""

from __future__ import annotations

import multiprocessing
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from everyword.corpus.contexts.executors import DEATHS, Executor
from everyword.corpus.contexts.worker import Done, Task, do
from everyword.errors import EverywordError


def in_processes(workers: int) -> Executor:
    """An executor of so many processes; one is this process itself."""

    def run(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[Done]:
        return _here(tasks, stopped) if min(workers, len(tasks)) <= 1 else _in_pool(tasks, stopped, workers)

    return run


def _here(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[Done]:
    for task in tasks:
        if stopped():
            return
        yield do(task)


def _in_pool(tasks: Sequence[Task], stopped: Callable[[], bool], workers: int) -> Iterator[Done]:
    waiting, deaths = deque(tasks), Counter[Task]()
    while waiting and not stopped():
        # A new pool after each death: its other tasks are lost with it and done again.
        running: dict[Future[Done], Task] = {}
        try:
            with ProcessPoolExecutor(
                workers, mp_context=multiprocessing.get_context("spawn"), initializer=_leave_ctrl_c_to_the_parent
            ) as pool:
                yield from _until_done(pool, waiting, running, stopped, workers)
        except BrokenProcessPool:
            for task in running.values():
                deaths[task] += 1
                _give_up_if_hopeless(task, deaths[task])
            waiting.extendleft(running.values())


def _until_done(
    pool: ProcessPoolExecutor,
    waiting: deque[Task],
    running: dict[Future[Done], Task],
    stopped: Callable[[], bool],
    workers: int,
) -> Iterator[Done]:
    while running or (waiting and not stopped()):
        while waiting and len(running) < workers and not stopped():
            task = waiting.popleft()
            try:
                running[pool.submit(do, task)] = task
            except BrokenProcessPool:
                waiting.appendleft(task)
                raise
        for future in wait(running, timeout=0.5, return_when=FIRST_COMPLETED).done:
            done = future.result()
            del running[future]
            yield done


def _give_up_if_hopeless(task: Task, deaths: int) -> None:
    if deaths >= DEATHS:
        raise EverywordError(
            f"Workers died {deaths} times over {task.subject}; see that each has 500 MB of memory, or take fewer, "
            "and run the same command again: what is done is kept."
        )


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
