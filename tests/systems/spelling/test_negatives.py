from __future__ import annotations

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from everyword.systems.spelling.related_words import NONE, NegativesConfig, mine_negatives
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


INDEX = NegativesConfig(search="index")


def test_the_index_finds_some_of_the_look_alikes() -> None:
    for word in WORDS:
        alike = [other for other in found(word, INDEX) if Levenshtein.normalized_similarity(word, other) >= 0.5]
        assert set(alike) <= set(found(word)), word
    assert found("article", INDEX)[0] == "particle"
    assert "coat" in found("cat", INDEX)


def test_the_index_leaves_out_the_word_its_inflections_and_what_is_close_in_meaning() -> None:
    targets = RANDOM.copy()
    targets[WORDS.index("particle")] = targets[WORDS.index("article")]
    negatives = found("article", INDEX, targets)
    assert negatives
    assert not {"article", "articles", "particle"} & set(negatives)


def test_the_index_gives_the_same_twice_no_more_than_top_and_a_row_for_each_word() -> None:
    one, two = (mine_negatives(WORDS, RANDOM, NegativesConfig(search="index", top=2)) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert one.shape == (len(WORDS), 2)


def test_blocks_of_the_index_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = mine_negatives(WORDS, RANDOM, INDEX)
    monkeypatch.setattr("everyword.systems.spelling.related_words.SEARCH_BLOCK", 3)
    np.testing.assert_array_equal(mine_negatives(WORDS, RANDOM, INDEX), whole)
