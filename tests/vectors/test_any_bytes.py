"""Whatever the bytes are, the answer is a table or one sentence."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.errors import InputError
from everyword.registry import vector_formats
from everyword.vectors import Problems, VectorTable, read_table

from .wink_sample import wink_json

DATA = Path(__file__).parent / "data"
TABLE = VectorTable(["the", "Straße", "x]"], np.arange(6, dtype=np.float32).reshape(3, 2) / 3)
SUFFIX = {"word2vec": ".vec", "word2vec-binary": ".bin", "glove": ".glove", "npy": ".npy", "compact": ".safetensors"}


def sound_bytes(name: str, path: Path) -> bytes:
    if name == "wink":
        return wink_json(TABLE)
    if name == "fasttext":
        return (DATA / "skipgram.bin").read_bytes()
    TABLE.save(path, format=name)
    return path.read_bytes()


def read_or_refuse(path: Path, format: str | None, lenient: bool) -> None:
    problems = Problems(lenient=lenient)
    try:
        table = read_table(path, format=format, problems=problems)
    except InputError:
        return
    assert np.isfinite(table.matrix).all()
    assert len(set(table.words)) == len(table.words) == len(table.matrix)


@pytest.mark.parametrize("name", vector_formats)
@given(places=st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=3)), max_size=4), lenient=st.booleans())
@settings(deadline=None, max_examples=60)
def test_damage_anywhere(name: str, places: list[tuple[float, bytes]], lenient: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"x{SUFFIX.get(name, '.any')}"
        content = sound_bytes(name, path)
        # The first 400 bytes are where headers stand, so that is where damage is interesting.
        for place, piece in places:
            at = int(place * min(len(content), 400))
            content = content[:at] + piece + content[at + len(piece or b"-") :]
        path.write_bytes(content)
        for format in (name, None):
            read_or_refuse(path, format, lenient)


@given(content=st.binary(max_size=60), prefix=st.sampled_from([b"", b"\x1f\x8b", b"PK\x03\x04", b"2 1\n", b"{"]))
@settings(deadline=None, max_examples=200)
def test_arbitrary_bytes(content: bytes, prefix: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        path.write_bytes(prefix + content)
        for format in (None, *vector_formats):
            read_or_refuse(path, format, lenient=True)
