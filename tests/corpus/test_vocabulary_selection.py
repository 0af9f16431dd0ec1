"""Which words several lists agree on; lists are short, so the first words that need no vote are fewer here."""

from __future__ import annotations

import pytest

from everyword.corpus import vocabulary_selection as module
from everyword.corpus.vocabulary_selection import agreed_words, probable_misspellings
from everyword.errors import InputError

FAR_DOWN = [2 * f"{a}{b}{c}" for a in "kmptwz" for b in "aeiou" for c in "bglnx"]
"""150 words that are two edits from each other and more from those tested, which so stand far below the first."""


@pytest.fixture(autouse=True)
def every_word_needs_votes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMMON", 0)


def test_a_word_needs_votes() -> None:
    lists = [["the", "cat", "alpha"], ["the", "cat", "beta"], ["the", "gamma"]]
    assert agreed_words(lists) == ["the", "cat"]
    assert agreed_words(lists, votes=3) == ["the"]
    assert sorted(agreed_words(lists, votes=1)) == ["alpha", "beta", "cat", "gamma", "the"]


def test_a_word_twice_in_one_list_has_one_vote() -> None:
    assert agreed_words([["the", "cat", "cat"], ["the"]]) == ["the"]


def test_a_dictionary_is_trusted() -> None:
    assert agreed_words([["the", "cat"], ["the", "dog"]], ["dog", "aardvark"]) == ["the", "dog", "aardvark"]


def test_common_words_need_no_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMMON", 2)
    assert agreed_words([["don't", "the", "rare"], ["the", "cat"]]) == ["the", "don't", "cat"]


def test_only_what_is_spelt_as_dictionaries_do() -> None:
    strange = ["c3po", "naïve", "new york", "-dash", "trailing-", "rock'n'roll", "x-ray", "A", "a" * 29, "a" * 28]
    assert sorted(agreed_words([strange, strange])) == ["a" * 28, "rock'n'roll", "x-ray"]


def test_the_order_is_that_of_mean_log_ranks_and_then_of_letters() -> None:
    # Ranks of "one": 1 and 4; of "two": 2 and 2, the same product; of "six": 3 and 1.
    lists = [["one", "two", "six", "own"], ["six", "two", "own", "one"]]
    assert agreed_words(lists) == ["six", "one", "two", "own"]


def test_a_list_without_the_word_counts_as_if_it_were_its_last() -> None:
    # Ranks of "own": 1 and, as there are two words, 3; of "two" and "six": 2 and 2, 3 and 1.
    assert agreed_words([["own", "two", "six"], ["six", "two"]], votes=1) == ["own", "six", "two"]


@pytest.mark.parametrize("misspelt", ["recieve", "receve", "receivve", "reseive", "receivef", "ereceive"])
def test_a_rare_word_one_edit_from_a_frequent_one_is_dropped(misspelt: str) -> None:
    lists = [["receive", *FAR_DOWN, misspelt]] * 2
    assert agreed_words(lists) == ["receive", *FAR_DOWN]


@pytest.mark.parametrize("form", ["receives", "received", "receiver", "receivea", "receivy", "receiva"])
def test_a_form_of_a_frequent_word_is_kept(form: str) -> None:
    lists = [["receive", *FAR_DOWN, form]] * 2
    assert form in agreed_words(lists)


def test_a_word_not_so_much_rarer_is_kept() -> None:
    few = FAR_DOWN[: module.MISSPELLING_RARITY - 3]
    assert "recieve" in agreed_words([["receive", *few, "recieve"]] * 2)
    assert "recieve" not in agreed_words([["receive", *few, "another", "recieve"]] * 2)


def test_a_trusted_or_common_word_is_no_misspelling(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = [["receive", *FAR_DOWN, "recieve"]] * 2
    assert "recieve" in agreed_words(lists, ["recieve"])
    monkeypatch.setattr(module, "COMMON", len(FAR_DOWN) + 2)
    assert "recieve" in agreed_words(lists)


def test_a_word_of_all_lists_is_no_misspelling_if_fewer_votes_would_do() -> None:
    rare = ["receive", *FAR_DOWN, "recieve"]
    assert "recieve" in agreed_words([rare] * 3)
    assert "recieve" not in agreed_words([rare] * 3, votes=3)
    assert "recieve" not in agreed_words([rare, rare, rare[:-1]])


def test_only_frequent_words_have_misspellings(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["the", "receive", *FAR_DOWN, "recieve"]
    assert probable_misspellings(words, ()) == {"recieve"}
    monkeypatch.setattr(module, "FREQUENT_WORDS", 1)
    assert probable_misspellings(words, ()) == set()


@pytest.mark.parametrize("lists", [[["one"], ["two"]], [["слово"], ["слово"]]])
def test_nothing_in_common_is_one_sentence(lists: list[list[str]]) -> None:
    with pytest.raises(InputError, match=r"^No word stands in 2 of 2 lists; are they of one language\?$"):
        agreed_words(lists)
