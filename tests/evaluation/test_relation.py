from __future__ import annotations

import pytest
from made import toy_way

from everyword.evaluation.analogy import AnalogySet
from everyword.evaluation.relation import run
from everyword.evaluation.task import NoOverlapError

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

    scores = run(toy_way(VECTORS), data, 0)

    assert (scores.n, scores.known) == (3, 3)
    assert scores.values["accuracy"] == 100
    assert scores.values["accuracy_known"] == 100
    # Nearest to cat are its whiskers, whatever the relation.
    assert scores.values["only_c"] == pytest.approx(100 / 3)
    # Two, two and one of three words are right.
    assert scores.values["chance"] == pytest.approx(100 * 5 / 9)


def test_an_unknown_word_cannot_win_by_being_zero() -> None:
    data = AnalogySet("made", ["s", "s"], [("puppy", "dog", "dog", "unheard"), ("dog", "puppy", "cat", "kitten")])

    scores = run(toy_way({"dog": [1, 0], "puppy": [2, 0], "cat": [1, 0], "kitten": [-1, 0]}), data, 0)

    assert (scores.n, scores.known) == (2, 1)
    assert scores.values["accuracy"] == 0


def test_nothing_known() -> None:
    with pytest.raises(NoOverlapError, match="No question of made has all its words in toy"):
        run(toy_way(VECTORS), AnalogySet("made", ["s"], [("p", "q", "r", "s")]), 0)
