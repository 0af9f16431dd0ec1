from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyword.models.retrieval.sounds import BASE, CLASSES, LONGEST, NOT_FOUND, SoundIndex, sound_codes


def consonant_classes(word: str) -> list[int]:
    classes = [next((number for number, letters in enumerate(CLASSES, 1) if c in letters), 0) for c in word]
    return [sound for sound, before in zip(classes, [0, *classes], strict=False) if sound and sound != before]


@pytest.mark.parametrize(
    ("word", "classes"),
    [
        ("souvenir", [2, 1, 5, 6]),
        ("suvenear", [2, 1, 5, 6]),
        ("ck", [2]),  # neighbours of one class are one sound
        ("cak", [2, 2]),  # a vowel between them tells them apart
        ("aeiou", []),
        ("", []),
        ("москва", []),
        ("ß7b", [1]),
    ],
)
def test_codes_are_classes_of_consonants_as_digits(word: str, classes: list[int]) -> None:
    assert sound_codes([word]).tolist() == [sum(sound * BASE**place for place, sound in enumerate(classes))]


@given(
    words=st.lists(
        st.text("abckdtlmn r", max_size=30) | st.text(st.characters(exclude_characters="\0"), max_size=4), max_size=8
    )
)
def test_codes_of_many_words_are_those_of_each(words: list[str]) -> None:
    expected = [sum(s * BASE**n for n, s in enumerate(consonant_classes(word)[:LONGEST])) for word in words]
    assert sound_codes(words).tolist() == expected


def test_of_words_that_sound_alike_the_most_frequent_are_found() -> None:
    index = SoundIndex(["souvenir", "cat", "savoner", "cut", "sevenar", "oui"])
    assert index.like(sound_codes(["suvenear", "kit", "aa", "zzz"]), 2).tolist() == [
        [0, 2],
        [1, 3],
        [NOT_FOUND, NOT_FOUND],  # a word without a consonant sounds like everything and nothing
        [NOT_FOUND, NOT_FOUND],
    ]


def test_an_index_of_one_word_at_the_end_of_the_codes() -> None:
    np.testing.assert_array_equal(SoundIndex(["r"]).like(sound_codes(["rrr", "b"]), 3), [[0, -1, -1], [-1, -1, -1]])
