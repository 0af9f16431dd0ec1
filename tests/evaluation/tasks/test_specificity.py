"""Scores of specificity and of the direction of entailment, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import toy_model, write

from everyword.errors import InputError
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks.specificity import (
    EntailmentSet,
    SpecificitySet,
    accuracy_by_length,
    best_threshold,
    run,
    run_direction,
    score_direction,
    score_measure,
)

VECTORS = {"the": [0.1, 0.0], "man": [1.0, 0.0], "surgeon": [3.0, 1.0], "walks": [0.0, 1.0]}
RATED = "score\tbinary\ttext\n1.0\t1\tthe man\n2.5\t1\tthe man walks\n4.0\t2\tthe surgeon walks\n"
LABELLED = (
    "part\tlabel\ttext\ntrain\tgeneral\tthe man\ntrain\tspecific\tsurgeon\n"
    "rest\tspecific\tthe surgeon\nrest\tgeneral\tman man man man\n"
)


def test_ratings_are_scored_by_their_ranks(tmp_path: Path) -> None:
    data = SpecificitySet.load(write(tmp_path / "rated.tsv", RATED))
    scores = run(toy_model(VECTORS), data, 0)
    assert scores.values == {
        "score": pytest.approx(100),
        "within_length": None,
        "score_mean": pytest.approx(50),  # .55, .51, 1.22: "the man walks" is shorter than "the man"
        "score_length": pytest.approx(100 * np.sqrt(3) / 2),  # two texts of three words
    }
    assert (scores.n, scores.known) == (3, 3)
    assert score_measure(-data.ratings, data)["score"] == pytest.approx(-100)


def test_labels_are_scored_above_a_threshold_of_the_train_part(tmp_path: Path) -> None:
    data = SpecificitySet.load(write(tmp_path / "labelled.tsv", LABELLED))
    scores = run(toy_model(VECTORS), data, 0)
    # Train: 1.1 general, 3.16 specific. Test: 3.26 is rightly specific, 4 wrongly.
    assert scores.values["score"] == pytest.approx(50)
    assert score_measure(np.array([0, 1, 1, 0.0]), data)["score"] == pytest.approx(100)


def test_the_threshold_has_most_texts_on_their_side_and_never_splits_equal_ones() -> None:
    equal = np.array([1.0, 1.0, 1.0, 2.0]), np.array([False, True, False, True])
    assert best_threshold(*equal) == pytest.approx(1.5)
    assert best_threshold(np.array([3.0, 4.0]), np.array([True, True])) < 3
    assert best_threshold(np.array([3.0, 4.0]), np.array([False, False])) > 4
    assert best_threshold(np.array([1.0, 2.0, 2.0, 5.0]), np.array([False, False, True, True])) in (1.5, 3.5)


def test_within_a_length_the_length_says_nothing() -> None:
    lengths = np.array([2, 2, 3, 3, 4, 4])
    specific = np.array([False, True] * 3)
    assert accuracy_by_length(lengths.astype(float), specific, lengths) == pytest.approx(50)
    assert accuracy_by_length(specific + 0.0, specific, lengths) == pytest.approx(100)
    assert accuracy_by_length(specific + 0.0, specific, np.array([1, 1, 5, 5, 9, 9])) is None


def test_pairs_of_equal_length_are_kept_and_their_direction_scored(tmp_path: Path) -> None:
    text = (
        "label\tpremise\thypothesis\nentailment\tthe surgeon walks\tthe man walks\nentailment\tthe man\tthe man\n"
        "neutral\tthe man\tthe surgeon\nneutral\tthe man walks\tthe man\ncontradiction\tsurgeon\tman\n"
    )
    data = EntailmentSet.load(write(tmp_path / "pairs.tsv", text))
    assert len(data.labels) == 4  # one pair is of unequal length
    scores = run_direction(toy_model(VECTORS), data, 0)
    assert scores.values == {"entailment": 75, "neutral": 0, "contradiction": 100}
    assert (scores.n, scores.known) == (4, 4)
    assert score_direction(np.array([1.0]), np.array([0.0]), ["neutral"])["entailment"] is None


def test_vectors_of_another_language_have_no_score(tmp_path: Path) -> None:
    data = SpecificitySet.load(write(tmp_path / "rated.tsv", RATED))
    with pytest.raises(NoOverlapError, match="No word of rated"):
        run(toy_model({"hund": [1.0]}), data, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("text\tscore\nbla\t1\n", "must name the columns"),
        ("score\tbinary\ttext\nx\t1\tbla\n", ":2: needs score"),
        ("score\tbinary\ttext\nnan\t1\tbla\n", ":2: needs score"),
        ("score\tbinary\ttext\n1\t1\t\n", ":2: needs score"),
        ("score\tbinary\ttext\n1\t1\ta\n1\t1\tb\n", "different ratings"),
        ("part\tlabel\ttext\ntrain\tvague\ta\n", ":2: needs part"),
        ("part\tlabel\ttext\ntrain\tgeneral\ta\ntrain\tspecific\tb\n", "of train and others"),
    ],
)
def test_wrong_files_of_texts_are_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        SpecificitySet.load(write(tmp_path / "wrong.tsv", text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("premise\thypothesis\na\tb\n", "must name the columns"),
        ("label\tpremise\thypothesis\nmaybe\ta\tb\n", ":2: needs label"),
        ("label\tpremise\thypothesis\nentailment\ta b\tb\n", "no entailment between texts of equal length"),
    ],
)
def test_wrong_files_of_pairs_are_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        EntailmentSet.load(write(tmp_path / "wrong.tsv", text))
