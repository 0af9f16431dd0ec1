"""Merging: values by hand, and what the papers say must hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.arrays import FloatArray
from everyword.errors import InputError, UnknownNameError
from everyword.space import Geometric, merge
from everyword.space.mergers.geometric import align
from everyword.vectors.table import VectorTable

from .test_steps import cosines, rotation, some_rows

A = VectorTable(["x", "y"], np.array([[3, 4], [0, 2]], dtype=np.float32))
B = VectorTable(["y", "z"], np.array([[1.0], [5.0]], dtype=np.float32))
seeds = st.integers(0, 10_000)


def table_of(rows: FloatArray, start: int = 0) -> VectorTable:
    return VectorTable([f"w{place}" for place in range(start, start + len(rows))], rows)


def two_views(count: int = 300) -> tuple[VectorTable, VectorTable, FloatArray]:
    """Two linear views of the same meanings; the second lacks the first fifty words, the first the last fifty."""
    rng = np.random.default_rng(1)
    meanings = rng.normal(size=(count, 5))
    first = (meanings @ rng.normal(size=(5, 8)) + 2).astype(np.float32)
    second = (meanings @ rng.normal(size=(5, 6)) - 1).astype(np.float32)
    return table_of(first[:-50]), table_of(second[50:], 50), second


def plain(method: str, **options: Any) -> VectorTable:
    return merge([A, B], method=method, prepare="", missing="zero", **options).table


def test_concatenate_by_hand() -> None:
    merged = plain("concatenate", weights=[1, 0.5])
    assert merged.words == ["x", "y", "z"]
    assert merged.matrix.tolist() == [[3, 4, 0], [0, 2, 0.5], [0, 0, 2.5]]


def test_average_by_hand_counts_only_who_has_the_word() -> None:
    assert plain("average", weights=[1, 3]).matrix.tolist() == [[3, 4], [0.75, 0.5], [5, 0]]


def test_intersection_by_hand() -> None:
    merged = plain("concatenate", vocabulary="intersection")
    assert (merged.words, merged.matrix.tolist()) == (["y"], [[0, 2, 1]])


def test_svd_by_hand() -> None:
    one = VectorTable(["x", "y"], np.array([[3.0], [0.0]], dtype=np.float32))
    two = VectorTable(["x", "y"], np.array([[0.0], [1.0]], dtype=np.float32))
    merged, record = merge([one, two], method="svd:1", prepare="", missing="zero")
    np.testing.assert_allclose(merged.matrix, [[3], [0]], atol=1e-6)
    assert record.facts["variance kept"] == pytest.approx(0.9)


def test_preparation_gives_sources_one_length() -> None:
    merged = merge([A, B], prepare="unit-rows", missing="zero").table
    np.testing.assert_allclose(merged["y"], [0, 1, 1])


def test_svd_of_all_dimensions_keeps_products() -> None:
    first, second, _ = two_views()
    whole = merge([first, second]).table.matrix
    cut, record = merge([first, second], method="svd:14")
    np.testing.assert_allclose(cut.matrix @ cut.matrix.T, whole @ whole.T, atol=1e-4)
    assert record.facts["variance kept"] == pytest.approx(1.0)


def test_missing_vectors_are_predicted() -> None:
    first, second, truth = two_views()
    merged, record = merge([first, second], prepare="")
    filled = merged.matrix[:50, 8:]
    error = np.square(filled - truth[:50]).sum() / np.square(truth[:50] - truth.mean(axis=0)).sum()
    assert error < 1e-3
    assert all(source.predicted is not None and source.predicted > 0.99 for source in record.sources)
    assert [source.words for source in record.sources] == [250, 250]
    assert (record.words, record.shared) == (300, 200)


def test_the_ridge_shrinks_what_cannot_be_predicted() -> None:
    rng = np.random.default_rng(0)
    noise = [table_of(rng.normal(size=(300, 4)).astype(np.float32), start) for start in (0, 20)]
    merged, record = merge(noise, prepare="centre")
    assert np.abs(merged.matrix[:20, 4:]).mean() < 0.2
    assert all(source.predicted is not None and abs(source.predicted) < 0.1 for source in record.sources)


def test_few_shared_words_are_enough_to_fill() -> None:
    merged, record = merge([A, B], prepare="")
    np.testing.assert_allclose(merged["x"], [3, 4, 1])  # one shared word: its vector is all that is known
    assert [source.predicted for source in record.sources] == [None, None]


@pytest.mark.parametrize("method", ["concatenate", "average", "svd:5", "geometric", "geometric:join=concatenate"])
@pytest.mark.parametrize("missing", ["ridge", "zero"])
def test_a_later_word_that_one_source_has(method: str, missing: Any) -> None:
    first, second, _ = two_views()
    merged, record = merge([first, second], method=method, missing=missing)
    np.testing.assert_allclose(record.apply([first.matrix[:3], None]), merged.matrix[:3], atol=1e-5)
    again = record.merge([None, second.select(second.words[-3:])])
    np.testing.assert_allclose(again.matrix, merged.matrix[-3:], atol=1e-5)
    assert np.abs(again.matrix).max() > 0


@settings(max_examples=25, deadline=None)
@given(seed=seeds, ridge=st.floats(1e-3, 1e3))
def test_geometric_is_a_rotation_for_each_source_and_one_metric(seed: int, ridge: float) -> None:
    x, z = some_rows(seed, dim=4).astype(np.float64), some_rows(seed + 1, dim=6).astype(np.float64)
    left, right = align(x.T @ x, z.T @ z, x.T @ z, ridge)
    metric = np.square(left).sum(axis=0)
    np.testing.assert_allclose(np.square(right).sum(axis=0), metric, rtol=1e-6)
    for side in (left, right):
        turn = side / np.sqrt(metric)
        np.testing.assert_allclose(turn.T @ turn, np.eye(4), atol=1e-6)
    # The closed form satisfies its own equation, XᵀX W ZᵀZ + C W = XᵀZ.
    w, strength = left @ right.T, ridge * np.trace(x.T @ x) / 4 * np.trace(z.T @ z) / 6
    np.testing.assert_allclose(x.T @ x @ w @ z.T @ z + strength * w, x.T @ z, atol=1e-8 * np.abs(x.T @ z).max())


@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_geometric_brings_a_turned_copy_back(seed: int) -> None:
    rows = some_rows(seed)
    turned = (rows @ rotation(np.random.default_rng(seed), rows.shape[1])).astype(np.float32)
    _, record = merge([table_of(rows), table_of(turned)], method=Geometric(ridge=1e-6), prepare="")
    np.testing.assert_allclose(record.apply([rows, None]), record.apply([None, turned]), atol=5e-3)


def test_geometric_survives_a_mirror_image() -> None:
    rows = some_rows(2)
    merger = Geometric(ridge=0.1, unit=False)
    average = merge([table_of(rows), table_of(-rows)], method="average", prepare="").table
    assert not average.matrix.any()
    mirrored = merge([table_of(rows), table_of(-rows)], method=merger, prepare="").table
    itself = merge([table_of(rows), table_of(rows)], method=merger, prepare="").table
    np.testing.assert_allclose(cosines(mirrored.matrix), cosines(itself.matrix), atol=1e-4)


def test_geometric_does_not_care_how_a_source_is_turned() -> None:
    first, second, _ = two_views()
    turn = rotation(np.random.default_rng(7), second.dim)
    turned = VectorTable(second.words, (second.matrix @ turn).astype(np.float32))
    straight, other = (merge([first, source], method="geometric").table.matrix for source in (second, turned))
    np.testing.assert_allclose(cosines(other), cosines(straight), atol=1e-3)


def test_three_sources() -> None:
    first, second, _ = two_views()
    third = VectorTable(first.words, first.matrix[:, ::-1].copy())
    for method in ("concatenate", "average", "svd:3", "geometric", "geometric:join=concatenate"):
        merged, record = merge([first, second, third], method=method, weights=[1, 0.5, 2])
        assert (len(merged), len(record.sources)) == (300, 3)
        assert np.isfinite(merged.matrix).all()
        assert record.apply([None, second.matrix[:2], None]).shape == (2, merged.dim)


@pytest.mark.parametrize("method", ["concatenate", "average", "svd:5", "geometric"])
def test_the_order_of_words_does_not_matter(method: str) -> None:
    first, second, _ = two_views()
    mixed = first.select(list(np.random.default_rng(3).permutation(first.words)))
    one, two = (merge([table, second], method=method).table for table in (first, mixed))
    np.testing.assert_allclose(cosines(two.select(one.words).matrix), cosines(one.matrix), atol=2e-3)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"weights": [1]}, "Each table needs one weight. Got 1 weights for 2 tables."),
        ({"weights": [1, 0]}, "Weights must be more than 0. Got 1, 0; leave out a table"),
        ({"weights": [1, float("nan")]}, "Weights must be more than 0. Got 1, nan"),
        ({"names": ["one"]}, "Each table needs one name. Got 1 names for 2 tables."),
        ({"vocabulary": "all"}, "The 'vocabulary' must be union or intersection. Got 'all' instead."),
        ({"missing": "mean"}, "The 'missing' must be ridge or zero. Got 'mean' instead."),
        ({"method": "svd:9"}, "9 dimensions cannot be kept of 3 vectors of dimension 3; ask for 3 or fewer."),
    ],
)
def test_refused_options(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        merge([A, B], **options)
    assert sentence in str(caught.value)


def test_refused_tables() -> None:
    stranger = VectorTable(["q"], np.ones((1, 2), dtype=np.float32))
    nan = VectorTable(["x"], np.array([[np.nan]], dtype=np.float32))
    with pytest.raises(InputError, match="The tables share no word from which"):
        merge([A, stranger])
    with pytest.raises(InputError, match="The tables share no word from which"):
        merge([A, stranger], method="geometric", missing="zero")
    with pytest.raises(InputError, match="share no word, so their intersection is empty"):
        merge([A, stranger], vocabulary="intersection")
    with pytest.raises(InputError, match=r"A merge needs at least 2 tables\. Got 1"):
        merge([A])
    with pytest.raises(InputError, match="source 2 has no words"):
        merge([A, VectorTable([], np.empty((0, 2), dtype=np.float32))])
    with pytest.raises(InputError, match="The vector of 'x' holds NaN"):
        merge([A, nan])
    with pytest.raises(UnknownNameError, match="There is no merger 'averag': did you mean 'average'"):
        merge([A, B], method="averag")


def test_what_does_not_fit_a_record_is_refused() -> None:
    _, record = merge([A, B], names=["one.vec", "two.vec"])
    with pytest.raises(InputError, match=r"merges 2 sources \(one\.vec, two\.vec\)\. Got 1 instead"):
        record.merge([A])
    with pytest.raises(InputError, match=r"source 'one\.vec' of this record has vectors of dimension 2"):
        record.merge([B, A])
    with pytest.raises(InputError, match=r"source 'two\.vec' of this record has vectors of dimension 1"):
        record.apply([None, np.ones((1, 3), dtype=np.float32)])
    with pytest.raises(InputError, match=r"a row for every word\. Got 1 rows and 2"):
        record.apply([A.matrix, B.matrix[:1]])
    with pytest.raises(InputError, match="no words; there is nothing to merge"):
        record.merge([None, None])
