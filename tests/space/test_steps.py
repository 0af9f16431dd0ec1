"""Post-processing steps: values by hand, and what their papers say must hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.arrays import FloatArray
from everyword.errors import ConfigError, EverywordError, InputError, UnknownNameError
from everyword.space import AllButTheTop, Centre, Pca, Pipeline, Spectrum, UnitRows, Whiten, postprocess
from everyword.space.notation import read_merger, read_steps
from everyword.vectors.table import VectorTable

CROSS = np.array([[5, 1], [1, 1], [3, 2], [3, 0]], dtype=np.float32)
"""Mean (3, 1); variance 2 along the first axis and 0.5 along the second."""

seeds = st.integers(0, 10_000)


def some_rows(seed: int, count: int = 60, dim: int = 6) -> FloatArray:
    rng = np.random.default_rng(seed)
    stretched = rng.normal(size=(count, dim)) * np.linspace(3, 0.5, dim)
    rows: FloatArray = (stretched @ rotation(rng, dim) + rng.normal(size=dim)).astype(np.float32)
    return rows


def rotation(rng: np.random.Generator, dim: int) -> np.ndarray:
    return np.linalg.qr(rng.normal(size=(dim, dim)))[0]


def cosines(rows: FloatArray) -> FloatArray:
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units @ units.T


def test_centre_by_hand() -> None:
    fitted = Centre().fit(CROSS)
    assert fitted.apply(CROSS).tolist() == [[2, 0], [-2, 0], [0, 1], [0, -1]]
    assert fitted.facts["length of the mean"] == pytest.approx(10**0.5)


def test_unit_rows_by_hand() -> None:
    rows = np.array([[3, 4], [0, 0]], dtype=np.float32)
    np.testing.assert_allclose(UnitRows().fit(rows).apply(rows), [[0.6, 0.8], [0, 0]], rtol=1e-6)


def test_all_but_the_top_by_hand() -> None:
    fitted = AllButTheTop(1).fit(CROSS)
    np.testing.assert_allclose(fitted.apply(CROSS), [[0, 0], [0, 0], [0, 1], [0, -1]], atol=1e-6)
    assert fitted.facts["variance removed"] == pytest.approx(0.8)


def test_pca_by_hand() -> None:
    fitted = Pca(1).fit(CROSS)
    np.testing.assert_allclose(fitted.apply(CROSS), [[2], [-2], [0], [0]], atol=1e-6)
    assert fitted.facts["variance kept"] == pytest.approx(0.8)


def test_spectrum_by_hand() -> None:
    rows = np.array([[2, 0], [0, 1]], dtype=np.float32)
    # XᵀX / n = diag(2, 0.5); α = 0.5 scales the axes by √2 and √½.
    np.testing.assert_allclose(Spectrum(0.5).fit(rows).apply(rows), [[8**0.5, 0], [0, 0.5**0.5]], rtol=1e-6)


def test_whiten_by_hand() -> None:
    rows = np.array([[4, 0], [0, 2]], dtype=np.float32)
    # XᵀX / n = diag(8, 2), its mean 5, so the axes have spread 1.6 and 0.4, and 2.6 and 1.4 with the brake.
    fitted = Whiten().fit(rows)
    np.testing.assert_allclose(fitted.apply(rows), [[4 / 2.6**0.5, 0], [0, 2 / 1.4**0.5]], rtol=1e-6)
    assert fitted.facts["strongest to weakest"] == pytest.approx((2.6 / 1.4) ** 0.5)


def test_whiten_of_power_0_changes_nothing() -> None:
    rows = some_rows(7)
    np.testing.assert_allclose(Whiten(power=0.0).fit(rows).apply(rows), rows, atol=1e-5)


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_whiten_with_hardly_a_brake_whitens_and_with_a_strong_one_only_scales(seed: int) -> None:
    rows = some_rows(seed)
    loose, strong = (Whiten(shrinkage=brake).fit(rows).apply(rows) for brake in (1e-6, 1e6))
    spread = loose.T @ loose / len(rows)
    np.testing.assert_allclose(spread / spread[0, 0], np.eye(rows.shape[1]), atol=1e-2)
    np.testing.assert_allclose(cosines(strong), cosines(rows), atol=1e-4)


def test_whiten_fitted_to_differences_shortens_the_direction_in_which_pairs_differ() -> None:
    rng = np.random.default_rng(0)
    words = rng.normal(size=(50, 4))
    pairs = words + rng.normal(size=(50, 1)) * [0, 0, 2.0, 0] + rng.normal(size=(50, 4)) * 0.05
    fitted = Whiten(shrinkage=0.5).fit((words - pairs).astype(np.float32))
    lengths = np.linalg.norm(fitted.apply(np.eye(4, dtype=np.float32)), axis=1)
    assert lengths[2] < 0.5 * lengths[[0, 1, 3]].min()
    np.testing.assert_allclose(lengths[[0, 1, 3]], lengths[0], rtol=0.01)


def test_whiten_of_nothing_but_zeros_is_no_division_by_zero() -> None:
    zeros = np.zeros((3, 2), dtype=np.float32)
    np.testing.assert_array_equal(Whiten().fit(zeros).apply(zeros), zeros)


@settings(max_examples=25, deadline=None)
@given(seed=seeds, components=st.integers(1, 4))
def test_all_but_the_top_leaves_nothing_of_what_it_removes(seed: int, components: int) -> None:
    rows = some_rows(seed)
    fitted = AllButTheTop(components).fit(rows)
    after = fitted.apply(rows)
    np.testing.assert_allclose(after @ fitted.arrays["top"], 0, atol=1e-5)
    np.testing.assert_allclose(after.mean(axis=0), 0, atol=1e-5)
    assert np.linalg.matrix_rank(after, tol=1e-3) == rows.shape[1] - components


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_spectrum_of_alpha_0_only_turns(seed: int) -> None:
    rows = some_rows(seed)
    fitted = Spectrum(0.0).fit(rows)
    turn = fitted.arrays["rotation"]
    np.testing.assert_allclose(turn.T @ turn, np.eye(len(turn)), atol=1e-5)
    np.testing.assert_allclose(cosines(fitted.apply(rows)), cosines(rows), atol=1e-5)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_spectrum_is_similarity_of_order_n(order: int) -> None:
    rows = some_rows(3, count=12)
    after = Spectrum((order - 1) / 2).fit(rows).apply(rows).astype(np.float64)
    expected = np.linalg.matrix_power(rows.astype(np.float64) @ rows.T / len(rows), order) * len(rows)
    np.testing.assert_allclose(after @ after.T, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


def test_spectrum_of_minus_a_half_whitens() -> None:
    rows = some_rows(4)
    after = Spectrum(-0.5).fit(rows).apply(rows)
    np.testing.assert_allclose(after.T @ after / len(rows), np.eye(rows.shape[1]), atol=1e-4)


def test_orders_multiply() -> None:
    rows = some_rows(5)
    twice = Pipeline.fit([Spectrum(-0.25), Spectrum(0.5)], rows).apply(rows)
    once = Spectrum((0.5 * 2 - 1) / 2).fit(rows).apply(rows)
    np.testing.assert_allclose(cosines(twice), cosines(once), atol=1e-4)


def test_a_direction_without_words_is_not_blown_up() -> None:
    flat = Pipeline.fit("all-but-the-top:2,spectrum:-0.5", some_rows(6))
    assert dict((fact, value) for _, fact, value in flat.facts)["directions"] == 4
    assert np.abs(flat.apply(some_rows(6))).max() < 10


@settings(max_examples=25, deadline=None)
@given(seed=seeds, dims=st.integers(1, 6))
def test_pca_keeps_the_share_that_it_says(seed: int, dims: int) -> None:
    rows = some_rows(seed)
    fitted = Pca(dims).fit(rows)
    kept = fitted.apply(rows).var(axis=0).sum() / rows.var(axis=0).sum()
    assert fitted.facts["variance kept"] == pytest.approx(kept, rel=1e-4)
    if dims == rows.shape[1]:
        centred = rows - rows.mean(axis=0)
        np.testing.assert_allclose(fitted.apply(rows) @ fitted.apply(rows).T, centred @ centred.T, atol=1e-3)


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_the_order_of_words_does_not_matter(seed: int) -> None:
    rows = some_rows(seed)
    order = np.random.default_rng(seed).permutation(len(rows))
    steps = "centre,all-but-the-top:1,pca:4,spectrum:-0.3,unit-rows"
    straight, mixed = (Pipeline.fit(steps, given).apply(given) for given in (rows, rows[order]))
    np.testing.assert_allclose(cosines(mixed), cosines(straight[order]), atol=1e-3)


def test_steps_are_fitted_to_the_first_words_and_applied_to_all() -> None:
    table = VectorTable(list("abcd"), CROSS)
    changed, record = postprocess(table, "centre", fit_on=2)
    assert changed.matrix.tolist() == [[2, 0], [-2, 0], [0, 1], [0, -1]]
    assert record.apply(np.array([[3.0, 1.0]])).tolist() == [[0, 0]]


def test_no_step_changes_nothing() -> None:
    table = VectorTable(list("abcd"), CROSS)
    changed, _ = postprocess(table, [])
    np.testing.assert_array_equal(changed.matrix, CROSS)


def test_fitting_says_what_it_does() -> None:
    told: list[str] = []
    postprocess(VectorTable(list("abcd"), CROSS), "centre,pca:1", report=told.append)
    assert told == [
        "fitting centre.v1 to 4 vectors of dimension 2",
        "fitting pca.v1 to 4 vectors of dimension 2",
        "applying 2 steps to 4 vectors",
    ]


def test_notation() -> None:
    assert read_steps(" centre, all-but-the-top:2 ,pca.v1:dims=3,") == (Centre(), AllButTheTop(2), Pca(3))
    assert read_steps(["spectrum:-0.3", Centre()]) == (Spectrum(-0.3), Centre())
    assert read_steps("whiten,whiten:0.3,whiten:shrinkage=2") == (Whiten(), Whiten(0.3), Whiten(shrinkage=2.0))
    assert repr(read_merger("geometric:join=concatenate:ridge=2")) == (
        "Geometric(join='concatenate', ridge=2.0, unit=True)"
    )


@pytest.mark.parametrize(
    ("steps", "kind", "sentence"),
    [
        ("center", UnknownNameError, "There is no post-processing step 'center': did you mean 'centre'?"),
        ("pca.v2:3", UnknownNameError, "There is no post-processing step 'pca.v2'"),
        ("pca", ConfigError, "the key 'dims' is missing"),
        ("pca:much", ConfigError, "'dims' must be a whole number. Got 'much' instead"),
        ("pca:0", ConfigError, "dims must be 1 or more. Got 0 instead"),
        ("pca:size=3", ConfigError, "unknown key 'size'"),
        ("pca:3", InputError, "3 dimensions cannot be kept of 4 vectors of dimension 2; ask for 2 or fewer."),
        ("all-but-the-top:2", InputError, "got 2 for vectors of dimension 2"),
        ("all-but-the-top:0", ConfigError, "components must be 1 or more"),
        ("spectrum:7", ConfigError, "alpha must be between -2 and 2. Got 7.0 instead"),
        ("whiten:2", ConfigError, "power must be between 0 and 1. Got 2.0 instead"),
        ("whiten:shrinkage=0", ConfigError, "shrinkage must be above 0. Got 0.0 instead"),
        ("centre:3", InputError, "The post-processing step 'centre' takes no value. Got 'centre:3'; write 'centre'."),
    ],
)
def test_refused_steps(steps: str, kind: type[EverywordError], sentence: str) -> None:
    with pytest.raises(kind) as caught:
        postprocess(VectorTable(list("abcd"), CROSS), steps)
    assert sentence in str(caught.value)


def test_refused_tables() -> None:
    bad = CROSS.copy()
    bad[2, 1] = np.nan
    with pytest.raises(InputError, match="The vector of 'c' holds NaN or infinity; leave it out or repair it"):
        postprocess(VectorTable(list("abcd"), bad), "centre")
    with pytest.raises(InputError, match="The vector in row 2 holds NaN"):
        Centre().fit(bad)
    with pytest.raises(InputError, match="The table has no words"):
        postprocess(VectorTable([], CROSS[:0]), "centre")
    with pytest.raises(InputError, match=r"'centre\.v1' cannot be fitted to 0 rows"):
        Centre().fit(CROSS[:0])
    with pytest.raises(InputError, match=r"at least 1 word\. Got 0"):
        postprocess(VectorTable(list("abcd"), CROSS), "centre", fit_on=0)


def test_a_record_of_another_dimension_is_refused() -> None:
    record = Pipeline.fit("centre", CROSS)
    with pytest.raises(
        InputError, match="fitted to vectors of dimension 2 and cannot be applied to those of dimension 3"
    ):
        record.apply(np.ones((1, 3), dtype=np.float32))
