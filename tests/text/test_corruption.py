from __future__ import annotations

from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA, Levenshtein

from everyword import registry
from everyword.text.corruption import (
    KEYBOARD_NEIGHBOURS,
    LETTERS,
    OCR_CONFUSIONS,
    SHORTEST,
    Corruption,
    drop,
    insert,
    keyboard,
    ocr,
    swap,
)

ANY_WORD = st.text(st.characters())
LONG_ENOUGH = st.text(st.characters(), min_size=SHORTEST) | st.text(LETTERS + LETTERS.upper(), min_size=SHORTEST)
SEEDS = st.integers(0, 2**32)
DRAWS = 2000
WEIRD = ["", " ", "a", "ab", "aaa", "...", "\x00\x01\x02", "\ud800\udfff\ud800", "😀😀😀", "e\u0301te\u0301", "İİİ",
         "ſſſ", "KKK", "日本語", "שלום", "ﬁﬁﬁ", "a b\tc\n", "x" * 10_000, "12345", "ǅǅǅ", "ΣΣΣ"]  # fmt: skip


def outcomes(corruption: Corruption, word: str) -> set[str]:
    rng = Random(7)
    return {corruption(word, rng) for _ in range(DRAWS)}


@pytest.fixture(params=[*registry.corruptions])
def corruption(request: pytest.FixtureRequest) -> Any:
    return registry.corruptions.get(request.param)


@pytest.mark.parametrize("word", WEIRD, ids=lambda word: ascii(word[:12]))
def test_no_string_is_too_weird_for_a_corruption(corruption: Corruption, word: str) -> None:
    for seed in range(20):
        assert isinstance(corruption(word, Random(seed)), str)


@settings(deadline=None)
@given(word=ANY_WORD, seed=SEEDS, name=st.sampled_from([*registry.corruptions]))
def test_the_same_seed_gives_the_same_misspelling(word: str, seed: int, name: str) -> None:
    corruption = registry.corruptions.get(name)
    one, other = Random(seed), Random(seed)

    assert corruption(word, one) == corruption(word, other)
    assert one.getstate() == other.getstate()


@pytest.mark.parametrize("word", ["", "a", "is", "né", "😀😀", "cl"])
def test_words_that_are_too_short_are_left_alone(corruption: Corruption, word: str) -> None:
    assert outcomes(corruption, word) == {word}


@pytest.mark.parametrize("word", ["misspelling", "the", "modern", "Nation"])
def test_a_plain_word_is_always_changed(corruption: Corruption, word: str) -> None:
    assert word not in outcomes(corruption, word)


@settings(deadline=None)
@given(word=LONG_ENOUGH, seed=SEEDS)
def test_swap_exchanges_two_neighbours(word: str, seed: int) -> None:
    swapped = swap(word, Random(seed))

    assert sorted(swapped) == sorted(word)
    assert OSA.distance(word, swapped) == (0 if len(set(word)) == 1 else 1)


@settings(deadline=None)
@given(word=LONG_ENOUGH, seed=SEEDS)
def test_drop_leaves_one_character_out(word: str, seed: int) -> None:
    dropped = drop(word, Random(seed))

    assert len(dropped) == len(word) - 1
    assert Levenshtein.distance(word, dropped) == 1


@settings(deadline=None)
@given(word=LONG_ENOUGH, seed=SEEDS)
def test_insert_puts_one_lower_case_letter_in(word: str, seed: int) -> None:
    longer = insert(word, Random(seed))
    (edit,) = Levenshtein.editops(word, longer)

    assert len(longer) == len(word) + 1
    assert edit.tag == "insert"
    assert longer[edit.dest_pos] in (
        LETTERS if any(letter in LETTERS for letter in word.lower()) else LETTERS + word.lower()
    )


def test_insert_puts_a_letter_of_the_same_alphabet_into_a_word_of_another_one() -> None:
    assert all(longer.isalpha() and not set(longer) & set(LETTERS) for longer in outcomes(insert, "собака"))


