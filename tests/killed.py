"""Programs that are killed while they write: once at every change that they make to a folder.

`before(folder)` of a program prepares a folder, `work(folder)` changes it. The work is done again
and again, each time in a copy of the prepared folder and in a process of its own, which kills itself (SIGKILL, so no
`finally` and no `except` runs) at its first change, its second, and so on, until one comes to its end. A file that is
opened to be written is left with a few bytes of rubbish in it; before a file is renamed or removed, nothing happens.
"""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import everyword

MOST = 400


class Program(Protocol):
    """What is killed."""

    def before(self, folder: Path) -> None: ...

    def work(self, folder: Path) -> None: ...


def killed_at_every_change(module: str, programs: Sequence[str], home: Path) -> dict[str, list[Path]]:
    """The folders that killed processes of each program left, and last that of the one that came to its end."""
    places = [Path(__file__).parent, Path(everyword.__file__).parents[1]]
    done = subprocess.run(
        [sys.executable, __file__, str(home), module, *programs],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places)), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return {name: sorted((home / name).glob("[0-9]*"), key=lambda path: int(path.name)) for name in programs}


class Killer:
    """Hears of every change to a folder, and ends the process at the one with a certain number."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder, self._left = str(folder.resolve()), number

    def __call__(self, event: str, details: tuple[Any, ...]) -> None:
        """An audit hook."""
        if event == "open":
            path, _, flags = details
            if isinstance(path, str | os.PathLike) and flags & (os.O_WRONLY | os.O_RDWR) and self._is_last(path):
                how = os.O_APPEND if flags & os.O_APPEND else os.O_TRUNC
                with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o644), "wb") as file:
                    file.write(b"half")
                self._kill()
        elif event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir") and self._is_last(details[0]):
            self._kill()

    def _is_last(self, path: Any) -> bool:
        if not os.path.realpath(os.fsdecode(path)).startswith(self._folder):
            return False
        self._left -= 1
        return self._left == 0

    def _kill(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


def _run_killed(program: Program, folder: Path, number: int) -> bool:
    """Whether the work came to its end."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            sys.addaudithook(Killer(folder, number))
            program.work(folder)
            status = 0
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return False
    assert os.WIFEXITED(status), status
    assert os.WEXITSTATUS(status) == 0, "the work failed"
    return True


def _kill_at_every_change(program: Program, home: Path) -> None:
    prepared = home / "prepared"
    prepared.mkdir(parents=True)
    program.before(prepared)
    for number in range(1, MOST):
        folder = home / str(number)
        shutil.copytree(prepared, folder, symlinks=True)
        if _run_killed(program, folder, number):
            return
    raise AssertionError(f"{home.name} makes more than {MOST} changes")


if __name__ == "__main__":
    _home, _module, *_names = sys.argv[1:]
    for _name in _names:  # in one process, because imports take longest
        _kill_at_every_change(getattr(importlib.import_module(_module), _name), Path(_home, _name))
