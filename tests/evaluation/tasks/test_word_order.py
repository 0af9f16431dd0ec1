"""Challenge sets of inference: groups, merged labels, and what a bag of words can know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made import toy_model, write

from everyword.errors import InputError
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks.word_order import (
    ChallengeSet,
    closeness_of,
    run,
    score_cases,
    score_closeness,
    score_labels,
)

HEADER = "label\tpremise\thypothesis\theuristic\tsubcase\n"
ROWS = "".join(
    f"{label}\tthe man saw the dog near {place}\tthe man saw the dog\t{heuristic}\t{label[0]}_{heuristic}\n"
    for place, heuristic in enumerate(("lexical_overlap", "subsequence", "constituent"))
    for label in ("entailment", "non-entailment", "non-entailment")
)
SAME = (
    "label\tpremise\thypothesis\tcategory\tlength\n"
    "entailment\tthe man is taller than the dog\tthe man is taller than the dog\tsame\tshort\n"
    "contradiction\tthe man is taller than the dog\tthe dog is taller than the man\tsame\tshort\n"
    "contradiction\tthe dog is less tall\tis the dog tall less\tml\tshort\n"
    "entailment\tthe dog is less tall\tthe dog less is tall\tml\tshort\n"
)
VECTORS = {
    word: np.random.default_rng(place).normal(size=4).tolist()
    for place, word in enumerate(["the", "man", "dog", "is", "taller"])
}


def test_who_always_says_entailment_is_right_in_one_half(tmp_path: Path) -> None:
    data = ChallengeSet.load(write(tmp_path / "hans.tsv", HEADER + ROWS))
    assert score_labels(["entailment"] * 9, data) == {
        "overlap entailment": 100,
        "subsequence entailment": 100,
        "constituent entailment": 100,
        "overlap non-entailment": 0,
        "subsequence non-entailment": 0,
        "constituent non-entailment": 0,
        "mean": 50,
    }
    assert score_cases(["entailment"] * 9, data)["n_subsequence"] == 0


def test_neutral_and_contradiction_are_both_no_entailment(tmp_path: Path) -> None:
    data = ChallengeSet.load(write(tmp_path / "hans.tsv", HEADER + ROWS))
    assert score_labels(["entailment", "neutral", "contradiction"] * 3, data)["mean"] == 100
    with pytest.raises(InputError, match=r"9 pairs need one of entailment.* Got 1 labels"):
        score_labels(["entailment"], data)
    with pytest.raises(InputError, match="Got the label 'maybe'"):
        score_labels(["maybe"] * 9, data)


def test_a_bag_of_words_is_at_chance_where_only_the_order_differs(tmp_path: Path) -> None:
    data = ChallengeSet.load(write(tmp_path / "comparisons.tsv", SAME))
    assert data.groups == ("same", "same", "more-less", "more-less")
    scores = run(toy_model(VECTORS), data, 0)
    assert scores.values == {"closer": 50, "same": 50, "more-less": 50}
    assert scores.n == 4
    assert closeness_of(toy_model(VECTORS).encode, data) == pytest.approx(1)
    assert score_closeness(np.array([1, 0, 1, 0.0]), data) == {"closer": 50, "same": 100, "more-less": 0}
    with pytest.raises(NoOverlapError, match="No word of comparisons"):
        run(toy_model({"hund": [1.0]}), data, 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label\tpremise\thypothesis\n", "heuristic and subcase, or category"),
        (HEADER + "maybe\ta\tb\tc\td\n", ":2: needs label"),
        (HEADER + "entailment\ta\tb\tc\n", ":2: needs label"),
        (HEADER + "entailment\ta\tb\tc\td\n", "pairs that follow and pairs that do not"),
    ],
)
def test_wrong_files_are_named(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        ChallengeSet.load(write(tmp_path / "wrong.tsv", text))
