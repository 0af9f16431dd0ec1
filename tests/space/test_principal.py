"""The principal space: what the paper on dimensional properties says must hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.errors import ConfigError, InputError
from everyword.space import AllButTheTop, Components, Pca, Pipeline, PrincipalSpace
from everyword.space.notation import read_steps
from everyword.space.principal import BLOCKS

from .test_steps import cosines, some_rows

seeds = st.integers(0, 10_000)


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_all_components_keep_the_products_of_centred_vectors(seed: int) -> None:
    rows = some_rows(seed)
    space = PrincipalSpace.fit(rows)
    centred, coordinates = rows - rows.mean(axis=0), space.keep(6).apply(rows)
    np.testing.assert_allclose(coordinates @ coordinates.T, centred @ centred.T, atol=1e-3)
    assert space.share == pytest.approx(1)
    assert (np.diff(space.variances) <= 0).all()


@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_the_thirds_put_together_are_the_table(seed: int) -> None:
    rows = some_rows(seed, dim=7)
    space = PrincipalSpace.fit(rows)
    thirds = [space.block(name) for name in BLOCKS]
    whole = sum(third.restore(third.apply(rows)) for third in thirds) + space.mean
    np.testing.assert_allclose(whole, rows, atol=1e-4)
    assert sum(map(len, thirds)) == 7
    assert sum(third.share for third in thirds) == pytest.approx(1)


@settings(max_examples=25, deadline=None)
@given(seed=seeds, count=st.integers(1, 4))
def test_cuts_are_the_steps_of_the_same_name(seed: int, count: int) -> None:
    rows = some_rows(seed)
    space = PrincipalSpace.fit(rows)
    removed = space.remove_top(count)
    after = AllButTheTop(count).fit(rows).apply(rows)
    np.testing.assert_allclose(removed.restore(removed.apply(rows)), after, atol=1e-4)
    np.testing.assert_allclose(space.keep(count).apply(rows), Pca(count).fit(rows).apply(rows), atol=1e-4)
    one = Components(first=count, last=count).fit(rows)
    np.testing.assert_allclose(space.component(count).apply(rows), one.apply(rows), atol=1e-4)


def test_top_removed_reduced_and_removed_again_is_a_block() -> None:
    rows = some_rows(3, count=200, dim=12)
    published = Pipeline.fit("all-but-the-top:2,pca:8,all-but-the-top:2", rows).apply(rows)
    block = PrincipalSpace.fit(rows).cut(4, 10).apply(rows)
    np.testing.assert_allclose(cosines(block), cosines(published), atol=1e-3)


def test_removing_what_is_removed_changes_nothing_but_the_whole_step_subtracts_its_mean_again() -> None:
    rows = some_rows(1)
    fitted = AllButTheTop(2).fit(rows)
    once = fitted.apply(rows)
    top = fitted.arrays["top"]
    np.testing.assert_allclose(once - (once @ top) @ top.T, once, atol=1e-5)
    assert np.abs(fitted.apply(once) - once).max() > 1e-3


def test_a_new_vector_goes_through_the_same_map() -> None:
    rows = some_rows(2)
    space = PrincipalSpace.fit(rows)
    new = np.random.default_rng(0).normal(size=(1, 6)).astype(np.float32)
    expected = [(new[0] - space.mean) @ space.basis[:, column] for column in (2, 3)]
    np.testing.assert_allclose(space.block("middle").apply(new)[0], expected, rtol=1e-4)


def test_components_in_notation() -> None:
    assert read_steps("components:first=3:last=5") == (Components(3, 5),)
    assert read_steps("components:2") == (Components(2),)
    assert Components(2).fit(some_rows(0)).dim_out == 5
    assert Components(2, 4).fit(some_rows(0)).facts["variance kept"] < 1


@pytest.mark.parametrize("text", ["components:0", "components:first=4:last=3"])
def test_impossible_components(text: str) -> None:
    with pytest.raises(ConfigError, match="first"):
        read_steps(text)


def test_more_components_than_there_are() -> None:
    with pytest.raises(InputError, match="ask for 6 or fewer"):
        Components(3, 9).fit(some_rows(0))
    space = PrincipalSpace.fit(some_rows(0))
    with pytest.raises(InputError, match=r"There are 6 components\. Got 1 to 7 instead"):
        space.keep(7)
    with pytest.raises(InputError, match="must be top, middle or bottom"):
        space.block("left")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"of dimension 6\. Got dimension 2"):
        space.apply(np.zeros((1, 2), dtype=np.float32))


@pytest.mark.parametrize(
    ("rows", "said"),
    [(np.ones((1, 3), np.float32), "two vectors or more"), (np.full((3, 2), np.nan, np.float32), "NaN or infinity")],
)
def test_nothing_to_fit_to(rows: np.ndarray, said: str) -> None:
    with pytest.raises(InputError, match=said):
        PrincipalSpace.fit(rows)


def test_one_dimension_and_no_variance() -> None:
    line = PrincipalSpace.fit(np.array([[1.0], [3.0]], dtype=np.float32))
    assert line.apply(np.array([[3.0]], dtype=np.float32)).tolist() == [[1.0]]
    assert PrincipalSpace.fit(np.ones((4, 3), dtype=np.float32)).share == 0
