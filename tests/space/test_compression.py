"""Pruning, packed matrices and methods to shrink a table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from everyword.errors import ConfigError, EverywordError, InputError
from everyword.space.compression.method import read_method
from everyword.space.compression.pruning import (
    magnitude_mask,
    mask_difference,
    prune,
    random_mask,
    rank_movement,
)
from everyword.space.compression.storage import Codes, Pruned
from everyword.space.pipeline import Pipeline
from everyword.space.steps.pca import Pca
from everyword.vectors.storage.sparse import SparseMatrix
from everyword.vectors.table import VectorTable

SHARES = (0.0, 0.1, 0.25, 0.5, 0.9)
some = np.random.default_rng(0).normal(size=(40, 20)).astype(np.float32)


@pytest.mark.parametrize("sparsity", SHARES)
def test_exactly_the_share_is_left_out(sparsity: float) -> None:
    assert (~magnitude_mask(some, sparsity)).sum() == round(sparsity * some.size)
    assert ((~magnitude_mask(some, sparsity, "row")).sum(axis=1) == round(sparsity * 20)).all()
    assert ((~magnitude_mask(some, sparsity, "column")).sum(axis=0) == round(sparsity * 40)).all()
    assert (~random_mask((40, 20), sparsity, seed=3)).sum() == round(sparsity * some.size)
    assert (~magnitude_mask(np.ones((4, 5), dtype=np.float32), sparsity)).sum() == round(sparsity * 20)


def test_what_stays_is_larger_than_what_goes() -> None:
    kept = magnitude_mask(some, 0.6)
    assert np.abs(some[kept]).min() >= np.abs(some[~kept]).max()
    by_row = magnitude_mask(some, 0.6, "row")
    for row, mask in zip(some, by_row, strict=True):
        assert np.abs(row[mask]).min() >= np.abs(row[~mask]).max()


def test_of_equal_numbers_exactly_as_many_go_as_must() -> None:
    matrix = np.array([[1, 1, 1, 2], [0, 3, 0, 0], [5, 5, 5, 5]], dtype=np.float32)
    assert magnitude_mask(matrix, 0.5, "row").tolist() == [
        [False, False, True, True],
        [False, True, False, True],
        [False, False, True, True],
    ]
    assert (~magnitude_mask(matrix, 0.5)).sum() == 6
    assert magnitude_mask(np.empty((0, 3), dtype=np.float32), 0.5, "row").shape == (0, 3)


def test_a_share_of_0_changes_nothing() -> None:
    assert np.array_equal(prune(some, 0), some)
    pruned = prune(some, 0.3)
    assert np.array_equal(pruned[pruned != 0], some[pruned != 0])


def test_difference_of_masks_and_movement_of_ranks() -> None:
    first = magnitude_mask(some, 0.5)
    assert mask_difference(first, first) == 0
    assert mask_difference(first, ~first) == 1
    assert rank_movement(some, some) == (0, 0)
    line = np.arange(1, 1001, dtype=np.float32)
    assert rank_movement(line, line[::-1].copy()).mean == pytest.approx(0.5, abs=0.01)
    assert rank_movement(np.empty(0), np.empty(0)) == (0, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: magnitude_mask(some, 1.0),
        lambda: magnitude_mask(some, -0.1),
        lambda: magnitude_mask(some, 0.5, "diagonal"),  # type: ignore[arg-type]
        lambda: mask_difference(np.ones(2, bool), np.ones(3, bool)),
        lambda: rank_movement(np.ones(2), np.ones(3)),
    ],
)
def test_impossible_pruning_is_refused(wrong: object) -> None:
    with pytest.raises(InputError):
        wrong()  # type: ignore[operator]


sparse = arrays.arrays(
    np.float32,
    st.tuples(st.integers(0, 6), st.integers(1, 19)),
    elements=st.one_of(st.just(0.0), st.floats(width=32, allow_nan=False, allow_infinity=False)),
)


@given(matrix=sparse, cut=st.tuples(st.integers(0, 7), st.integers(0, 7)))
@settings(deadline=None, max_examples=100)
def test_a_sparse_matrix_comes_back_whole_and_in_parts(matrix: np.ndarray, cut: tuple[int, int]) -> None:
    packed = SparseMatrix.pack(matrix)
    again = SparseMatrix.from_tensors(packed.to_tensors("x"), "x", matrix.shape[1])
    assert again.shape == matrix.shape
    assert np.array_equal(again.floats(), matrix)
    assert np.array_equal(again.floats(slice(*cut)), matrix[slice(*cut)])


@pytest.mark.parametrize("change", ["mask", "values", "dim", "bits", "nan"])
def test_damaged_sparse_tensors_are_refused(change: str) -> None:
    tensors, dim = dict(SparseMatrix.pack(some).to_tensors("x")), 20
    if change == "mask":
        tensors["x.mask"] = tensors["x.mask"][:, :2]
    elif change == "values":
        tensors["x.values"] = tensors["x.values"][:-1]
    elif change == "dim":
        dim = 0
    elif change == "bits":
        tensors["x.mask"] = tensors["x.mask"] | 1
    else:
        tensors["x.values"] = tensors["x.values"] * np.float32("nan")
    with pytest.raises(EverywordError, match="incomplete or of the wrong size"):
        SparseMatrix.from_tensors(tensors, "x", dim)


def test_methods_as_text() -> None:
    method = read_method("all-but-the-top:2,pca:8,prune:0.4:scope=row")
    assert [type(step).__name__ for step in method.steps] == ["AllButTheTop", "Pca"]
    assert method.storage == Pruned(0.4, "row")
    assert read_method("pq:8").storage == Codes(8)
    assert read_method("pca:3").steps == (Pca(3),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Got nothing"),
        ("int8,pca:3", "comes last"),
        ("int16", "There is no post-processing step 'int16'"),
        ("prune:1", "below 1"),
        ("prune:0.5:scope=all", "one of 'matrix', 'row', 'column'"),
        ("pq:0", "1 or more"),
        ("int8:3", "takes no value"),
    ],
)
def test_methods_that_make_no_sense(text: str, said: str) -> None:
    with pytest.raises((InputError, ConfigError, EverywordError), match=said):
        read_method(text)


@pytest.mark.parametrize("text", ["float32", "float16", "int8", "int4", "pq:10", "prune:0.3", "pca:6", "pca:6,int8"])
def test_what_a_method_keeps(text: str) -> None:
    table = VectorTable([f"w{number}" for number in range(40)], some)
    shrunk = read_method(text).apply(table)
    again = shrunk.table()
    expected = some if shrunk.record is None else shrunk.record.apply(some)
    assert again.words == table.words
    assert (shrunk.record is not None) == text.startswith("pca")
    assert np.corrcoef(again.matrix.ravel(), expected.ravel())[0, 1] > 0.9
    if isinstance(shrunk.record, Pipeline):
        assert again.dim == 6


def test_an_empty_table_and_nan_are_refused() -> None:
    with pytest.raises(InputError, match="nothing to shrink"):
        read_method("int8").apply(VectorTable([], np.empty((0, 3), dtype=np.float32)))
    with pytest.raises(InputError, match="'b' holds NaN"):
        read_method("int8").apply(VectorTable(["a", "b"], np.array([[1, 2], [np.nan, 0]], dtype=np.float32)))
