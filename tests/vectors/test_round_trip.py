"""What is written comes back exactly, in every format that can be written."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from everyword.errors import InputError
from everyword.registry import vector_formats
from everyword.vectors import VectorTable, guess, open_rows, read_table

SUFFIX = {"word2vec": ".vec", "word2vec-binary": ".bin", "glove": ".glove", "npy": ".npy", "compact": ".safetensors"}
READ_ONLY = {"fasttext", "wink"}
BLANKS = " \t\n\v\f\r"

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=BLANKS), min_size=1, max_size=12).filter(
    lambda word: not word.startswith("\ufeff")
)
finite = arrays.arrays(
    np.float32,
    st.tuples(st.integers(1, 6), st.integers(1, 5)),
    elements=st.floats(width=32, allow_nan=False, allow_infinity=False),
)


def test_every_registered_format_is_covered() -> None:
    assert set(SUFFIX) | READ_ONLY == set(vector_formats)
    for name in vector_formats:
        form = vector_formats.get(name)
        assert form.name == name
        assert form.description
        assert (form.open_sink is None) == (name in READ_ONLY)


@pytest.mark.parametrize("name", SUFFIX)
@given(matrix=finite, drawn=st.lists(words, min_size=6, max_size=6, unique=True))
@settings(deadline=None, max_examples=60)
def test_any_words_and_numbers(name: str, matrix: np.ndarray, drawn: list[str]) -> None:
    table = VectorTable(drawn[: len(matrix)], matrix)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table{SUFFIX[name]}"
        table.save(path)
        again = read_table(path, format=name)
        assert again.words == table.words
        # Bits, not values: a minus zero stays one.
        assert again.matrix.tobytes() == table.matrix.tobytes()
        del again


@pytest.mark.parametrize("name", SUFFIX)
def test_saved_files_are_recognised(name: str, tmp_path: Path, small_table: VectorTable) -> None:
    path = tmp_path / f"table{SUFFIX[name]}"
    small_table.save(path)
    assert guess(path).name == name
    assert VectorTable.load(path).words == small_table.words


@pytest.mark.parametrize("name", ["word2vec", "word2vec-binary", "npy", "compact"])
def test_a_table_without_rows(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"empty{SUFFIX[name]}"
    VectorTable([], np.empty((0, 4), dtype=np.float32)).save(path)
    table = read_table(path, format=name)
    assert (len(table), table.dim) == (0, 4)


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
@pytest.mark.parametrize("name", ["word2vec", "word2vec-binary", "glove"])
def test_compressed(name: str, suffix: str, tmp_path: Path, small_table: VectorTable) -> None:
    path = tmp_path / f"table{SUFFIX[name]}{suffix}"
    small_table.save(path)
    assert guess(path).name == name
    assert read_table(path).matrix.tobytes() == small_table.matrix.tobytes()
    first = path.read_bytes()
    small_table.save(path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("name", SUFFIX)
@pytest.mark.parametrize("limit", [0, 1, 2500, 5000, 9000])
def test_limit_and_streaming_over_several_blocks(name: str, limit: int, tmp_path: Path) -> None:
    matrix = np.random.default_rng(0).standard_normal((5000, 4)).astype(np.float32)
    table = VectorTable([f"w{row}" for row in range(5000)], matrix)
    path = tmp_path / f"table{SUFFIX[name]}"
    table.save(path)
    expected = table.head(limit)
    part = read_table(path, limit=limit)
    assert part.words == expected.words
    assert np.array_equal(part.matrix, expected.matrix)
    with open_rows(path, limit=limit) as rows:
        assert rows.dim == 4
        assert rows.count == (None if name == "glove" else min(limit, 5000))
        assert [word for block, _ in rows for word in block] == expected.words


def test_npy_is_mapped_and_numpy_reads_it(tmp_path: Path, small_table: VectorTable) -> None:
    small_table.save(tmp_path / "table.npy")
    table = read_table(tmp_path / "table.npy")
    assert isinstance(table.matrix, np.memmap)
    assert isinstance(read_table(tmp_path / "table.npy", limit=2).matrix, np.memmap)
    assert np.array_equal(np.load(tmp_path / "table.npy"), small_table.matrix)


@pytest.mark.parametrize("dtype", [np.float16, np.float64, ">f4"])
def test_npy_of_another_float_type_is_converted(dtype: str, tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([[1, 2], [3, 4]], dtype=dtype))
    (tmp_path / "x.words.txt").write_bytes(b"\xef\xbb\xbfa\r\nb\r\n")
    table = read_table(tmp_path / "x.npy")
    assert table.words == ["a", "b"]
    assert table.matrix.dtype == np.dtype(np.float32)
    assert table.matrix.tolist() == [[1, 2], [3, 4]]


def test_glove_words_with_blanks(tmp_path: Path) -> None:
    table = VectorTable([". . .", "the", "at name@domain.com", " x", "5", "1 b"], np.eye(6, 3, dtype=np.float32))
    table.save(tmp_path / "x.glove")
    assert guess(tmp_path / "x.glove").name == "glove"
    assert read_table(tmp_path / "x.glove").words == table.words


@given(
    matrix=finite,
    drawn=st.lists(st.text("ab. 5-\x00é\xa0", min_size=1, max_size=8), min_size=6, max_size=6, unique=True),
)
@settings(deadline=None, max_examples=150)
def test_glove_keeps_or_refuses_any_word_with_blanks(matrix: np.ndarray, drawn: list[str]) -> None:
    table = VectorTable(drawn[: len(matrix)], matrix)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.glove"
        try:
            table.save(path)
        except InputError:
            return
        again = read_table(path, format="glove")
        assert again.words == table.words
        assert again.matrix.tobytes() == table.matrix.tobytes()
