from __future__ import annotations

import numpy as np
import pytest
from made import SQUARE, toy_model

from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks import analogy
from everyword.evaluation.tasks.analogy import RULES, AnalogySet, answers, run_analogy, three_cos_add, three_cos_mul
from everyword.vectors.neighbours import unit_rows

QUESTION = ("man", "king", "woman", "queen")


def questions(*rows: tuple[str, str, str, str]) -> AnalogySet:
    return AnalogySet("made", ["royal"] * len(rows), rows)


@pytest.mark.parametrize("rule", ["3cosadd", "3cosmul"])
def test_the_fourth_corner_of_the_square(rule: str) -> None:
    scores = run_analogy(toy_model(SQUARE), questions(QUESTION, ("king", "man", "queen", "woman")), 0)

    assert scores.values[rule] == 100
    assert scores.values[f"{rule}_known"] == 100
    assert (scores.n, scores.known) == (2, 2)
    assert scores.sections["royal"][rule] == 100


def brute_force(rule: str, units: np.ndarray, a: int, b: int, c: int) -> int:
    """One question, one candidate at a time, as the papers write it."""
    best, found = -np.inf, -1
    for x in range(len(units)):
        if x in (a, b, c):
            continue
        to_a, to_b, to_c = (float(units[x] @ units[word]) for word in (a, b, c))
        if rule == "3cosadd":
            score = to_b - to_a + to_c
        else:
            score = ((to_b + 1) / 2) * ((to_c + 1) / 2) / ((to_a + 1) / 2 + 0.001)
        if score > best:
            best, found = score, x
    return found


@pytest.mark.parametrize("block", [1, 7, 10_000])
@pytest.mark.parametrize("rule", ["3cosadd", "3cosmul"])
def test_blocks_answer_as_a_loop_does(rule: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analogy, "CANDIDATES_AT_ONCE", block)
    monkeypatch.setattr(analogy, "QUESTIONS_AT_ONCE", block)
    rng = np.random.default_rng(8)
    units = unit_rows(rng.normal(size=(40, 6)))
    asked = np.array([rng.choice(40, 3, replace=False) for _ in range(50)])

    found = answers(RULES[rule], units, asked, units, asked)

    assert found.tolist() == [brute_force(rule, units, *row) for row in asked.tolist()]


def test_question_words_are_never_the_answer() -> None:
    rng = np.random.default_rng(2)
    units = unit_rows(rng.normal(size=(5, 3)))
    asked = np.array([rng.choice(5, 3, replace=False) for _ in range(100)])
    for rule in RULES.values():
        found = answers(rule, units, asked, units, asked)
        assert not (found[:, None] == asked).any()


def test_every_question_counts_and_those_with_known_words_are_counted_apart() -> None:
    data = AnalogySet(
        "made",
        ["royal", "royal", "fruit", "fruit"],
        [
            QUESTION,
            ("man", "king", "womyn", "queen"),
            ("man", "king", "apple", "pear"),
            ("man", "king", "apple", "the"),
        ],
    )

    scores = run_analogy(toy_model(SQUARE), data, 0)

    # Right, without a vector for c, without d, wrong: one in four, and one of the two that could be answered.
    assert (scores.n, scores.known) == (4, 2)
    assert scores.values["3cosadd"] == 25
    assert scores.values["3cosadd_known"] == 50
    assert scores.sections["royal"] == pytest.approx({"n": 2, "known": 1, "3cosadd": 50, "3cosmul": 50, "only_c": 50})


def test_questions_about_grammar_and_about_meaning_have_scores_of_their_own() -> None:
    asked = [("man", "king", "woman", "queen"), ("man", "woman", "king", "queen"), ("king", "man", "queen", "man")]
    both = AnalogySet("toy", ["family", "gram1-toy", "gram1-toy"], asked)
    values = run_analogy(toy_model(SQUARE), both, 0).values
    assert (values["3cosmul_semantic"], values["3cosmul_syntactic"]) == (100, 50)
    assert "3cosmul_semantic" not in run_analogy(toy_model(SQUARE), questions(*asked), 0).values


def test_case_is_no_matter_for_a_lower_case_table() -> None:
    assert run_analogy(toy_model(SQUARE), questions(("Man", "King", "Woman", "Queen")), 0).values["3cosadd"] == 100


def test_the_first_candidates_only() -> None:
    # Without woman among the first three candidates its question cannot be answered.
    data = questions(QUESTION, ("man", "king", "king", "queen"))
    with_three = run_analogy(toy_model(SQUARE, candidates=3), data, 0)
    assert with_three.known == 1
    with pytest.raises(NoOverlapError, match="No question of made has all its words among the 1 candidates of toy"):
        run_analogy(toy_model(SQUARE, candidates=1), data, 0)


def test_the_two_rules_differ() -> None:
    cosines = np.array([[0.9, 0.0], [1.0, 0.3], [-0.9, 0.0]], dtype=np.float32)
    a, b, c = (np.array([row]) for row in range(3))

    assert three_cos_add(cosines)(a, b, c)[0] == pytest.approx([-0.8, 0.3])
    assert three_cos_mul(cosines)(a, b, c)[0] == pytest.approx([1 * 0.05 / 0.951, 0.65 * 0.5 / 0.501], rel=1e-5)
