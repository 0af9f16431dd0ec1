from __future__ import annotations

import unicodedata
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from everyword import config
from everyword.text.normalise import Normaliser

ANY_CHARACTER = st.characters()  # surrogates and controls too
TRICKY = st.sampled_from(
    [*"aIİıΣσςſKÅéßﬁ͏̸́̇ͅ각가 \t\n", "\u200b", "\u200d", "\ufeff", "\u2028", "\ud800", "\x00", "क्‍ष", "ो"]
)
ANY_TEXT = st.text(ANY_CHARACTER) | st.lists(TRICKY).map("".join)
ANY_RULE = st.builds(Normaliser, st.booleans(), st.booleans(), st.integers(1, 70))
ALL_SWITCHES = [Normaliser(lowercase, strip) for lowercase, strip in product([True, False], repeat=2)]


@settings(deadline=None, max_examples=500)
@given(ANY_RULE, ANY_TEXT)
@example(Normaliser(max_length=1), "İ")
@example(Normaliser(strip_accents=True), "a\u200b\u0301")
def test_normalising_twice_is_normalising_once(normalise: Normaliser, text: str) -> None:
    once = normalise(text)

    assert normalise(once) == once


@settings(deadline=None, max_examples=300)
@given(ANY_RULE, ANY_TEXT)
@example(Normaliser(max_length=1), "İ")
def test_any_text_becomes_a_short_word_that_can_be_written_to_a_file(normalise: Normaliser, text: str) -> None:
    word = normalise(text)

    assert len(word) <= normalise.max_length
    assert word.encode("utf-8").decode("utf-8") == word
    assert word == word.strip()
    assert "\n" not in word
    assert "\r" not in word


@pytest.mark.parametrize("normalise", ALL_SWITCHES, ids=repr)
def test_every_single_character_has_a_stable_spelling(normalise: Normaliser) -> None:
    spelt = {normalise(chr(code)) for code in range(0x30000)}

    assert all(normalise(word) == word for word in spelt)


@settings(deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=5), max_size=5), st.sampled_from(ALL_SWITCHES))
def test_composed_and_decomposed_texts_are_the_same_word(parts: list[str], normalise: Normaliser) -> None:
    text = "".join(parts)

    assert normalise(unicodedata.normalize("NFC", text)) == normalise(unicodedata.normalize("NFD", text))


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=126, min_codepoint=32)), st.booleans())
def test_the_short_cut_for_ascii_gives_what_the_long_way_gives(text: str, lowercase: bool) -> None:
    normalise = Normaliser(lowercase=lowercase)

    assert normalise(text) == normalise(text + "\u200b")


@pytest.mark.parametrize(
    "raw", ["Cat", " cat", "CAT ", "\tcat\n", "c\u200bat", "\ufeffcat", "ca\u00adt", "cat\x00", "\ud83dcat"]
)
def test_spellings_that_look_the_same_are_one_word(raw: str) -> None:
    assert Normaliser()(raw) == "cat"


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        ("", ""),
        (" \t\r\n\u3000\u2028", ""),
        ("\x00\u200b\ufeff\udc80", ""),
        ("New\u00a0 \t\nYork", "new york"),
        ("line\u2028end", "line end"),
        ("tab\tend", "tab end"),
        ("line\nend", "line end"),
        ("\u200b padded \u200b", "padded"),
        ("Café", "café"),
        ("Cafe\u0301", "café"),
        ("e\u200d\u0301", "é"),
        ("STRASSE", "strasse"),
        ("Straße", "straße"),
        ("ΟΔΟΣ", "οδος"),
        ("İstanbul", "i\u0307stanbul"),
        ("2024", "2024"),
        ("Covid-19", "covid-19"),
        ("don't", "don't"),
        ("😀", "😀"),
        ("👩\u200d💻", "👩💻"),
        ("مَرْحَبًا", "مَرْحَبًا"),
        ("\u200fשלום", "שלום"),
        ("東京Tower", "東京tower"),
    ],
)
def test_a_word_is_spelt_so_by_default(raw: str, word: str) -> None:
    assert Normaliser()(raw) == word


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("naïve", "naive"),
        ("Ångström", "angstrom"),
        ("각", "각"),
        ("ø", "ø"),
        ("ệ", "e"),
    ],
)
def test_accents_are_stripped_on_request(raw: str, word: str) -> None:
    assert Normaliser(strip_accents=True)(raw) == word


def test_accents_and_case_stay_when_asked() -> None:
    assert Normaliser(lowercase=False)("  Éclair ") == "Éclair"


def test_ten_thousand_letters_are_cut_to_the_longest_word() -> None:
    assert Normaliser()("A" * 10_000) == "a" * 64
    assert Normaliser(max_length=7)("é" * 10_000) == "é" * 7


def test_a_cut_at_a_blank_leaves_no_blank_at_the_end() -> None:
    assert Normaliser(max_length=4)("new york") == "new"


def test_a_word_of_exactly_the_longest_length_is_kept() -> None:
    assert Normaliser(max_length=3)("cat") == "cat"


@pytest.mark.parametrize("normalise", [*ALL_SWITCHES, Normaliser(max_length=3)], ids=repr)
def test_the_rule_survives_being_saved(normalise: Normaliser) -> None:
    assert config.build(Normaliser, config.to_dict(normalise)) == normalise


@pytest.mark.parametrize("rule", [Normaliser(), Normaliser(lowercase=False), Normaliser(compatible=True, max_length=5)])
@pytest.mark.parametrize(
    "words", [[], ["cat", "o'clock"], ["cat", "Cat"], ["a b", "c"], [" cat"], ["caf\u00e9", ""], ["a\tb"], ["abcdef"]]
)
def test_many_words_are_normalised_as_each_is(rule: Normaliser, words: list[str]) -> None:
    assert rule.all(words) == [rule(word) for word in words]
