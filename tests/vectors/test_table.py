from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import InputError, UnknownNameError
from everyword.vectors import VectorTable


def test_looks_up_words(small_table: VectorTable) -> None:
    assert len(small_table) == 7
    assert small_table.dim == 3
    assert "東京" in small_table
    assert "Tokyo" not in small_table
    assert list(small_table) == small_table.words
    assert np.array_equal(small_table["東京"], small_table.matrix[2])
    assert np.array_equal(small_table.get("東京"), small_table.matrix[2])
    assert small_table.get("Tokyo") is None
    assert small_table.get("Tokyo", "none") == "none"


def test_unknown_word_is_a_short_error(small_table: VectorTable) -> None:
    with pytest.raises(UnknownNameError) as caught:
        small_table["Tokyo"]
    assert str(caught.value) == "The word 'Tokyo' is not in the table."
    assert isinstance(caught.value, KeyError)


@pytest.mark.parametrize("dtype", [np.float16, np.float64, ">f4"])
def test_other_floats_become_float32(dtype: str) -> None:
    assert VectorTable(["a"], np.ones((1, 2), dtype=dtype)).matrix.dtype == np.dtype(np.float32)


def test_float32_is_not_copied() -> None:
    matrix = np.ones((1, 2), dtype=np.float32)
    assert VectorTable(["a"], matrix).matrix is matrix


@pytest.mark.parametrize(
    ("words", "matrix", "said"),
    [
        (["a"], np.ones((1, 2), dtype=np.int8), "int8"),
        (["a"], np.ones(2, dtype=np.float32), "two-dimensional"),
        (["a"], [[1.0, 2.0]], "list"),
        (["a"], np.ones((1, 0), dtype=np.float32), "0 columns"),
        (["a", "b"], np.ones((1, 2), dtype=np.float32), "2 words, 1 rows"),
        (["a", "b", "a"], np.ones((3, 2), dtype=np.float32), "'a' twice"),
        (["a", 3], np.ones((2, 2), dtype=np.float32), "int"),
    ],
)
def test_constructor_validates(words: list[str], matrix: np.ndarray, said: str) -> None:
    with pytest.raises(InputError, match=said):
        VectorTable(words, matrix)


def test_head_is_a_view(small_table: VectorTable) -> None:
    head = small_table.head(2)
    assert head.words == ["the", "Straße"]
    assert np.shares_memory(head.matrix, small_table.matrix)
    assert len(small_table.head(100)) == 7
    with pytest.raises(InputError, match="-1"):
        small_table.head(-1)


def test_select_keeps_the_order_asked_for(small_table: VectorTable) -> None:
    chosen = small_table.select(["]", "the"])
    assert chosen.words == ["]", "the"]
    assert np.array_equal(chosen["the"], small_table["the"])
    assert len(small_table.select([])) == 0


def test_select_counts_and_names_missing_words(small_table: VectorTable) -> None:
    with pytest.raises(UnknownNameError) as caught:
        small_table.select(["the", *"abcdefg"])
    assert str(caught.value) == "7 of 8 words are not in the table: 'a', 'b', 'c', 'd', 'e', ..."
    with pytest.raises(InputError, match="twice"):
        small_table.select(["the", "the"])


def test_unit_vectors_of_extreme_and_zero_rows() -> None:
    matrix = np.array([[0, 0], [3, 4], [3e38, 3e38], [1e-45, 0]], dtype=np.float32)
    unit = VectorTable(list("abcd"), matrix).unit()
    assert unit.matrix.dtype == np.float32
    expected = [[0, 0], [0.6, 0.8], [2**-0.5, 2**-0.5], [1, 0]]
    assert np.allclose(unit.matrix, expected, atol=1e-6)


def test_nearest_gives_words_and_cosines() -> None:
    table = VectorTable(["east", "north", "nowhere"], np.array([[2, 0], [0, 3], [0, 0]], dtype=np.float32))
    (first, second) = table.nearest(np.array([[5.0, 0.1], [0, 0]]), 2)
    assert [word for word, _ in first] == ["east", "north"]
    assert first[0][1] == pytest.approx(0.9998, abs=1e-4)
    assert second == [("east", 0.0), ("north", 0.0)]


def test_repr_says_the_size(small_table: VectorTable) -> None:
    assert repr(small_table) == "VectorTable(7 words, dim 3)"
