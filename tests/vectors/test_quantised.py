from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from everyword.errors import DamagedModelError
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.storage.quantised import QuantisedMatrix, read_matrix
from everyword.vectors.storage.quantising import Quantisation, balancing_rotation, pack, quantise
from everyword.vectors.storage.stored import StoredMatrix

QUICK = {"sample": 2000, "rounds": 4}


def clustered(rows: int = 1500, dim: int = 32) -> np.ndarray:
    """Made-up vectors with neighbours, as words have, and a spectrum that falls."""
    rng = np.random.default_rng(5)
    centres = rng.normal(size=(60, dim)) * np.linspace(2, 0.3, dim)
    return unit_rows(centres[rng.integers(0, 60, rows)] + 0.7 * rng.normal(size=(rows, dim)) * np.linspace(2, 0.3, dim))


def cosines(matrix: np.ndarray, again: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", unit_rows(matrix), unit_rows(again))


def test_more_bytes_and_a_rotation_render_vectors_better() -> None:
    matrix = clustered()
    turned, plain, fine = (
        cosines(matrix, quantise(matrix, Quantisation(**QUICK, **options)).floats()).mean()
        for options in ({"bytes": 8}, {"bytes": 8, "rotate": False}, {"bytes": 16})
    )
    assert 0.95 < plain < turned < fine
    assert fine > 0.99


def test_the_first_rows_may_be_finer() -> None:
    matrix = clustered()
    stored = quantise(matrix, Quantisation(bytes=8, fine_rows=500, fine_bytes=16, **QUICK))
    near = cosines(matrix, stored.floats())
    assert near[:500].mean() > 0.99 > near[500:].mean() > 0.95
    assert [level.codes.shape for level in stored.levels] == [(500, 16), (1000, 8)]
    assert stored.precision == "pq"
    assert stored.shape == matrix.shape
    np.testing.assert_allclose(np.linalg.norm(stored.floats(), axis=1), 1, atol=1e-6)
    rows = np.array([3, 1499, 499, 500, 3])
    np.testing.assert_allclose(stored.floats(rows), stored.floats()[rows], atol=1e-6)
    for some in (slice(490, 510), slice(0, 3), slice(1400, None), slice(None, None, 100), slice(9, 9)):
        np.testing.assert_allclose(stored.floats(some), stored.floats()[some], atol=1e-6)


def test_the_last_rows_may_be_coarser() -> None:
    matrix = clustered()
    options = Quantisation(bytes=8, fine_rows=500, fine_bytes=16, coarse_from=1000, coarse_bytes=4, **QUICK)
    stored = quantise(matrix, options)
    assert [level.codes.shape for level in stored.levels] == [(500, 16), (500, 8), (500, 4)]
    near = cosines(matrix, stored.floats())
    assert near[:500].mean() > near[500:1000].mean() > near[1000:].mean() > 0.8
    assert quantise(matrix[:900], options).shape == (900, matrix.shape[1])


def test_coarse_rows_do_not_begin_among_fine_ones() -> None:
    assert Quantisation(fine_rows=5, coarse_from=4).problems()
    assert not Quantisation(fine_rows=5, coarse_from=5).problems()


def test_the_same_seed_gives_the_same_codes() -> None:
    first, second = (quantise(clustered(400), Quantisation(bytes=8, sample=300, seed=7)) for _ in range(2))
    np.testing.assert_array_equal(first.levels[0].codes, second.levels[0].codes)


def test_a_space_that_is_balanced_needs_no_rotation_of_its_own() -> None:
    matrix = clustered()
    rotation = balancing_rotation(matrix, [8, 16])
    np.testing.assert_allclose(rotation.T @ rotation, np.eye(32), atol=1e-5)
    variances = np.log(np.square(matrix @ rotation).mean(axis=0))
    for size in (8, 16):
        balanced, before = (
            np.ptp(logs.reshape(size, -1).sum(axis=1)) for logs in (variances, np.sort(variances)[::-1])
        )
        assert balanced < before / 2
    turned = matrix @ rotation
    plain = quantise(turned, Quantisation(bytes=8, rotate=False, **QUICK))
    assert cosines(turned, plain.floats()).mean() > 0.95


@given(
    matrix=arrays(np.float32, st.tuples(st.integers(1, 12), st.integers(1, 9)), elements=st.floats(-9, 9, width=32)),
    size=st.integers(1, 12),
    fine_rows=st.integers(0, 13),
    rotate=st.booleans(),
)
@settings(deadline=None)
def test_few_rows_of_any_shape_are_kept(matrix: np.ndarray, size: int, fine_rows: int, rotate: bool) -> None:
    options = Quantisation(bytes=size, fine_rows=fine_rows, fine_bytes=size + 1, rotate=rotate, rounds=1)
    stored = quantise(matrix, options)
    lengths = np.linalg.norm(matrix.astype(np.float64), axis=1)
    # With fewer rows than pieces, each row has its own; numbers far below the length of their row may round to others.
    np.testing.assert_allclose(stored.floats(), matrix, atol=1e-3 + 2e-3 * lengths.max())
    again = read_matrix(stored.to_tensors("known"), "known")
    np.testing.assert_array_equal(again.floats(), stored.floats())
    rows = np.arange(len(matrix))[1::2]
    np.testing.assert_allclose(again.take(rows).floats(), stored.floats()[rows], atol=1e-5)


def test_rows_in_another_order_than_the_levels_are_floats() -> None:
    stored = quantise(clustered(300), Quantisation(bytes=8, fine_rows=100, fine_bytes=16, rounds=1))
    assert isinstance(stored.take(np.array([5, 250])), QuantisedMatrix)
    assert len(stored.take(np.array([200, 250])).levels) == 1
    mixed = stored.take(np.array([250, 5]))
    assert isinstance(mixed, StoredMatrix)
    np.testing.assert_allclose(mixed.floats(), stored.floats()[[250, 5]], atol=1e-6)


def test_lengths_that_differ_are_kept() -> None:
    matrix = clustered(300) * np.linspace(0, 5, 300)[:, None].astype(np.float32)
    stored = quantise(matrix, Quantisation(bytes=16, rounds=2))
    np.testing.assert_allclose(np.linalg.norm(stored.floats(), axis=1), np.linspace(0, 5, 300), rtol=1e-5, atol=1e-6)
    assert not stored.floats(slice(0, 1)).any()
    assert quantise(clustered(300) * 3, Quantisation(bytes=16, rounds=1)).lengths == pytest.approx([3])


def test_nothing_to_quantise_is_stored_as_floats() -> None:
    assert pack(np.empty((0, 3), dtype=np.float32), "pq").precision == "float32"
    assert pack(np.ones((2, 3), dtype=np.float32), "int8").precision == "int8"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("known.lengths", None),
        ("known.lengths", np.ones(7, dtype=np.float32)),
        ("known.lengths", np.array([np.nan], dtype=np.float32)),
        ("known.lengths", np.array([-1], dtype=np.float32)),
        ("known.rotation", np.ones((3, 3), dtype=np.float32)),
        ("known.codes0", np.ones((5, 9), dtype=np.uint8)),
        ("known.codes0", np.ones((0, 8), dtype=np.uint8)),
        ("known.codes0", np.ones((5, 8), dtype=np.int8)),
        ("known.codebook0.0", None),
        ("known.codebook0.0", np.full((8, 256, 4), np.inf, dtype=np.float32)),
        ("known.codebook0.0", np.ones((8, 255, 4), dtype=np.float32)),
        ("known.codebook0.0", np.ones((8, 256, 3), dtype=np.float32)),
        ("known.codebook1.0", None),
    ],
)
def test_damaged_tensors_are_one_sentence(name: str, value: np.ndarray | None) -> None:
    stored = quantise(clustered(300), Quantisation(bytes=4, fine_rows=100, fine_bytes=8, rounds=1))
    tensors = {key: array for key, array in stored.to_tensors("known").items() if key != name}
    if value is not None:
        tensors[name] = value
    with pytest.raises(DamagedModelError, match=r"^The quantised table 'known' of the model is incomplete or of the"):
        QuantisedMatrix.from_tensors(tensors, "known")
