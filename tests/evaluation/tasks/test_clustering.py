from __future__ import annotations

import numpy as np
import pytest
from made import toy_model

from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks.clustering import SEEDS, ClusteringSet, kmeans, purity, run


def test_purity_by_hand() -> None:
    clusters = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    classes = np.array(["a", "a", "b", "b", "c", "c", "c", "c"])

    # 2 of 3, 1 of 2 and 3 of 3 belong to the most frequent class of their cluster.
    assert purity(clusters, classes) == 6 / 8


def test_kmeans_finds_what_is_far_apart_and_is_a_function_of_the_seed() -> None:
    rng = np.random.default_rng(3)
    points = np.concatenate([rng.normal(10 * place, 0.1, size=(9, 4)) for place in range(5)]).astype(np.float32)
    truth = np.repeat(np.arange(5), 9)

    found = kmeans(points, 5, np.random.default_rng(1))

    assert purity(found, truth) == 1.0
    assert len(set(found)) == 5
    assert np.array_equal(found, kmeans(points, 5, np.random.default_rng(1)))


def test_kmeans_does_not_get_worse_with_steps() -> None:
    points = np.random.default_rng(0).normal(size=(60, 3)).astype(np.float32)
    found = kmeans(points, 6, np.random.default_rng(0))
    means = np.array([points[found == cluster].mean(axis=0) for cluster in range(6)])

    nearest = ((points[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    assert np.array_equal(nearest, found)


@pytest.mark.parametrize("k", [1, 3, 4])
def test_equal_points_are_no_trouble(k: int) -> None:
    found = kmeans(np.zeros((4, 2), dtype=np.float32), k, np.random.default_rng(0))

    assert set(found) <= set(range(k))


WAY = toy_model({"cat": [1, 0.1], "dog": [2, 0.1], "car": [0.1, 5], "bus": [0, 1]})


def test_all_words_and_known_words() -> None:
    classes = np.array(["animal", "animal", "thing", "thing", "thing"])
    scores = run(WAY, ClusteringSet("made", ["cat", "dog", "car", "bus", "van"], classes), 0)

    assert (scores.n, scores.known, scores.seeds) == (5, 4, SEEDS)
    assert SEEDS >= 10
    assert scores.values["purity_known"] == 100
    assert 0 < (scores.values["purity"] or 0) < 100  # the unknown word is a zero in the wrong place, now and then
    assert scores.spread["purity_known"] == 0


def test_no_word_known() -> None:
    with pytest.raises(NoOverlapError, match="No word of made is in toy"):
        run(WAY, ClusteringSet("made", ["x", "y"], np.array(["a", "b"])), 0)
