"""What the targets share: a folder for a moment, a table that must be sound, and a small model."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import numpy as np

from everyword.errors import EverywordError
from everyword.files import checksum
from everyword.models.saved import layout
from everyword.models.saved.read import read_model
from everyword.vectors import Problems, read_table

TESTS = str(Path(__file__).parents[2] / "tests")
WORDS = ["ban", "bann", "xyz", "", "plinness" * 9]


@contextmanager
def a_folder() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def read_as_table(data: bytes, suffix: str, format: str | None, words: bytes | None = None) -> None:
    """Read a file of vectors, strictly and leniently."""
    with a_folder() as folder:
        path = folder / f"x{suffix}"
        path.write_bytes(data)
        if words is not None:
            (folder / "x.words.txt").write_bytes(words)
        for lenient in (False, True):
            with suppress(EverywordError):
                table = read_table(path, format=format, problems=Problems(lenient=lenient))
                assert np.isfinite(table.matrix).all()
                assert len(set(table.words)) == len(table.words) == len(table.matrix)
                "".join(table.words).encode("utf-8")


@cache
def _sound_model() -> Path:
    """The small model of the tests, saved once."""
    if TESTS not in sys.path:
        sys.path.append(TESTS)
    from attacks.sound import small_model

    folder = Path(tempfile.mkdtemp())
    small_model().save_pretrained(folder)
    return folder


def read_as_model(changed: dict[str, bytes], *, signed: bool = True) -> None:
    """Read a saved model in which some files have other bytes, with checksums that say so."""
    with a_folder() as folder, suppress(EverywordError):
        shutil.copytree(_sound_model(), folder, dirs_exist_ok=True)
        for name, data in changed.items():
            (folder / name).write_bytes(data)
        if signed:
            described = json.loads((folder / layout.CONFIG).read_text(encoding="utf-8"))
            described["files"] = {name: checksum(folder / name) for name in described["files"]}
            (folder / layout.CONFIG).write_text(json.dumps(described), encoding="utf-8")
        model = read_model(folder)
        vectors = model.encode(WORDS)
        assert vectors.shape == (len(WORDS), model.dim)
        model.explain("bann")
