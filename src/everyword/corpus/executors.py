"""Run tasks in processes of this machine or on a Ray cluster, with the same results to the byte.

A task takes a few small values, reads everything else from disk and can safely run twice. The Ray cluster is the one
that RAY_ADDRESS names; without it, Ray starts workers on this machine. Input and output must have the same paths on all
machines. Ray itself repeats a task whose worker died.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from everyword.errors import EverywordError, InputError
from everyword.extras import require


@dataclass(frozen=True)
class Task:
    """A function to run in a worker, with arguments that are small, and what it is about, for messages."""

    subject: str
    function: Callable[..., str]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class TaskResult:
    """The result of a task, or the problem that its input has."""

    task: Task
    result: str = ""
    problem: str = ""


def run_task(task: Task) -> TaskResult:
    """Run a task; a problem of its input is returned, not raised, so that the other tasks continue."""
    try:
        return TaskResult(task, task.function(*task.arguments))
    except EverywordError as error:
        return TaskResult(task, problem=str(error))


Executor = Callable[[Sequence[Task], Callable[[], bool]], Iterator[TaskResult]]
"""Runs tasks in any order; starts no more of them once the function returns True."""
MAX_DEATHS = 3
"""How many workers may die over one task before the run fails."""
EXECUTORS = ("processes", "ray", "none")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Settings of libraries for arrays: a worker has one thread, because there is one worker per core."""


def executor_for(name: str, workers: int | None = None) -> Executor:
    """Return the executor of a name, with one worker per core by default; "none" is this process itself."""
    workers = workers or os.cpu_count() or 1
    if name == "ray":
        return ray_executor(workers)
    return process_executor(1 if name == "none" else workers)


def run_all(executor: Executor, tasks: Sequence[Task], stopped: Callable[[], bool]) -> list[str] | None:
    """Run tasks that must all succeed and return their results in order; None if stopped."""
    results = {}
    for result in executor(tasks, stopped):
        if result.problem:
            raise InputError(result.problem)
        results[result.task] = result.result
    return [results[task] for task in tasks] if len(results) == len(tasks) else None


def process_executor(workers: int) -> Executor:
    """Return an executor with this many processes; 1 means this process itself."""

    def run(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[TaskResult]:
        return _run_here(tasks, stopped) if min(workers, len(tasks)) <= 1 else _run_in_pool(tasks, stopped, workers)

    return run


def _run_here(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[TaskResult]:
    for task in tasks:
        if stopped():
            return
        yield run_task(task)


def _run_in_pool(tasks: Sequence[Task], stopped: Callable[[], bool], workers: int) -> Iterator[TaskResult]:
    waiting, deaths = deque(tasks), Counter[Task]()
    while waiting and not stopped():
        # A new pool after each death: its other tasks are lost with it and done again.
        running: dict[Future[TaskResult], Task] = {}
        try:
            with ProcessPoolExecutor(
                workers, mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker
            ) as pool:
                yield from _drain(pool, waiting, running, stopped, workers)
        except BrokenProcessPool:
            for task in running.values():
                deaths[task] += 1
                if deaths[task] >= MAX_DEATHS:
                    raise EverywordError(
                        f"Workers died {deaths[task]} times over {task.subject}; give each more memory, or use "
                        "fewer, and run the same command again: finished work is kept."
                    ) from None
            waiting.extendleft(running.values())


def _drain(
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
            result = future.result()
            del running[future]
            yield result


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, end with it, and set the number of threads, before NumPy is imported."""
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    os.environ |= {name: os.environ.get(name, "1") for name in THREADS}
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _end_with_the_parent() -> None:
    """Wait until the parent is gone: a worker of one that was killed would wait for tasks for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def ray_executor(workers: int) -> Executor:
    """Return an executor on the connected Ray cluster, or on a new one with this many workers."""
    ray = require("ray", "--executor ray")

    def run(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[TaskResult]:
        if not ray.is_initialized():
            # The size of a cluster that others started is theirs to decide.
            own = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": workers, "include_dashboard": False}
            ray.init(log_to_driver=False, **own)
        remote = ray.remote(num_cpus=1, max_retries=MAX_DEATHS)(run_task)
        at_once = 2 * max(int(ray.cluster_resources().get("CPU", workers)), 1)
        waiting, running = deque(tasks), dict[Any, Task]()
        while running or (waiting and not stopped()):
            while waiting and len(running) < at_once and not stopped():
                task = waiting.popleft()
                running[remote.remote(task)] = task
            for reference in ray.wait(list(running), timeout=0.5)[0]:
                yield _ray_result(ray, reference, running.pop(reference))

    return run


def _ray_result(ray: Any, reference: Any, task: Task) -> TaskResult:
    try:
        result: TaskResult = ray.get(reference)
    except ray.exceptions.RayTaskError:  # the task's own failure, with its trace
        raise
    except ray.exceptions.RayError as error:
        raise EverywordError(
            f"Ray gave up {task.subject} ({type(error).__name__}); check that its workers are alive, "
            "and run the same command again: finished work is kept."
        ) from error
    return result
