from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.vectors import VectorTable, open_writer, read_table, write_table

ONE_ROW = np.ones((1, 2), dtype=np.float32)
SUFFIXES = [".vec", ".bin", ".glove", ".npy"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_count_is_filled_in_at_the_end(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    with open_writer(path, 2) as writer:
        writer.write(["a"], ONE_ROW)
        writer.write([], ONE_ROW[:0])
        writer.write(["b", "c"], np.array([[1, 2], [3, 4]], dtype=np.float64))
        assert not path.exists()
    table = read_table(path)
    assert table.words == ["a", "b", "c"]
    assert table.matrix.tolist() == [[1, 1], [1, 2], [3, 4]]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_failure_leaves_nothing_and_spares_the_old_file(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x{suffix}"
    VectorTable(["old"], ONE_ROW).save(path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(RuntimeError, match="power cut"), open_writer(path, 2) as writer:  # noqa: PT012
        writer.write(["new"], ONE_ROW)
        raise RuntimeError("power cut")
    with pytest.raises(InputError, match="promised"), open_writer(path, 2, count=2) as writer:
        writer.write(["new"], ONE_ROW)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_compressed_header_needs_the_count(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give count="), open_writer(tmp_path / "x.vec.gz", 2):
        pass
    assert not list(tmp_path.iterdir())
    with open_writer(tmp_path / "x.vec.gz", 2, count=1) as writer:
        writer.write(["a"], ONE_ROW)
    with open_writer(tmp_path / "x.glove.xz", 2) as writer:
        writer.write(["a"], ONE_ROW)
    assert read_table(tmp_path / "x.vec.gz").words == read_table(tmp_path / "x.glove.xz").words == ["a"]


@pytest.mark.parametrize(
    ("suffix", "word", "said"),
    [
        (".vec", "a b", "'a b' holds ' '.*save as .npy"),
        (".vec", "a\n", "holds"),
        (".bin", "a b", "'a b' holds ' '.*save as .npy"),
        (".bin", "\na", "holds"),
        (".glove", "a\nb", "holds"),
        (".glove", "a\tb", "holds"),
        (".glove", "a 5", "'a 5' ends in"),
        (".glove", "a nan(x)", "ends in"),
        (".glove", "a ", "ends in"),
        (".glove", "\ufeffa", "byte order mark"),
        (".npy", "a\nb", "holds"),
        (".npy", "\ufeffa", "byte order mark"),
        *((suffix, "", "empty word") for suffix in SUFFIXES),
        *((suffix, "\ud800", "surrogate") for suffix in SUFFIXES),
    ],
)
def test_words_that_would_not_come_back_are_refused(suffix: str, word: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        VectorTable([word], ONE_ROW).save(tmp_path / f"x{suffix}")
    assert not list(tmp_path.iterdir())


def test_npy_keeps_words_with_blanks(tmp_path: Path) -> None:
    VectorTable(["new york", " "], np.ones((2, 2), dtype=np.float32)).save(tmp_path / "x.npy")
    assert read_table(tmp_path / "x.npy").words == ["new york", " "]


def test_rows_are_checked(tmp_path: Path) -> None:
    def attempt(words: list[str], rows: np.ndarray) -> None:
        with open_writer(tmp_path / "x.vec", 2) as writer:
            writer.write(["first"], ONE_ROW)
            writer.write(words, rows)

    with pytest.raises(InputError, match="'first' was written before"):
        attempt(["first"], ONE_ROW)
    with pytest.raises(InputError, match="vector of 'bad' holds NaN"):
        attempt(["good", "bad"], np.array([[1, 2], [3, np.inf]], dtype=np.float32))
    with pytest.raises(InputError, match="shape"):
        attempt(["a", "b"], ONE_ROW)
    with pytest.raises(InputError, match="floats"):
        attempt(["a"], np.ones((1, 2), dtype=np.int8))
    assert not list(tmp_path.iterdir())


def test_where_and_how_to_write(tmp_path: Path, small_table: VectorTable) -> None:
    for path, format, said in [
        (tmp_path, "word2vec", "is a folder"),
        (tmp_path / "none" / "x.vec", None, "There is no folder"),
        (tmp_path / "x.unknown", None, "format is not clear from the name"),
        (tmp_path / "x.json", None, "'wink' can only be read; write one of word2vec, word2vec-binary, glove, npy"),
        (tmp_path / "x.bin", "fasttext", "can only be read"),
        (tmp_path / "x.npy.gz", None, r"named \*\.npy"),
    ]:
        with pytest.raises(InputError, match=said):
            write_table(small_table, path, format=format)
    with pytest.raises(InputError, match="at least 1"):
        open_writer(tmp_path / "x.vec", 0)
    with pytest.raises(InputError, match="not open"):
        open_writer(tmp_path / "x.vec", 2).write(["a"], ONE_ROW)
    with pytest.raises(InputError, match="at least one row"), open_writer(tmp_path / "x.glove", 2):
        pass
    assert not list(tmp_path.iterdir())


def test_text_uses_the_shortest_digits(tmp_path: Path) -> None:
    VectorTable(["a"], np.array([[0.1, 1e-45]], dtype=np.float32)).save(tmp_path / "x.txt")
    assert (tmp_path / "x.txt").read_bytes() == b"1 2\na 0.1 1e-45\n"
