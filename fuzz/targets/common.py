"""What the targets share: a folder for a moment, a table that must be sound, and a small model."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import numpy as np

from everyword.errors import ConfigError, EverywordError
from everyword.files import checksum
from everyword.models.model import Model
from everyword.models.saved import layout
from everyword.models.saved.read import read_model
from everyword.vectors import Problems, read_table

TESTS = str(Path(__file__).parents[2] / "tests")
WORDS = ["ban", "bann", "xyz", "", "plinness" * 9]
TEXTS = ["Ban the bann.", "", "xyz grin ban belo trust"]
LONGEST = 1000
"""Characters of a sentence; the bytes that are wrong must not be all of it."""
Reader = Callable[[Path], object]


@contextmanager
def a_folder() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@contextmanager
def one_sentence() -> Iterator[None]:
    """Let pass what is refused in one sentence."""
    refused: EverywordError | None = None
    try:
        yield
    except EverywordError as error:
        refused = error
    if refused is not None:
        sentence = str(refused)
        assert sentence.strip(), type(refused)
        assert "\n" not in sentence, sentence
        assert len(sentence) <= LONGEST or isinstance(refused, ConfigError), sentence  # that lists all problems


def read_file(data: bytes, name: str, *readers: Reader) -> None:
    """Give a file of this name to readers, one after the other; what yields rows is read to its end."""
    read_folder({name: data}, *(lambda folder, reader=reader: reader(folder / name) for reader in readers))


def read_folder(files: Mapping[str, bytes], *readers: Reader) -> None:
    """Give a folder with these files to readers, one after the other."""
    with a_folder() as folder:
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        for reader in readers:
            with one_sentence():
                found = reader(folder)
                if isinstance(found, Iterator):
                    deque(found, maxlen=0)


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
def sound_model() -> Model:
    """The small model of the tests."""
    if TESTS not in sys.path:
        sys.path.append(TESTS)
    from attacks.sound import small_model

    return small_model()


@cache
def _saved_model() -> Path:
    """The same, saved once."""
    folder = Path(tempfile.mkdtemp())
    sound_model().save_pretrained(folder)
    return folder


def read_as_model(changed: dict[str, bytes], *, signed: bool = True) -> None:
    """Read a saved model in which some files have other bytes, with checksums that say so."""
    with a_folder() as folder, suppress(EverywordError):
        shutil.copytree(_saved_model(), folder, dirs_exist_ok=True)
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


def read_as_part(key: str, data: bytes, described: Mapping[str, object]) -> None:
    """Read texts by a model that has these bytes as a part in a file of its own."""
    with a_folder() as folder, one_sentence():
        shutil.copytree(_saved_model(), folder, dirs_exist_ok=True)
        (folder / layout.PARTS[key]).write_bytes(data)
        path = folder / layout.CONFIG
        part = {**described, "checksum": checksum(folder / layout.PARTS[key])}
        path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), key: part}), encoding="utf-8")
        model = read_model(folder)
        assert model.encode_texts(TEXTS).shape == (len(TEXTS), model.dim)
        model.read(TEXTS[0])
