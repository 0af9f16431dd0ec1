from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from made import write

from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks import misspelling
from everyword.evaluation.tasks.misspelling import MisspellingSet, ranks, run
from everyword.vectors.neighbours import unit_rows

STORED = {"the": [1.0, 0.0], "then": [0.9, 0.3], "and": [0.0, 1.0], "adn": [0.1, 1.0]}
GUESSED = {"teh": [1.0, 0.1], "thn": [0.0, 0.0], "annd": [0.6, 0.8]}


def model() -> EvaluatedModel:
    def vectors(words: Sequence[str]) -> np.ndarray:
        return np.array([(STORED | GUESSED)[word] for word in words], dtype=np.float32)

    return EvaluatedModel("toy", "encode", vectors, list(STORED), str)


def test_ranks_and_their_means_by_hand() -> None:
    # teh → the: first. annd → and: cosines .6 the, .82 then, .8 and, .86 adn: third.
    # adn is a candidate itself and left out, then and is first. thn has no vector. zzz has no right word among them.
    data = MisspellingSet("made", {"teh": ["the"], "annd": ["and"], "adn": ["and"], "thn": ["then"], "zzz": ["zoo"]})

    scores = run(model(), data, 0)

    assert (scores.n, scores.known) == (5, 4)
    assert scores.values == pytest.approx(
        {
            "mrr": 100 * (1 + 1 / 3 + 1 + 0) / 5,
            "hit@1": 100 * 2 / 5,
            "hit@5": 100 * 3 / 5,
            "hit@10": 100 * 3 / 5,
            "mrr_known": 100 * (1 + 1 / 3 + 1 + 0) / 4,
            "hit@1_known": 50,
            "hit@5_known": 75,
            "hit@10_known": 75,
        }
    )


def test_the_best_of_several_right_words_counts() -> None:
    scores = run(model(), MisspellingSet("made", {"teh": ["and", "then", "the"]}), 0)

    assert scores.values["mrr"] == 100


@pytest.mark.parametrize("at_once", [1, 90, 1 << 23])
def test_blocks_rank_as_sorting_does(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(misspelling, "SCORES_AT_ONCE", at_once)
    rng = np.random.default_rng(4)
    queries, candidates = unit_rows(rng.normal(size=(25, 5))), unit_rows(rng.normal(size=(30, 5)))
    rights = rng.integers(30, size=25)

    found = ranks(queries, candidates, [[right] for right in rights], np.full(25, -1))

    order = (-(queries @ candidates.T)).argsort(axis=1)
    assert found.tolist() == [list(row).index(right) + 1 for row, right in zip(order, rights, strict=True)]


def test_equal_cosines_count_against() -> None:
    candidates = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)

    assert ranks(candidates[:1], candidates, [[0]], np.array([-1])).tolist() == [2]


def test_no_right_word_known() -> None:
    with pytest.raises(NoOverlapError, match="No correct word of made is among the 4 candidates of toy"):
        run(model(), MisspellingSet("made", {"teh": ["zoo"]}), 0)


def test_a_wrong_form_may_have_several_lines(tmp_path: Path) -> None:
    data = MisspellingSet.load(write(tmp_path / "made.tsv", "wrong\tright\nform\tfrom\nteh\tthe\nform\tforum\n"))

    assert data.name == "made"
    assert data.rights == {"form": ["from", "forum"], "teh": ["the"]}
