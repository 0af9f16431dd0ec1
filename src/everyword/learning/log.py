"""One JSON object a line for each epoch, kept beside the checkpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from everyword.atomic import write_atomic


class TrainingLog:
    """Append-only; a resumed run goes on in the same file."""

    def __init__(self, path: Path, *, fresh: bool) -> None:
        self._path = path
        if fresh:
            path.unlink(missing_ok=True)
        elif path.is_file():  # whoever was killed may have left half a line
            whole, line_end, half = path.read_text(encoding="utf-8").rpartition("\n")
            if half:
                write_atomic(path, whole + line_end)

    def write(self, **values: Any) -> None:
        """Add one line, on disk before training goes on."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(values) + "\n")
