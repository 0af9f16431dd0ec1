from __future__ import annotations

import numpy as np
import pytest
from tiny import tiny_table

from everyword.config import build
from everyword.errors import ConfigError
from everyword.systems.spelling.examples import RANK_OFFSET, AugmentationConfig, Examples
from everyword.systems.spelling.related_words import NONE
from everyword.text.mixed import MixedUnitsConfig
from everyword.text.units import PAD
from everyword.text.vocabulary import VocabularyConfig, build_units

WORDS = tiny_table().words
UNITS = build_units(WORDS, VocabularyConfig(size=150), MixedUnitsConfig())
NOBODY = np.full((len(WORDS), 3), NONE, dtype=np.int32)
PAPER = {"swap": 0.07, "drop": 0.07, "insert": 0.07, "keyboard": 0.07, "synonym": 0.36, "unchanged": 0.36}


def examples(shares: dict[str, float], **changes: object) -> Examples:
    arguments = {"synonyms": NOBODY, "negatives": NOBODY, "negatives_per_word": 3, "seed": 4} | changes
    return Examples(WORDS, UNITS, AugmentationConfig(shares), **arguments)


def spelt(ids: np.ndarray) -> str:
    units = [UNITS.units[unit] for unit in ids if unit != PAD]
    return "".join(units[1 : units.index("[SUB]")])


def test_the_default_shares_are_the_papers() -> None:
    assert AugmentationConfig().shares == PAPER


def test_each_augmentation_is_shown_as_often_as_the_paper_says() -> None:
    synonyms = NOBODY.copy()
    synonyms[:, 0] = (np.arange(len(WORDS)) + 7) % len(WORDS)
    source = examples(PAPER, synonyms=synonyms)
    counts = {"unchanged": 0, "synonym": 0, "misspelt": 0}
    draws = 0
    for step in range(330):
        rows, ids = source.batch(0, step, np.arange(len(WORDS), dtype=np.int32))
        for row, shown in zip(rows, ids, strict=True):
            word = spelt(shown)
            kind = "unchanged" if word == WORDS[row] else "synonym" if word == WORDS[synonyms[row, 0]] else "misspelt"
            counts[kind] += 1
            draws += 1
    # Some misspellings give the word itself or another listed word back (drop the s of "bans"), hence the margin.
    for kind, share in (("unchanged", 0.36), ("synonym", 0.36), ("misspelt", 0.28)):
        deviation = (share * (1 - share) / draws) ** 0.5
        assert abs(counts[kind] / draws - share) < 3 * deviation + 0.01, kind


def test_a_batch_is_a_function_of_seed_epoch_and_step_alone() -> None:
    anchors = np.arange(50, dtype=np.int32)
    one, other = examples(PAPER), examples(PAPER)
    other.batch(0, 0, anchors)  # a batch drawn before must not matter
    for first, second in zip(one.batch(2, 5, anchors), other.batch(2, 5, anchors), strict=True):
        np.testing.assert_array_equal(first, second)
    assert not np.array_equal(one.batch(2, 5, anchors)[1], one.batch(2, 6, anchors)[1])
    np.testing.assert_array_equal(one.anchors(3), other.anchors(3))
    assert sorted(one.anchors(3)) == list(range(len(WORDS)))
    assert not np.array_equal(one.anchors(3), one.anchors(4))


def test_hard_negatives_join_the_batch_and_no_word_is_in_it_twice() -> None:
    negatives = NOBODY.copy()
    negatives[:, 0], negatives[:, 1] = 100, 101
    rows, _ = examples({"unchanged": 1.0}, negatives=negatives).batch(0, 0, np.array([1, 2, 100], dtype=np.int32))
    assert set(rows) <= {1, 2, 100, 101}
    assert {1, 2, 100} <= set(rows)
    assert len(rows) == len(set(rows))


def test_no_hard_negatives_when_none_are_asked_for() -> None:
    negatives = np.full_like(NOBODY, 100)
    source = examples({"unchanged": 1.0}, negatives=negatives, negatives_per_word=0)
    assert source.batch(0, 0, np.array([1, 2], dtype=np.int32))[0].tolist() == [1, 2]


def test_hard_negatives_may_be_targets_only() -> None:
    negatives = np.full_like(NOBODY, 100)
    source = examples({"unchanged": 1.0}, negatives=negatives, show_negatives=False)
    rows, ids = source.batch(0, 0, np.array([2, 1], dtype=np.int32))
    assert rows.tolist() == [1, 2, 100]
    assert [spelt(shown) for shown in ids] == [WORDS[1], WORDS[2]]
    assert source.batch(0, 0, np.array([100, 2], dtype=np.int32))[0].tolist() == [2, 100]


def test_frequent_words_are_drawn_more_often_by_the_power_of_their_rank() -> None:
    source = examples({"unchanged": 1.0}, frequency_power=5.0)
    drawn = np.concatenate([source.anchors(epoch) for epoch in range(400)])
    counts = np.bincount(drawn, minlength=len(WORDS))
    expected = (np.arange(len(WORDS)) + RANK_OFFSET) ** -5.0
    expected *= len(drawn) / expected.sum()
    assert len(source.anchors(0)) == len(WORDS)
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()
    np.testing.assert_array_equal(source.anchors(7), source.anchors(7))


def test_a_word_without_synonyms_is_shown_as_it_is() -> None:
    rows, ids = examples({"synonym": 1.0}).batch(0, 0, np.arange(20, dtype=np.int32))
    assert [spelt(row) for row in ids] == [WORDS[row] for row in rows]


def test_a_batch_is_no_wider_than_its_longest_word() -> None:
    _, ids = examples({"unchanged": 1.0}).batch(0, 0, np.arange(20, dtype=np.int32))
    assert (ids[:, -1] != PAD).any()


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({"swap": 0.5}, "sum to 1. Got 0.5"),
        ({"swap": 1.5, "drop": -0.5}, "shares.drop must be 0 or more. Got -0.5 instead"),
        ({"shuffle": 1.0}, "no augmentation 'shuffle'"),
    ],
)
def test_shares_that_are_no_distribution_are_refused(shares: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build(AugmentationConfig, {"shares": shares})
