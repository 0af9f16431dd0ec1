from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword.space.filling import RIDGES
from everyword.space.linear_map import LinearMap, fit_map
from everyword.vectors.neighbours import unit_rows


def directions(seed: int, count: int = 200, dim: int = 5) -> np.ndarray:
    return unit_rows(np.random.default_rng(seed).normal(size=(count, dim)).astype(np.float32))


def test_a_map_by_hand() -> None:
    swap = LinearMap(np.array([[0, 1], [1, 0]], np.float32), np.array([0, 0.5], np.float32), length=2.0)
    mapped = swap(np.array([[3, 0], [0, 0], [0, 1]], np.float32))
    np.testing.assert_allclose(mapped, [[0, 2], [0, 0], 2 / np.sqrt(1.25) * np.array([1, 0.5])], rtol=1e-6)


def test_a_rotation_is_found() -> None:
    source = directions(1)
    rotation = np.linalg.qr(np.random.default_rng(2).normal(size=(5, 5)))[0].astype(np.float32)
    fitted = fit_map(source, source @ rotation, length=1.0)
    assert fitted.ridge == min(RIDGES)
    new = directions(3)
    np.testing.assert_allclose(fitted.map(new), new @ rotation, atol=0.01)


def test_noise_asks_for_a_strong_ridge() -> None:
    assert fit_map(directions(1, 60, 40), directions(2, 60, 40), length=1.0).ridge == max(RIDGES)


def test_the_map_is_the_textbook_solution() -> None:
    source, target = directions(4), directions(5, dim=3)
    fitted = fit_map(source, target, length=1.0)
    about, target_about = (rows.astype(np.float64) - rows.mean(axis=0) for rows in (source, target))
    products = about.T @ about / len(source)
    ridged = products + fitted.ridge * np.trace(products) / 5 * np.eye(5)
    matrix = np.linalg.inv(ridged) @ about.T @ target_about / len(source)
    np.testing.assert_allclose(fitted.map.matrix, matrix, atol=1e-6)
    np.testing.assert_allclose(fitted.map.offset, target.mean(axis=0) - source.mean(axis=0) @ matrix, atol=1e-6)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 1000), st.floats(0.001, 1000), st.floats(0.1, 50))
def test_only_directions_count_and_all_lengths_are_one(seed: int, scale: float, length: float) -> None:
    source, target = directions(seed, 30, 4), directions(seed + 1, 30, 3)
    lengths = np.random.default_rng(seed).uniform(0.1, 10, size=(30, 1)).astype(np.float32)
    fitted = fit_map(source, target, length=length).map
    scaled = fit_map(source * np.float32(scale), target * lengths, length=length).map
    np.testing.assert_allclose(scaled(source * lengths), fitted(source), rtol=1e-3, atol=1e-3 * length)
    np.testing.assert_allclose(np.linalg.norm(fitted(source), axis=1), length, rtol=1e-5)


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_any_number_of_rows_can_be_mapped(rows: int) -> None:
    fitted = fit_map(directions(1), directions(2, dim=7), length=1.0).map
    mapped = fitted(directions(3)[:rows])
    assert mapped.shape == (rows, fitted.dim) == (rows, 7)
    assert mapped.dtype == np.float32
