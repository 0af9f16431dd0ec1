"""A cache of context vectors on disk: the encoder is frozen, so each is computed once."""

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
"""Vectors per file."""
FOLDER = "contexts-{}"


class CachedVectors:
    """The vectors of all files as one matrix; only rows that are used are read."""

    def __init__(self, parts: Sequence[FloatArray]) -> None:
        self._parts = parts

    def rows(self, indices: IndexArray) -> FloatArray:
        """Return some of the vectors."""
        found = np.empty((len(indices), self._parts[0].shape[1]), dtype=np.float32)
        part_of = indices // PART
        for part in np.unique(part_of):
            mine = part_of == part
            found[mine] = self._parts[part][indices[mine] % PART]
        return found


def cache_vectors(
    compute: Callable[[int, int], FloatArray],
    count: int,
    *,
    run_folder: Path,
    fingerprint: str,
    processes: Processes,
    show_progress: bool,
) -> CachedVectors | None:
    """Compute `count` vectors, file by file, and skip files that an earlier run has written.

    Several processes write different files at the same time. Returns None after Ctrl-C; finished files stay.
    """
    folder = run_folder / FOLDER.format(fingerprint[:16])
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
    return CachedVectors([np.load(path, mmap_mode="r") for path in paths])


def _write(path: Path, vectors: FloatArray) -> None:
    content = io.BytesIO()
    np.save(content, vectors)
    write_atomic(path, content.getvalue())
