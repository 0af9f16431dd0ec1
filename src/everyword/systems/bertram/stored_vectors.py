"""Vectors of contexts, computed once and kept in parts on disk: the encoder is frozen, so they do not change."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.atomic import write_atomic
from everyword.extras import require
from everyword.learning.interrupt import Interrupt
from everyword.learning.processes import Processes

PART = 4096
FOLDER = "contexts-{}"


class KeptVectors:
    """Rows of the parts as if they were one matrix; only what is asked for is read."""

    def __init__(self, parts: Sequence[FloatArray]) -> None:
        self._parts = parts

    def rows(self, places: IndexArray) -> FloatArray:
        """The vectors at some places."""
        found = np.empty((len(places), self._parts[0].shape[1]), dtype=np.float32)
        part_of = places // PART
        for part in np.unique(part_of):
            mine = part_of == part
            found[mine] = self._parts[part][places[mine] % PART]
        return found


def keep_vectors(
    compute: Callable[[int, int], FloatArray],
    count: int,
    *,
    run_folder: Path,
    stamp: str,
    processes: Processes,
    show_progress: bool,
) -> KeptVectors | None:
    """Compute the vectors from one place to another, part by part, those left out that an earlier run has made.

    The parts of several processes are made side by side. None if Ctrl-C came first; what was made is kept.
    """
    folder = run_folder / FOLDER.format(stamp[:16])
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:06}.npy" for number in range(-(-count // PART))]
    tqdm = require("tqdm", "The progress bar").tqdm
    with tqdm(total=count, desc="contexts", disable=not show_progress, unit="context") as bar, Interrupt() as interrupt:
        for first in range(0, len(paths), processes.count):
            number = first + processes.rank
            if number < len(paths) and not paths[number].exists():
                _write(paths[number], compute(number * PART, min(count, (number + 1) * PART)))
            bar.update(min(count, (first + processes.count) * PART) - first * PART)
            if processes.any(interrupt.requested):
                return None
    processes.wait()
    return KeptVectors([np.load(path, mmap_mode="r") for path in paths])


def _write(path: Path, vectors: FloatArray) -> None:
    content = io.BytesIO()
    np.save(content, vectors)
    write_atomic(path, content.getvalue())
