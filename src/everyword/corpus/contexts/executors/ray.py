"""Tasks on a Ray cluster: the one that RAY_ADDRESS names, or workers that Ray starts on this machine.

The corpus and the result folder must have the same paths on all machines. Ray itself repeats a task whose worker died.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from everyword.corpus.contexts.executors import DEATHS, Executor
from everyword.corpus.contexts.worker import Done, Task, do
from everyword.errors import EverywordError
from everyword.extras import require


def in_ray(workers: int) -> Executor:
    """An executor on the cluster that is connected, or else on one of so many workers, started now."""
    ray = require("ray", "--executor ray")

    def run(tasks: Sequence[Task], stopped: Callable[[], bool]) -> Iterator[Done]:
        if not ray.is_initialized():
            _connect(ray, workers)
        remote = ray.remote(num_cpus=1, max_retries=DEATHS)(do)
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


def _result(ray: Any, reference: Any, task: Task) -> Done:
    try:
        done: Done = ray.get(reference)
    except ray.exceptions.RayTaskError:  # the task's own failure, with its trace
        raise
    except ray.exceptions.RayError as error:
        raise EverywordError(
            f"Ray gave up {task.subject} ({type(error).__name__}); see that its workers live, "
            "and run the same command again: what is done is kept."
        ) from error
    return done
