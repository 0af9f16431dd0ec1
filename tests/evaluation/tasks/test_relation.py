from __future__ import annotations

import pytest
from made import toy_model

from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks.analogy import AnalogySet, offset_auc, run_relation

VECTORS = {
    "dog": [1.0, 0.0, 0.0],
    "puppy": [1.0, 0.0, 1.0],
    "cat": [0.0, 1.0, 0.0],
    "kitten": [0.0, 1.0, 1.0],
    "whiskers": [0.0, 1.0, 0.2],
    "kitty": [0.1, 1.0, 1.1],
}


def test_any_listed_answer_is_right_and_trivial_answers_stand_beside() -> None:
    data = AnalogySet(
        "made",
        ["young", "young", "part"],
        [("dog", "puppy", "cat", "kitten"), ("dog", "puppy", "cat", "kitty"), ("dog", "dog", "cat", "whiskers")],
    )

    scores = run_relation(toy_model(VECTORS), data, 0)

    assert (scores.n, scores.known) == (3, 3)
    assert scores.values["accuracy"] == 100
    assert scores.values["accuracy_known"] == 100
    # Nearest to cat are its whiskers, whatever the relation.
    assert scores.values["only_c"] == pytest.approx(100 / 3)
    # Two, two and one of three words are right.
    assert scores.values["chance"] == pytest.approx(100 * 5 / 9)


def test_an_unknown_word_cannot_win_by_being_zero() -> None:
    data = AnalogySet("made", ["s", "s"], [("puppy", "dog", "dog", "unheard"), ("dog", "puppy", "cat", "kitten")])

    scores = run_relation(toy_model({"dog": [1, 0], "puppy": [2, 0], "cat": [1, 0], "kitten": [-1, 0]}), data, 0)

    assert (scores.n, scores.known) == (2, 1)
    assert scores.values["accuracy"] == 0


def test_nothing_known() -> None:
    with pytest.raises(NoOverlapError, match="No question of made has all its words in toy"):
        run_relation(toy_model(VECTORS), AnalogySet("made", ["s"], [("p", "q", "r", "s")]), 0)


def test_offsets_of_one_relation_lie_together() -> None:
    vectors = {
        name: [x, y] for name, x, y in (("a", 0, 1), ("b", 1, 1), ("c", 0, 2), ("d", 1, 2), ("e", 2, 1), ("f", 2, 3))
    }
    across = [("a", "b", "c", "d"), ("c", "d", "a", "b")]
    up = [("e", "f", "b", "d"), ("b", "d", "e", "f")]
    model = toy_model({name: [x / 9, y / 9, 1] for name, (x, y) in vectors.items()})

    right = AnalogySet("made", ["across"] * 2 + ["up"] * 2, across + up)
    wrong = AnalogySet(
        "made",
        ["one", "one", "two", "two"],
        [("a", "b", "e", "f"), ("a", "b", "b", "d"), ("e", "f", "c", "d"), ("e", "f", "a", "b")],
    )

    assert offset_auc(right, model) == 1.0
    assert offset_auc(wrong, model) == 0.0
    assert offset_auc(right, toy_model({"x": [1.0, 0.0]})) == 0.5
    assert offset_auc(AnalogySet("made", ["s"], [("a", "b", "c", "d")]), model) == 0.5
