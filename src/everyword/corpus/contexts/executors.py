"""ContextSearch tasks in processes of this machine or on a Ray cluster, with the same results to the byte.

The Ray cluster is the one that RAY_ADDRESS names; without it, Ray starts workers on this machine. The corpus and the
result folder must have the same paths on all machines. Ray itself repeats a task whose worker died.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from everyword.corpus.contexts.worker import Task, TaskResult, run_task
from everyword.errors import EverywordError, InputError
from everyword.extras import require

Executor = Callable[[Sequence[Task], Callable[[], bool]], Iterator[TaskResult]]
"""Does tasks in any order; begins no more of them once the function says that it is time to stop."""
DEATHS = 3
"""Of workers over one task before it is given up."""


def run_all(executor: Executor, tasks: Sequence[Task], stopped: Callable[[], bool]) -> list[str] | None:
    """The results of tasks that must all be done, in their order; None if it was time to stop."""
    results = {}
    for done in executor(tasks, stopped):
        if done.problem:
            raise InputError(done.problem)
        results[done.task] = done.result
    return [results[task] for task in tasks] if len(results) == len(tasks) else None


def process_executor(workers: int) -> Executor:
    """An executor of so many processes; one is this process itself."""

    def run(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[TaskResult]:
        return _here(tasks, stopped) if min(workers, len(tasks)) <= 1 else _in_pool(tasks, stopped, workers)

    return run


def _here(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[TaskResult]:
    for task in tasks:
        if stopped():
            return
        yield run_task(task)


def _in_pool(tasks: Sequence[Task], stopped: Callable[[], bool], workers: int) -> Iterator[TaskResult]:
    waiting, deaths = deque(tasks), Counter[Task]()
    while waiting and not stopped():
        # A new pool after each death: its other tasks are lost with it and done again.
        running: dict[Future[TaskResult], Task] = {}
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
    running: dict[Future[TaskResult], Task],
    stopped: Callable[[], bool],
    workers: int,
) -> Iterator[TaskResult]:
    while running or (waiting and not stopped()):
        while waiting and len(running) < workers and not stopped():
            task = waiting.popleft()
            try:
                running[pool.submit(run_task, task)] = task
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


def ray_executor(workers: int) -> Executor:
    """An executor on the cluster that is connected, or else on one of so many workers, started now."""
    ray = require("ray", "--executor ray")

    def run(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[TaskResult]:
        if not ray.is_initialized():
            _connect(ray, workers)
        remote = ray.remote(num_cpus=1, max_retries=DEATHS)(run_task)
        at_once = 2 * max(int(ray.cluster_resources().get("CPU", workers)), 1)
        waiting, running = deque(tasks), dict[Any, Task]()
        while running or (waiting and not stopped()):
            while waiting and len(running) < at_once and not stopped():
                task = waiting.popleft()
                running[remote.remote(task)] = task
            for reference in ray.wait(list(running), timeout=0.5)[0]:
                yield _result(ray, reference, running.pop(reference))

    return run


def _connect(ray: Any, workers: int) -> None:
    # The size of a cluster that others started is theirs to decide.
    own = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": workers, "include_dashboard": False}
    ray.init(log_to_driver=False, **own)


def _result(ray: Any, reference: Any, task: Task) -> TaskResult:
    try:
        done: TaskResult = ray.get(reference)
    except ray.exceptions.RayTaskError:  # the task's own failure, with its trace
        raise
    except ray.exceptions.RayError as error:
        raise EverywordError(
            f"Ray gave up {task.subject} ({type(error).__name__}); see that its workers live, "
            "and run the same command again: what is done is kept."
        ) from error
    return done
