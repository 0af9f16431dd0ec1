"""Phrases composed of their words."""

from __future__ import annotations

from pathlib import Path

import pytest
from made import SQUARE, toy_model, write

from everyword.errors import InputError
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks import phrases
from everyword.evaluation.tasks.phrases import PhraseSet

PAIRS = "term1\tterm2\tscore\nking man\tman king\t5\nking queen\tman\t3\nking\tthe\t1\nqueen man\tapple\t2\n"
HEADER = PAIRS.partition("\n")[0] + "\n"


def test_phrases_are_sums_of_directions(tmp_path: Path) -> None:
    data = PhraseSet.load(write(tmp_path / "toy.tsv", PAIRS))

    scores = phrases.run(toy_model(SQUARE), data, 0)

    assert scores.values["spearman"] == pytest.approx(100)
    assert (scores.n, scores.known) == (4, 4)
    assert scores.values["shared_words"] == pytest.approx(100 * 0.6**0.5)  # only the first pair shares words
    assert scores.values["terms_with_a_vector"] == 25  # the pair of two words
    assert scores.sections["phrase and word"]["n"] == 3


def test_stored_terms_stand_beside_composed_ones(tmp_path: Path) -> None:
    vectors = {**SQUARE, "king man": [0.0, 0, 0, 1], "man_king": [0.0, 0, 0, -1], "king-queen": [1.0, 1, 1, 1]}
    data = PhraseSet.load(write(tmp_path / "toy.tsv", PAIRS))

    values = phrases.run(toy_model(vectors), data, 0).values

    assert values["terms_with_a_vector"] == 75
    assert values["stored_terms"] == pytest.approx(-50)  # opposite directions for the pair that people call closest
    assert values["composed_of_stored"] == pytest.approx(100)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("word1\tword2\tscore\na\tb\t1\n", "toy.tsv:1: the first line must name the columns term1, term2, score"),
        (HEADER + "a b\tc\n", "toy.tsv:2: needs term1, term2, score between tabs"),
        (HEADER + "a b\tc\tmuch\n", "toy.tsv:2: the score must be a number. Got 'much'"),
        (HEADER + "a b\tc\t1\n", "holds 1 pairs; a rank correlation needs two"),
    ],
)
def test_phrases_that_cannot_be_read(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        PhraseSet.load(write(tmp_path / "toy.tsv", text))


def test_phrases_of_another_language(tmp_path: Path) -> None:
    data = PhraseSet.load(write(tmp_path / "toy.tsv", HEADER + "ein haus\tdas haus\t1\nein\tdas\t0\n"))
    with pytest.raises(NoOverlapError, match="No pair of toy has all its words in toy"):
        phrases.run(toy_model(SQUARE), data, 0)
