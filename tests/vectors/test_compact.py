"""Packed vector files: what was packed comes back, however it is stored, and damage is one sentence."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from safetensors.numpy import save_file

from everyword.errors import InputError
from everyword.vectors import VectorTable, guess, open_rows, read_table
from everyword.vectors.formats.compact import MARK, write_compact
from everyword.vectors.storage.quantising import Quantisation, quantise
from everyword.vectors.storage.sparse import SparseMatrix
from everyword.vectors.storage.stored import StoredMatrix

PACKED = {
    "float32": lambda matrix: StoredMatrix.pack(matrix, "float32"),
    "float16": lambda matrix: StoredMatrix.pack(matrix, "float16"),
    "int8": lambda matrix: StoredMatrix.pack(matrix, "int8"),
    "int4": lambda matrix: StoredMatrix.pack(matrix, "int4"),
    "pq": lambda matrix: quantise(matrix, Quantisation(bytes=2, rounds=1)),
    "sparse": SparseMatrix.pack,
}
words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), min_size=1, max_size=8)
numbers = st.one_of(st.just(0.0), st.floats(-1000, 1000, width=16))
tables = arrays.arrays(np.float32, st.tuples(st.integers(1, 6), st.integers(2, 9)), elements=numbers)


@pytest.mark.parametrize("precision", PACKED)
@given(matrix=tables, drawn=st.lists(words, min_size=6, max_size=6, unique=True))
@settings(deadline=None, max_examples=40)
def test_what_was_packed_comes_back(precision: str, matrix: np.ndarray, drawn: list[str]) -> None:
    packed = PACKED[precision](matrix)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.safetensors"
        write_compact(path, drawn[: len(matrix)], packed)
        assert guess(path).name == "compact"
        table = VectorTable.load(path)
        assert table.words == drawn[: len(matrix)]
        np.testing.assert_allclose(table.matrix, packed.floats(), rtol=1e-5, atol=1e-5)
        assert read_table(path, limit=1).words == drawn[:1]


def test_rows_are_unpacked_block_by_block(tmp_path: Path) -> None:
    matrix = np.random.default_rng(0).normal(size=(5000, 4)).astype(np.float32)
    matrix[::3] = 0
    for precision, pack in PACKED.items():
        path = tmp_path / f"{precision}.safetensors"
        packed = pack(matrix)
        write_compact(path, [f"w{row}" for row in range(5000)], packed)
        with open_rows(path) as rows:
            assert (rows.dim, rows.count) == (4, 5000)
            blocks = [block for _, block in rows]
        assert len(blocks) > 1
        np.testing.assert_allclose(np.concatenate(blocks), packed.floats(), rtol=1e-4, atol=1e-5)


def write_raw(path: Path, tensors: dict[str, np.ndarray], **metadata: str) -> None:
    save_file(tensors, path, {"format": MARK, "version": "1", "dim": "2", **metadata})


TWO = {"words": np.frombuffer(b"a\nb\n", dtype=np.uint8), "vectors": np.eye(2, dtype=np.float32)}


@pytest.mark.parametrize(
    ("tensors", "metadata", "said"),
    [
        ({"vectors": TWO["vectors"]}, {}, "it has no words"),
        ({"words": TWO["words"]}, {}, "missing"),
        (TWO, {"version": "9"}, "version '9'"),
        ({**TWO, "vectors": np.ones(2, dtype=np.float32)}, {}, "not a matrix"),
        ({**TWO, "vectors": np.full((2, 2), np.nan, np.float32)}, {}, "cannot be numbers"),
        ({**TWO, "vectors": np.eye(3, dtype=np.float32)}, {}, "3 rows but there are 2 words"),
        ({"words": TWO["words"], "vectors.mask": np.ones((2, 1), np.uint8)}, {"dim": "x"}, "damaged or incomplete"),
        ({"words": TWO["words"], "vectors.mask": np.ones((2, 1), np.uint8)}, {}, "damaged or incomplete"),
    ],
)
def test_damage_is_one_sentence(
    tensors: dict[str, np.ndarray], metadata: dict[str, str], said: str, tmp_path: Path
) -> None:
    write_raw(tmp_path / "x.safetensors", tensors, **metadata)
    with pytest.raises(InputError, match=said):
        read_table(tmp_path / "x.safetensors")


def test_other_safetensors_are_not_taken_for_vectors(tmp_path: Path) -> None:
    save_file(TWO, tmp_path / "x.safetensors")
    with pytest.raises(InputError, match="not a known format"):
        guess(tmp_path / "x.safetensors")


def test_what_cannot_be_written(tmp_path: Path) -> None:
    matrix = StoredMatrix.pack(np.eye(2, dtype=np.float32), "int8")
    for path, drawn, said in (
        ("x.vec", ["a", "b"], r"must end in \.safetensors"),
        ("x.safetensors", ["a"], "1 words cannot go with 2 rows"),
        ("x.safetensors", ["a", "b\n"], "cannot store"),
        ("no/x.safetensors", ["a", "b"], "There is no folder"),
    ):
        with pytest.raises(InputError, match=said):
            write_compact(tmp_path / path, drawn, matrix)
    with pytest.raises(InputError, match="cannot be compressed again"):
        VectorTable(["a"], np.eye(1, dtype=np.float32)).save(tmp_path / "x.safetensors.gz")
    assert list(tmp_path.iterdir()) == []
