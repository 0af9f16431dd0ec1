"""Tokens are read as known words: the whole in another spelling, a number, symbols, parts, another script."""

from __future__ import annotations

import pytest

from everyword.models.explanation import Source
from everyword.models.readings.reader import Reader
from everyword.text.meanings import MEANINGS
from everyword.text.normalise import Normaliser
from everyword.text.quantities import CURRENCIES, UNITS

WORDS = """
the of to and in its not have a i us you love new year good great dog house book mother law user friendly happy
smile heart attack email phone water city school machine learning news bank fire engine computer third second
fourth forty two three five year nineties decade dollars dollar money kilograms kilogram weight percent percentage
half quarter fraction france flag country question hour morning afternoon time customer service monday motivation
throwback thursday strasse cafe moskva guinea pig mother-in-law phd x-ray password website file documentation covid
nineteen twelve infinity later example smith john thumbs wink programming compiler chinese character
"""
PHRASES = ["guinea pig", "heart attack", "eiffel tower"]

READ = """
spelling: Straße strasse | ｄｏｇ dog | café cafe | ﬁre fire | MOTHER‑IN‑LAW mother-in-law
spelling: Mother_In_Law mother-in-law
spelling: e-mail email | Ph.D. phd | "dog" dog | gr8 great | l8r later | p4ssw0rd password | x-Ray x-ray
number: 42 forty | 3rd third | $5 dollars | 5kg kilograms | 25% percent | ½ half | 1998 year | '90s nineties
number: 7:30 hour | 3/4 fraction
number: forty-two forty | 1️⃣ two | XLII forty
symbol: 🙂 smile | ❤️ love | 🇫🇷 france | :-) smile | ? question | <3 love | ∞ infinity | 👍🏽 good | ；-） wink
composed: user-friendly friendly | #MondayMotivation motivation | #mondaymotivation monday
composed: @customerService service | customerService customer
composed: machine_learning learning | covid-19 covid | covid19 covid | dog🙂 dog | fire/water water
composed: https://bank.com/new bank | john@smith.com smith
composed: README.md documentation | dog's dog | dogs' its | C++ programming | book.news news | newHouse house
composed: you've have
transliterated: Москва moskva | 東京 chinese
word: goverment goverment | Goverment goverment | MISPELLING mispelling | naïveté naivete | McDonal mcdonal
word: tHiSs thiss
nothing: \u200b | \ud800
"""
CASES = [
    (kind, *(entry.split(" ") if " " in entry else (entry, "")))
    for line in READ.strip().split("\n")
    for kind, _, entries in [line.partition(": ")]
    for entry in entries.split(" | ")
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    index = {word: row for row, word in enumerate(dict.fromkeys([*WORDS.split(), *PHRASES]))}
    return Reader(index, Normaliser())


@pytest.mark.parametrize(("kind", "token", "word"), CASES)
def test_what_a_token_is_read_as(reader: Reader, kind: str, token: str, word: str) -> None:
    reading = reader.read(token)
    texts = [text for text, _ in reading.terms]
    assert reading.kind == kind, reading
    assert word in texts or not word


def test_an_ordinary_word_stays_as_it_is(reader: Reader) -> None:
    assert reader.read(" Goverment ").terms == [("goverment", 1.0)]


def test_what_is_a_word_at_first_sight_is_read_as_one(reader: Reader) -> None:
    asked = [
        *UNITS,
        *CURRENCIES,
        *MEANINGS,
        "ten",
        "first",
        "xd",
        "lol",
        "gr",
        "iv",
        "a",
        "",
        "Cat",
        "o'er",
        "çay",
        "x" * 65,
    ]
    words = [token for token in [*asked, "plee", "cgis", "misspeling"] if reader.is_word(token)]
    assert {"plee", "cgis", "misspeling"} < {*words}
    assert not {"ten", "km", "usd", "Cat", "o'er", "çay", "x" * 65} & {*words}
    assert all(reader.read(token).kind == "word" and reader.read(token).terms == [(token, 1.0)] for token in words)


def test_hyphens_blanks_and_plurals_of_phrases(reader: Reader) -> None:
    for token in ("guinea-pig", "guinea pigs", "Guinea_Pigs", "“guinea pig”"):
        assert reader.read(token).terms == [("guinea pig", 1.0)], token
        assert reader.read(token).source is Source.RETRIEVED


def test_the_whole_wins_over_its_parts(reader: Reader) -> None:
    assert [text for text, _ in reader.read("#HeartAttack").terms] == ["heart", "attack"]
    assert reader.read("heart-attack").terms == [("heart attack", 1.0)]


def test_rare_parts_and_heads_count_more(reader: Reader) -> None:
    weights = dict(reader.read("the mother of fire and water").terms)
    assert weights["water"] > weights["fire"] > weights["mother"] > 2 * weights["the"]
    weights = dict(reader.read("non-smoker").terms)
    assert weights["smoker"] > 1.5 * weights["non"]


def test_the_number_in_a_name_counts_less_than_the_name(reader: Reader) -> None:
    terms = reader.read("covid-19").terms
    assert terms[0][0] == "covid"
    assert terms[0][1] > sum(weight for _, weight in terms[1:])


def test_a_hashtag_is_cut_only_into_known_words(reader: Reader) -> None:
    assert [text for text, _ in reader.read("#happynewyear").terms] == ["happy", "new", "year"]
    assert reader.read("#xqzvw").terms == [("xqzvw", 1.0)]


def test_long_and_deep_tokens_end(reader: Reader) -> None:
    for token in (
        "a-" * 5000,
        "#" * 1000,
        "x" * 100_000,
        "/".join("aB1" * 999),
        "🙂" * 5000,
        "1" * 5000,
        "'s" * 900,
        "." * 9999,
    ):
        assert len(reader.read(token).terms) < 200
