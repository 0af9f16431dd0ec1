"""Search in the common space, compared with a search without blocks."""

from __future__ import annotations

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.space.alignment import retrieval
from everyword.vectors.neighbours import unit_rows

DRAW = np.random.default_rng(2)
SOURCE, TARGET = (unit_rows(DRAW.normal(size=(count, 8))) for count in (70, 3000))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval, "SCORES_AT_ONCE", 40_000)


@pytest.mark.parametrize("k", [1, 10])
def test_mean_similarities_are_those_of_a_full_sort(k: int) -> None:
    for rows, others in ((SOURCE, TARGET), (TARGET, SOURCE)):
        slow = np.sort(rows @ others.T, axis=1)[:, -k:].mean(axis=1)
        np.testing.assert_allclose(retrieval.mean_similarities(rows, others, k), slow, atol=1e-5)


def test_csls_ranks_as_its_definition() -> None:
    cosines = SOURCE @ TARGET.T
    of_source, of_target = (np.sort(matrix, axis=1)[:, -10:].mean(axis=1) for matrix in (cosines, cosines.T))
    csls = 2 * cosines - of_source[:, None] - of_target[None, :]
    found, scores = retrieval.best(SOURCE, TARGET, retrieval.penalties(SOURCE, TARGET))
    np.testing.assert_array_equal(found, csls.argmax(axis=1))
    np.testing.assert_allclose(2 * scores - of_source, csls.max(axis=1), atol=1e-4)


def test_ranks_count_what_is_better_than_the_best_right_row() -> None:
    order = np.argsort(-(SOURCE @ TARGET.T), axis=1)
    right = [[row[0]] if index % 3 == 0 else [row[7], row[2]] for index, row in enumerate(order)]
    [ranks] = retrieval.best_ranks(SOURCE, TARGET, right)
    np.testing.assert_array_equal(ranks, [1 if index % 3 == 0 else 3 for index in range(len(SOURCE))])


def test_ranks_by_csls_come_from_the_same_product() -> None:
    penalty = retrieval.penalties(SOURCE, TARGET)
    first, _ = retrieval.best(SOURCE, TARGET, penalty)
    _, ranks = retrieval.best_ranks(SOURCE, TARGET, [[row] for row in first.tolist()], penalty)
    np.testing.assert_array_equal(ranks, np.ones(len(SOURCE)))


def test_without_a_right_row_or_a_direction_the_rank_is_0() -> None:
    queries = np.zeros((2, 8), dtype=np.float32)
    queries[0, 0] = 1
    np.testing.assert_array_equal(retrieval.best_ranks(queries, TARGET, [[], [0]])[0], [0, 0])


def test_equal_targets_count_against_the_right_one() -> None:
    same = np.repeat(SOURCE[:1], 4, axis=0)
    np.testing.assert_array_equal(retrieval.best_ranks(SOURCE[:1], same, [[2]])[0], [4])


def test_nothing_to_search_in_is_refused() -> None:
    with pytest.raises(InputError, match="no target vectors"):
        retrieval.best(SOURCE, TARGET[:0])
