from __future__ import annotations

import pytest

from everyword.evaluation.tasks.extrinsic.spans import span_scores, spans_of, token_accuracy

GOLD = [["B-PER", "I-PER", "O", "B-LOC"], ["B-ORG", "I-ORG", "I-ORG"], ["O", "B-PER", "B-PER"]]
# Right: PER 0-2, and both of the last sentence's. Wrong: LOC taken for ORG, ORG cut in two.
PREDICTED = [["B-PER", "I-PER", "O", "B-ORG"], ["B-ORG", "O", "I-ORG"], ["O", "B-PER", "B-PER"]]


def test_scores_equal_those_counted_by_hand() -> None:
    scores = span_scores(GOLD, PREDICTED)

    assert scores["precision"] == pytest.approx(100 * 3 / 6)  # 2 + 2 + 2 spans predicted
    assert scores["recall"] == pytest.approx(100 * 3 / 5)  # 2 + 1 + 2 spans in the gold
    assert scores["f1"] == pytest.approx(2 * 50 * 60 / 110)
    assert token_accuracy(GOLD, PREDICTED) == pytest.approx(100 * 8 / 10)


def test_nothing_predicted_scores_zero_and_gold_scores_a_hundred() -> None:
    nothing = [["O"] * len(tags) for tags in GOLD]

    assert set(span_scores(GOLD, nothing).values()) == {0.0}
    assert set(span_scores(nothing, nothing).values()) == {0.0}
    assert set(span_scores(GOLD, GOLD).values()) == {100.0}


def test_an_inside_of_another_type_begins_a_span() -> None:
    assert spans_of(["B-PER", "I-LOC", "I-LOC"]) == {(0, 1, "PER"), (1, 3, "LOC")}
    assert spans_of([]) == set()
