"""What tokens look like, how else they are written, and what parts they have."""

from __future__ import annotations

import pytest

from everyword.text.scripts import compatible, folded, spelt_out, transliterated
from everyword.text.symbols import COUNTRIES, read_symbols
from everyword.text.tokens import (
    contraction,
    disguised,
    other_spellings,
    pieces,
    shape_of,
    tidy,
    web_parts,
    without_digits,
)

SHAPES = {
    "word": "dog Government GOVERNMENT naïve Straße łódź McDonald DeShawn encyclopædia Beyoncé tHiS",
    "script": "собака Ελλάδα שלום مرحبا 東京 서울 ひらがな नमस्ते თბილისი",
    "web": "#love #ThrowbackThursday @BBCNews youtube.com https://example.org/a/b www.test.de info@example.com "
    "r/AskReddit README.md setup.py news.bbc.co.uk",
    "contraction": "city's O'Brien's boys' don't you've we'll y'all've I'm CEO's",
    "symbols": "🙂 :-) ? … € -> 🇫🇷 ❤️ 👍🏽 +",
    "parts": "mother-in-law snake_case customerService iLoveYou covid19 and/or U.S. Ph.D. AT&T C++ .NET O'Neill "
    "hello🙂 HTMLParser F-16 v2 H2O gr8 4x4 3rd 7:30 $5 1990s x-ray",
    "empty": "\u200b \ud800",
}


@pytest.mark.parametrize(("shape", "token"), [(shape, token) for shape in SHAPES for token in SHAPES[shape].split()])
def test_the_shape_of_a_token(shape: str, token: str) -> None:
    assert shape_of(tidy(token)).value == shape


@pytest.mark.parametrize(
    ("given", "tidied"),
    [
        ("  heart \t attack\n", "heart attack"),
        ("ﬁnance", "finance"),
        ("ｄｏｇ", "dog"),
        ("don’t", "don't"),
        ("mother‑in–law", "mother-in-law"),
        ("soft\u00adhyphen\u200b", "softhyphen"),
        ("1️⃣", "1"),
        ("m²", "m2"),
        ("Hawaiʻi", "Hawai'i"),
        ("\x1b\r\x1b", ""),
        ("5²", "5^2"),
        ("2½", "2 1/2"),
        ("👩\u200d🚀", "👩\u200d🚀"),
    ],
)
def test_tidying(given: str, tidied: str) -> None:
    assert tidy(given) == tidied
    assert tidy(tidied) == tidied


@pytest.mark.parametrize(
    ("token", "cut"),
    [
        ("mother-in-law", "mother in law"),
        ("XMLHttpRequest", "XML Http Request"),
        ("iPhone12", "iPhone 12"),
        ("CEOs", "CEOs"),
        ("McDonald", "McDonald"),
        ("GOVERNMENT", "GOVERNMENT"),
        ("hello🙂", "hello 🙂"),
        ("tHiS", "tHiS"),
        ("ｓｎａｋｅ＿case", "snake case"),
    ],
)
def test_cutting(token: str, cut: str) -> None:
    assert pieces(tidy(token)) == cut.split()


@pytest.mark.parametrize(
    ("token", "parts"),
    [
        ("https://www.nytimes.com/2020/01/tech/our-privacy.htm?x=2", "nytimes tech our privacy htm x website"),
        ("news.bbc.co.uk", "bbc website"),
        ("http://localhost:8080/", "localhost website"),
        ("john.smith@example.com", "john smith example email address"),
        ("@realDonaldTrump", "realDonaldTrump"),
        ("#mondaymotivation", "mondaymotivation"),
        ("r/AskReddit", "AskReddit reddit"),
        ("README.md", "README documentation file"),
    ],
)  # fmt: skip
def test_parts_of_addresses(token: str, parts: str) -> None:
    assert [part.text for part in web_parts(token)] == parts.split()


@pytest.mark.parametrize(
    ("text", "one_of_them"),
    [
        ("e-mail", "email"),
        ("guinea-pig", "guinea pig"),
        ("mother in law", "mother-in-law"),
        ("guinea pigs", "guinea pig"),
        ("u.s.", "us"),
        ("ph.d.", "phd"),
        ("qur'an", "quran"),
        ('"quoted"', "quoted"),
        ("snake_case", "snake case"),
        ("(cities,", "cities"),
    ],
)
def test_other_spellings(text: str, one_of_them: str) -> None:
    assert one_of_them in other_spellings(text)


def test_digits_that_stand_for_letters_or_sounds() -> None:
    assert "great" in without_digits("gr8")
    assert "today" in without_digits("2day")
    assert "password" in without_digits("p4ssw0rd")
    assert "someone" in without_digits("some1")
    assert without_digits("great") == without_digits("88") == []


def test_contractions() -> None:
    assert contraction("won't") == ("wo", "not")
    assert contraction("James'") == ("James", "'s")
    assert contraction("rock'n'roll") is None


def test_special_letters() -> None:
    assert folded("œuvre smörgåsbord þór Łódź".lower()) == "oeuvre smorgasbord thor lodz"
    assert spelt_out("göring") == "goering"
    assert folded("ёй") == "ёй", "accents of other alphabets make other letters"
    assert compatible("plain") == "plain"


@pytest.mark.parametrize(
    ("word", "latin"),
    [("Москва", "moskva"), ("Київ", "kiyiv"), ("Αθήνα", "athina"), ("서울", "seoul"), ("カタカナ", "katakana")],
)
def test_other_scripts(word: str, latin: str) -> None:
    assert transliterated(word) == (latin, 1.0)


def test_a_script_without_sounds_is_not_understood() -> None:
    assert transliterated("東京") == ("", 0.0)
    assert transliterated("東ab") == ("ab", pytest.approx(2 / 3))


def words_of(token: str) -> list[str]:
    read = read_symbols(tidy(token))
    assert read is not None
    return [word for word, _ in read[0]]


@pytest.mark.parametrize(
    ("token", "word"),
    [
        ("🙏", "thanks"),
        ("👍🏽", "good"),
        ("🐘", "elephant"),
        ("🇩🇪", "germany"),
        ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", "scotland"),
        ("👩\u200d🚀", "astronaut"),
        ("❤️", "love"),
        (":-)", "smile"),
        ("∞", "infinity"),
        ("⚗", "alembic"),
        ("?!", "question"),
        ("🐘🐘🐁", "mouse"),
    ],
)
def test_symbols(token: str, word: str) -> None:
    words = words_of(token)
    assert word in words
    assert not {"sign", "symbol", "with", "face"} & set(words)


def test_countries_have_different_codes() -> None:
    assert len(COUNTRIES) > 180
    assert all(len(code) == 2 and name.isalpha() for code, name in COUNTRIES.items())


def test_words_in_disguise() -> None:
    assert disguised("h4ck3r") == "hacker"
    assert disguised("covid19") is disguised("b2b") is disguised("plain") is None


def test_pronouns_are_contracted_with_is() -> None:
    assert contraction("It's") == ("It", "is")
    assert contraction("let's") == ("let", "us")
    assert "arte" in other_spellings("dell'arte")
