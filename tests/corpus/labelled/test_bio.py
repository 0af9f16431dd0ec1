from __future__ import annotations

import pytest

from everyword.corpus.labelled.bio import (
    first_break,
    overlap_scores,
    repair_bio,
    span_scores,
    spans_of,
    token_accuracy,
)

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


@pytest.mark.parametrize(
    ("gold", "predicted", "strict", "relaxed", "kind"),
    [
        ("B-DATE I-DATE O", "B-DATE I-DATE O", 100, 100, 100),
        ("B-DATE I-DATE O", "B-TIME I-TIME O", 100, 100, 0),  # ends alone decide, then the type alone
        ("B-DATE I-DATE O", "O B-DATE I-DATE", 0, 100, 100),
        ("B-DATE I-DATE O", "O O B-DATE", 0, 0, 0),  # next to each other is no overlap
        ("B-DATE O B-SET", "B-DATE I-DATE I-DATE", 0, 100, 200 / 3),  # one guess over two: recall 1/2, precision 1
        ("B-DATE I-DATE I-DATE", "B-DATE O B-SET", 0, 100, 200 / 3),
        ("B-DATE O O", "B-DATE O B-DATE", 200 / 3, 200 / 3, 200 / 3),
        ("O O O", "B-DATE O O", 0, 0, 0),
        ("B-DATE O O", "O O O", 0, 0, 0),
    ],
)
def test_overlaps_count_as_in_tempeval(gold: str, predicted: str, strict: float, relaxed: float, kind: float) -> None:
    scores = overlap_scores([gold.split()], [predicted.split()])
    assert scores == pytest.approx({"strict": strict, "relaxed": relaxed, "type": kind})


def test_overlaps_are_counted_over_all_sentences_together() -> None:
    gold = [["B-DATE", "I-DATE"], ["B-DATE", "O"], ["B-SET", "O"]]
    predicted = [["B-DATE", "O"], ["B-DATE", "O"], ["O", "O"]]
    # Of three spans two are touched and one is exact; both guesses touch one.
    assert overlap_scores(gold, predicted) == pytest.approx({"strict": 40.0, "relaxed": 80.0, "type": 80.0})


@pytest.mark.parametrize(
    ("tags", "repaired"),
    [
        (["O", "I-X", "O"], ["O", "B-X", "O"]),
        (["I-X", "I-X"], ["B-X", "I-X"]),
        (["B-X", "I-Y"], ["B-Y", "I-Y"]),
        (["B-X", "I-X", "I-Y", "B-X"], ["B-Y", "I-Y", "I-Y", "B-X"]),
        (["B-X", "B-Y", "I-Y"], ["B-X", "B-Y", "I-Y"]),
        ([], []),
    ],
)
def test_repaired_tags_are_valid_and_stay_as_they_are(tags: list[str], repaired: list[str]) -> None:
    assert repair_bio(tags) == repaired
    assert repair_bio(repaired) == repaired
    assert first_break(repaired) is None