@settings(deadline=None)
@given(word=LONG_ENOUGH, seed=SEEDS)
def test_keyboard_replaces_one_letter_by_a_neighbouring_key_in_the_same_case(word: str, seed: int) -> None:
    typed = keyboard(word, Random(seed))
    changed = [(old, new) for old, new in zip(word, typed, strict=True) if old != new]

    assert len(changed) == any(character.lower() in KEYBOARD_NEIGHBOURS for character in word)
    assert all(
        new.lower() in KEYBOARD_NEIGHBOURS[old.lower()] and new.isupper() == old.isupper() for old, new in changed
    )


@settings(deadline=None)
@given(word=LONG_ENOUGH, seed=SEEDS)
def test_ocr_misreads_one_place_by_its_table(word: str, seed: int) -> None:
    possible = {
        word[:place] + seen + word[place + length :]
        for place in range(len(word))
        for length in (1, 2)
        if place + length <= len(word)
        for seen in OCR_CONFUSIONS.get(word[place : place + length], ())
    }

    assert ocr(word, Random(seed)) in (possible or {word})


def test_swap_reaches_every_pair_of_different_neighbours() -> None:
    assert outcomes(swap, "abbc") == {"babc", "abcb"}


def test_swap_leaves_a_word_of_one_repeated_letter_alone() -> None:
    assert outcomes(swap, "zzz") == {"zzz"}


def test_drop_reaches_every_place() -> None:
    assert outcomes(drop, "abcd") == {"bcd", "acd", "abd", "abc"}


def test_insert_reaches_every_place_with_every_letter() -> None:
    word = "123"
    everywhere = {word[:place] + letter + word[place:] for place in range(4) for letter in LETTERS}

    assert outcomes(insert, word) == everywhere


def test_keyboard_reaches_every_neighbour_of_every_letter() -> None:
    assert outcomes(keyboard, "Q1p") == {"W1p", "A1p", "Q1o", "Q1l"}


def test_keyboard_leaves_a_word_without_latin_letters_alone() -> None:
    assert outcomes(keyboard, "東京都") == {"東京都"}


def test_ocr_misreads_the_last_letter_as_often_as_the_first() -> None:
    rng, draws = Random(7), 4000
    first = sum(ocr("o--o", rng).endswith("o") for _ in range(draws))

    assert abs(first - draws / 2) < 4 * sqrt(draws / 4)


def test_ocr_reads_one_letter_as_two_and_two_as_one() -> None:
    assert {"modem", "rnodern", "m0dern"} <= outcomes(ocr, "modern")
    assert outcomes(ocr, "--li") == {"--h", "--1i", "--ii", "--ti", "--ll", "--l1", "--lj"}


@pytest.mark.parametrize(
    ("key", "neighbours"),
    [
        ("q", "wa"),
        ("a", "qwsz"),
        ("s", "weadzx"),
        ("g", "tyfhvb"),
        ("p", "ol"),
        ("l", "opk"),
        ("z", "asx"),
        ("m", "jkn"),
    ],
)
def test_the_neighbours_of_a_key_are_those_that_touch_it(key: str, neighbours: str) -> None:
    assert set(KEYBOARD_NEIGHBOURS[key]) == set(neighbours)


def test_keys_touch_each_other() -> None:
    assert set(KEYBOARD_NEIGHBOURS) == set(LETTERS)
    assert all(key in KEYBOARD_NEIGHBOURS[other] for key, others in KEYBOARD_NEIGHBOURS.items() for other in others)


def test_a_misreading_is_never_what_was_printed() -> None:
    assert all(printed not in seen and seen for printed, seen in OCR_CONFUSIONS.items())
    assert all(len(printed) in (1, 2) for printed in OCR_CONFUSIONS)


def test_ocr_is_no_training_corruption_of_the_default_recipe() -> None:
    from everyword.systems.spelling.examples import AugmentationConfig

    assert "ocr" not in AugmentationConfig().shares
