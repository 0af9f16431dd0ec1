"""Who does the tasks: processes of this machine, or a Ray cluster. The results are the same to the byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from everyword.corpus.contexts.worker import Done, Task
from everyword.errors import InputError

Executor = Callable[[Sequence[Task], Callable[[], bool]], Iterator[Done]]
"""Does tasks in any order; begins no more of them once the function says that it is time to stop."""
DEATHS = 3
"""Of workers over one task before it is given up."""


def results_of(executor: Executor, tasks: Sequence[Task], stopped: Callable[[], bool]) -> list[str] | None:
    """The results of tasks that must all be done, in their order; None if it was time to stop."""
    results = {}
    for done in executor(tasks, stopped):
        if done.problem:
            raise InputError(done.problem)
        results[done.task] = done.result
    return [results[task] for task in tasks] if len(results) == len(tasks) else None
