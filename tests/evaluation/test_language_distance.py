from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.evaluation.language_distance import (
    PERPLEXITY,
    SHARED,
    SHARED_TASK,
    SMOOTHED,
    VOTE,
    CharacterModel,
    Smoothing,
    distances,
    majority_vote,
    perplexities,
    rankings_for,
    ranks,
    shared_words,
)

LINES = ["abba", "baab", "abab ba", "bbaa"]


@pytest.mark.parametrize("smoothing", ["add-k", "kneser-ney"])
@pytest.mark.parametrize("order", [1, 2, 4])
def test_probabilities_of_all_characters_add_up_to_one(order: int, smoothing: Smoothing) -> None:
    model = CharacterModel(LINES, order=order, smoothing=smoothing)

    for memory in product(range(model._size), repeat=order - 1):
        ids = np.array([[*memory, character] for character in range(model._size)])
        total = sum(float(model._probabilities(row)[0]) for row in ids)
        assert total == pytest.approx(1)


def test_an_unseen_memory_is_like_no_memory_at_all() -> None:
    model = CharacterModel(["ab", "ab"], order=2, smoothing="add-k", characters=["a", "b", "c", "\n"])

    assert model._probabilities(np.array([0, model._id_of["a"]]))[0] == pytest.approx(1 / 5)


def test_add_k_by_hand() -> None:
    model = CharacterModel(["aab"], order=1, k=1.0)  # a twice, b once, the end of the line once; one unknown character

    assert model.perplexity(["a"]) == pytest.approx((3 / 8 * 2 / 8) ** -0.5)


def test_a_text_is_closest_to_itself() -> None:
    texts = {
        "one": ["the cat sat on the mat", "a dog and a cat", "the dog sat"] * 4,
        "two": ["kissa istui matolla", "koira ja kissa", "koira istui"] * 4,
    }

    for smoothing in ("add-k", "kneser-ney"):
        found = perplexities(texts, order=3, smoothing=smoothing)  # type: ignore[arg-type]
        assert found["one", "one"] < found["two", "one"]
        assert found["two", "two"] < found["one", "two"]
        assert all(value >= 1 for value in found.values())


def test_kneser_ney_beats_add_k_with_a_long_memory() -> None:
    words = ["walk", "walked", "walking", "talk", "talked", "talking", "play", "played", "playing"]
    lines = [f"{one} {other}" for one in words for other in words]

    plain, smoothed = (
        CharacterModel(lines[::2], order=6, smoothing=kind).perplexity(lines[1::2])  # type: ignore[arg-type]
        for kind in ("add-k", "kneser-ney")
    )
    assert smoothed < plain


def test_shared_words_are_symmetric() -> None:
    found = shared_words({"a": {"x", "y", "v"}, "b": {"x", "y", "z"}, "c": {"z", "q"}, "d": {"w"}})

    assert found["a", "b"] == found["b", "a"] == pytest.approx(2 / 2)
    assert found["b", "c"] == found["c", "b"] == pytest.approx(1 / 1)
    assert found["a", "d"] == 0
    assert ("a", "a") not in found


def test_higher_is_closer_for_shared_words_only() -> None:
    values = {"a": 1.0, "b": 2.0, "c": 2.0}

    assert ranks(SHARED, values) == {"a": 3, "b": 1, "c": 1}
    assert ranks(SMOOTHED, values) == {"a": 1, "b": 2, "c": 2}


def test_a_vote_takes_the_rank_that_most_give_then_the_mean() -> None:
    rankings = [{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 2}, {"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 2, "c": 3}]

    assert majority_vote(rankings) == {"a": 1, "b": 2, "c": 3}
    assert majority_vote([{"a": 1, "b": 2}, {"a": 2, "b": 1}]) == {"a": 1, "b": 1}
    with pytest.raises(InputError, match="one ranking or more"):
        majority_vote([])


def test_rankings_of_helpers() -> None:
    texts = {
        "en": ["the water is cold", "the man is good", "winter is here"] * 3,
        "nl": ["het water is koud", "de man is goed", "de winter is hier"] * 3,
        "fi": ["vesi on kylmää", "mies on hyvä", "talvi on täällä"] * 3,
    }
    words = {name: {word for line in lines for word in line.split()} for name, lines in texts.items()}
    measures = distances(texts, words, task_words=words)

    found = rankings_for("nl", measures)

    assert set(found) == {PERPLEXITY, SMOOTHED, SHARED, SHARED_TASK, VOTE}
    assert found[VOTE] == {"en": 1, "fi": 2}
    assert SHARED_TASK not in distances(texts, words)
    with pytest.raises(InputError, match="no other language"):
        rankings_for("sv", measures)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="must be 1 to 7"):
        CharacterModel(LINES, order=8)
    with pytest.raises(InputError, match="needs text to learn from"):
        CharacterModel(["", " "])
    with pytest.raises(InputError, match="empty text"):
        CharacterModel(LINES).perplexity([])
    with pytest.raises(InputError, match="'b' has 1 lines"):
        perplexities({"a": LINES, "b": ["x"]})
