"""Bands, regressions and coverage by the size of a resource."""

from __future__ import annotations

import math

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.evaluation.by_resource import band_of, bands, coverage, likelihood_ratio, regress
from everyword.evaluation.distributions import chi_squared_tail, t_quantile, t_tail


@pytest.mark.parametrize(("size", "band"), [(10, 3), (15.5 * 1024, 14), (11.32, 4), (11.31, 3), (1, 0), (0, None)])
def test_bands_are_rounded_logarithms(size: float, band: int | None) -> None:
    assert band_of(size) == band


def test_scores_in_bands() -> None:
    sizes = [0, 0, 1, 2, 2, 50, 60, 1000]
    values = np.arange(8.0)

    found = bands(sizes, lambda chosen: float(values[chosen].mean()), least=2)

    assert [(one.n, one.score) for one in found] == [(2, 0.5), (1, None), (2, 3.5), (2, 5.5), (1, None)]
    assert [one.name for one in found] == ["0", "1", "2", "46-90", "725-1,448"]
    wide = bands(sizes, lambda chosen: 0.0, width=3)
    assert [one.name for one in wide] == ["0", "1-5", "46-362", "363-2,896"]
    with pytest.raises(InputError, match="from 0 up"):
        bands([-1.0], lambda chosen: 0.0)


def test_bands_of_sizes_below_one() -> None:
    assert [one.name for one in bands([0.1, 0.2], lambda chosen: 0.0)] == ["0.088-0.18", "0.18-0.35"]


def test_a_regression_is_the_closed_form_of_a_line() -> None:
    sizes, scores = [2, 4, 8, 16, 32], [1.0, 2.5, 2.0, 4.0, 5.5]
    x, y = np.log2(sizes), np.array(scores)
    slope = ((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum()
    left = y - y.mean() - slope * (x - x.mean())
    error = math.sqrt((left @ left) / 3 / ((x - x.mean()) ** 2).sum())

    found = regress({"size": sizes}, scores)

    assert found["size"].value == pytest.approx(slope)
    assert found.intercept == pytest.approx(y.mean() - slope * x.mean())
    assert found["size"].high - found["size"].value == pytest.approx(3.182446 * error, rel=1e-6)
    assert found["size"].p == pytest.approx(t_tail(slope / error, 3))
    assert found.r_squared == pytest.approx(np.corrcoef(x, y)[0, 1] ** 2)
    assert found.n == 5
    assert not found.warnings


def test_p_values_of_two_sizes_are_those_of_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for t in (0.1, 1.3, 2.5, 7.0):
        for freedom in (1, 2, 3, 10, 31, 500):
            assert t_tail(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), abs=1e-12)
            assert chi_squared_tail(t, freedom) == pytest.approx(stats.chi2.sf(t, freedom), rel=1e-9)
    for freedom in (1, 4, 97):
        assert t_quantile(0.05, freedom) == pytest.approx(stats.t.isf(0.025, freedom))


def test_a_collinear_size_flips_its_sign_and_raises_a_warning() -> None:
    rng = np.random.default_rng(1)
    training = rng.uniform(5, 15, 40)
    wiki = training + rng.normal(0, 0.3, 40)
    scores = 4 * training - 1 * wiki + rng.normal(0, 0.5, 40)
    sizes = {"training": (2**training).tolist(), "wiki": (2**wiki).tolist()}

    alone = regress({"wiki": sizes["wiki"]}, scores)
    joint = regress(sizes, scores)

    assert alone["wiki"].low > 0
    assert joint["wiki"].high < 0
    assert not alone.warnings
    assert "training and wiki are collinear" in joint.warnings[0]
    assert joint["wiki"].inflation > 5


def test_a_likelihood_ratio_tells_whether_a_further_size_helps() -> None:
    rng = np.random.default_rng(2)
    one, other, noise = rng.uniform(1, 9, (3, 60))
    scores = 3 * one + 2 * other + rng.normal(size=60)
    sizes = {name: (2**x).tolist() for name, x in (("one", one), ("other", other), ("noise", noise))}
    small = regress({"one": sizes["one"]}, scores)
    both = regress({"one": sizes["one"], "other": sizes["other"]}, scores)

    assert likelihood_ratio(small, both) < 1e-6
    assert likelihood_ratio(both, regress(sizes, scores)) > 0.01
    with pytest.raises(InputError, match="compares a fit with one that has further sizes"):
        likelihood_ratio(both, small)


@pytest.mark.parametrize(
    ("sizes", "scores", "sentence"),
    [
        ({"a": [1, 2]}, [1, 2], "needs 3 scores. Got 2"),
        ({"a": [1, 2, 0]}, [1, 2, 3], "'a' must be above 0"),
        ({"a": [2, 2, 2]}, [1, 2, 3], "constant or depend on each other"),
        ({"a": [1, 2, 4, 8], "b": [2, 4, 8, 16]}, [1, 2, 3, 4], "sizes a, b are constant or depend"),
        ({"a": [1, 2, 3]}, [1, 2, math.nan], "finite"),
        ({}, [1, 2, 3], "at least one size"),
    ],
)
def test_what_cannot_be_regressed(sizes: dict[str, list[float]], scores: list[float], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        regress(sizes, scores)


def test_coverage_of_a_vocabulary() -> None:
    assert coverage(["a", "b", "c", "d"], {"a": 10, "b": 2, "x": 9}, [0, 2, 9]) == {0: 50.0, 2: 25.0, 9: 25.0}
    with pytest.raises(InputError, match="without words"):
        coverage([], {}, [1])
