"""Two systems on the same items."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.evaluation.compare import ItemResults, compare_items, correlation, label_correlation
from everyword.evaluation.distributions import f_tail
from everyword.evaluation.paired import bootstrap_statistic, paired_bootstrap
from everyword.evaluation.significance import analysis_of_variance, holm, one_sample_t

GOLD = ("N", "V", "N", "A", "N", "V") * 20
WORDS = ("dog", "run", "cat", "red", "mat", "sit") * 20
SENTENCES = tuple(place // 6 for place in range(120))


def results(name: str, wrong: str, becomes: str) -> ItemResults:
    """A system that is right except that it takes one label for another."""
    predicted = tuple(becomes if label == wrong else label for label in GOLD)
    right = np.array([one == other for one, other in zip(GOLD, predicted, strict=True)], dtype=float)
    return ItemResults(name, right, WORDS, GOLD, predicted, SENTENCES)


def test_a_comparison_tells_how_much_where_and_on_which_words() -> None:
    found = compare_items(results("a", "A", "N"), results("b", "V", "N"), samples=500)
    assert (found.n, found.first, found.second) == (120, pytest.approx(100 * 5 / 6), pytest.approx(100 * 2 / 3))
    assert found.difference.difference == pytest.approx(100 / 6)
    assert found.difference.p < 0.01
    assert found.both == pytest.approx(50)
    assert found.only_first == pytest.approx(100 / 3)
    assert found.only_second == pytest.approx(100 / 6)
    assert found.neither == 0
    assert [pair.name for pair in found.labels] == ["A", "V", "N"]
    assert found.labels[0][1:] == (20, 0, 100)
    assert {pair.name for pair in found.words[:3]} == {"red", "run", "sit"}
    assert found.words[0].n == 20
    assert found.label_r is not None
    assert found.label_r < 0
    assert found.sentence_r is None  # all sentences are alike
    assert found.sentences == 20


def test_rare_labels_have_no_profile() -> None:
    one, other = results("a", "A", "N"), results("b", "V", "N")
    assert label_correlation(one, other, least=21) is None
    assert compare_items(replace(one, gold=None), other, samples=10).label_r is None
    assert correlation([1, 2], [2, 1]) is None
    assert correlation([1, 1, 1], [1, 2, 3]) is None


def test_only_the_same_items_are_compared() -> None:
    one = results("a", "A", "N")
    short = ItemResults("b", one.scores[:5])
    with pytest.raises(InputError, match="a has 120, b 5"):
        compare_items(one, short)
    with pytest.raises(InputError, match="Item 1 has 'dog' in a and 'x' in b"):
        compare_items(one, replace(one, name="b", words=("x",) * 120))
    with pytest.raises(InputError, match="a has 1 words for 120 items"):
        replace(one, words=("x",))
    with pytest.raises(InputError, match="has no items"):
        ItemResults("a", np.array([]))


def test_the_bootstrap_covers_what_it_should() -> None:
    rng = np.random.default_rng(0)
    first = rng.normal(1, 1, size=400)
    found = paired_bootstrap(first, np.zeros(400), samples=2000)
    error = first.std() / 20
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.1)
    assert found.p == pytest.approx(2 / 2001)
    assert found == paired_bootstrap(first, np.zeros(400), samples=2000)
    chance = rng.normal(0, 1, size=400)
    assert paired_bootstrap(chance - chance.mean(), np.zeros(400), samples=2000).p > 0.5


def test_words_of_a_sentence_count_as_one_draw() -> None:
    sentences = np.repeat(np.arange(50), 20)
    by_sentence = np.random.default_rng(0).normal(size=50)[sentences]
    alone = paired_bootstrap(by_sentence, np.zeros(1000), samples=1000)
    together = paired_bootstrap(by_sentence, np.zeros(1000), sentences, samples=1000)
    assert together.high - together.low > 3 * (alone.high - alone.low)
    assert together.difference == pytest.approx(alone.difference)


def test_a_statistic_that_is_no_mean_has_an_interval_too() -> None:
    values = np.random.default_rng(0).normal(size=200)
    found = bootstrap_statistic(lambda rows: float(np.median(values[rows])), 200, samples=300)
    assert found.low < found.difference < found.high


def test_bootstraps_refuse_other_items() -> None:
    with pytest.raises(InputError, match="for each of the same items"):
        paired_bootstrap(np.zeros(3), np.zeros(4))
    with pytest.raises(InputError, match="for each of the same items"):
        paired_bootstrap(np.zeros(0), np.zeros(0))


def test_means_over_restarts_are_tested_against_a_baseline_and_each_other() -> None:
    assert one_sample_t([70.0, 71.0, 72.0, 71.5], 60.0) < 0.001
    assert one_sample_t([5.0, 5.0], 5.0) == 1
    assert one_sample_t([5.0, 5.0], 4.0) == 0
    assert holm([0.5, 0.01]) == [0.5, 0.02]
    same, apart = ([[1.0, 2.0, 3.0]] * 2, [[1.0, 1.1, 0.9], [9.0, 9.1, 8.9]])
    assert analysis_of_variance(same) == (0.0, 1.0)
    assert analysis_of_variance(apart)[1] < 1e-5
    assert analysis_of_variance([[1.0, 1.0], [2.0, 2.0]])[1] == 0
    assert f_tail(0.5, 3, 20) == pytest.approx(0.6866, abs=1e-4)
    with pytest.raises(InputError, match="two values or more"):
        one_sample_t([1.0], 0.0)
    with pytest.raises(InputError, match="two groups or more"):
        analysis_of_variance([[1.0, 2.0]])
