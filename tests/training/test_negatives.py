from __future__ import annotations

import numpy as np
from rapidfuzz.distance import Levenshtein

from everyword.training.negatives import NONE, NegativesConfig, mine_negatives
from everyword.vectors.neighbours import unit_rows

WORDS = ["article", "articles", "particle", "artichoke", "articulate", "cat", "coat", "cats", "feline", "zebra"]
RANDOM = unit_rows(np.random.default_rng(0).normal(size=(len(WORDS), 400)))


def found(word: str, config: NegativesConfig | None = None, targets: np.ndarray = RANDOM, **options: int) -> list[str]:
    rows = mine_negatives(WORDS, targets, config or NegativesConfig(), **options)
    return [WORDS[row] for row in rows[WORDS.index(word)] if row != NONE]


def test_look_alikes_come_nearest_first_and_inflections_not_at_all() -> None:
    assert found("article") == ["particle", "articulate", "artichoke"]


def test_every_word_of_the_list_is_as_near_as_asked_and_sorted() -> None:
    for word in WORDS:
        similarities = [Levenshtein.normalized_similarity(word, other) for other in found(word)]
        assert similarities == sorted(similarities, reverse=True)
        assert all(similarity >= 0.5 for similarity in similarities)


def test_a_synonym_of_the_teacher_is_no_negative() -> None:
    targets = RANDOM.copy()
    targets[WORDS.index("particle")] = targets[WORDS.index("article")]
    assert "particle" not in found("article", targets=targets)


def test_no_more_than_top() -> None:
    assert found("article", NegativesConfig(top=1)) == ["particle"]


def test_blocks_do_not_matter() -> None:
    for block in (1, 3, 100):
        assert found("cat", block=block) == found("cat")


def test_a_word_that_looks_like_no_other_has_none() -> None:
    assert found("zebra") == []
