"""Numbers are read by kind and value, and near values have nearly the same words."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyword.text.numbers import read_number, read_roman
from everyword.text.quantities import in_words, number_in, ordinal, ordinal_in, value_terms

READ = """
number: 42 = forty-two | 0 = zero | 007 = seven | 1,234 = one thousand two hundred thirty-four | -5 = minus five
number: 3.5 = 3.5
number: 1e6 = one million | 5k = five thousand | 2bn = two billion | forty-two = forty-two | 1000 = one thousand
number: .5 = 0.5
ordinal: 3rd = third | 21st = twenty-first | 112th = one hundred twelfth | twenty-first = twenty-first
ordinal: 1,000th = one thousandth
year: 1998 = the year 1998 | 2024 = the year 2024 | 1066 = the year 1066
decade: 1990s = nineties | '90s = nineties | 60s = sixties | 1800s = nineteenth century | 2000s = noughties
fraction: 1/2 = half | 3/4 = three quarters | 2/3 = two thirds | 2 1/2 = two and half | 5/8 = five eighths
percentage: 25% = twenty-five percent | 3.5% = 3.5 percent | 100% = one hundred percent
money: $5 = five dollars | €3.50 = 3.5 euros | £2m = two million pounds | 5 usd = five dollars
money: $1,200 = one thousand two hundred dollars
money: 20€ = twenty euros | ¥500 = five hundred yen | us$10 = ten dollars
quantity: 5kg = five kilograms | 10 km/h = ten kilometers | 9mm = nine millimeters | -3°c = minus three celsius
quantity: 16gb = sixteen gigabytes
quantity: 5-km = five kilometers | 30mph = thirty miles | 50m2 = fifty square
unit: km = kilometers | m2 = square | psi = pressure
time: 7:30 = 7:30 | 5pm = 5 o'clock afternoon | 11:45 p.m. = 11:45 night | 00:15 = 0:15
time: 9 am = 9 o'clock morning
date: 2021-03-04 = 4 march 2021 | 25.12.1999 = 25 december 1999 | 12/25/99 = 25 december 1999
date: 2021-03-04t10:30 = 4 march 2021
range: 10-12 = ten to twelve | 1914-1918 = the years 1914 to 1918 | 1.5-2 = 1.5 to two
score: 3-1 = three to one
age: 18-year-old = eighteen years old | five-year-old = five years old | 70 years old = seventy years old
age: 25yo = twenty-five years old
size: 1920x1080 = one thousand nine hundred twenty by one thousand eighty | 3x5 = three by five
power: 10^6 = ten to the power of six
ratio: 16:9 = ratio | 40/30 = 40 to 30
address: 192.168.0.1 = ip
version: 3.11.2 = version | v2 = version | 1.0.0-rc1 = version
hexadecimal: 0xff = hexadecimal
phone: +44 20 7946 0958 = telephone | (555) 123-4567 = telephone
"""
CASES = [
    (kind, *entry.split(" = "))
    for line in READ.strip().split("\n")
    for kind, _, entries in [line.partition(": ")]
    for entry in entries.split(" | ")
]


@pytest.mark.parametrize(("kind", "token", "read_as"), CASES)
def test_a_number_is_read_by_kind_and_value(kind: str, token: str, read_as: str) -> None:
    said = read_number(token)
    assert said is not None
    assert (said.kind, said.read_as) == (kind, read_as)
    assert all(weight > 0 for _, weight in said.terms)


@pytest.mark.parametrize("token", ["cat", "h2o", "covid19", "", "abc-123", "2nite", "3rdx", "mother-in-law"])
def test_other_tokens_are_no_numbers(token: str) -> None:
    assert read_number(token) is None


def test_digits_of_other_scripts_count() -> None:
    said = read_number("१२")
    assert said is not None
    assert said.read_as == "twelve"


@pytest.mark.parametrize(("numeral", "value"), [("ii", 2), ("xiv", 14), ("mcmxcix", 1999), ("xl", 40)])
def test_roman_numerals(numeral: str, value: int) -> None:
    said = read_roman(numeral)
    assert said is not None
    assert said.read_as == in_words(value)


@pytest.mark.parametrize("word", ["i", "dog", "iix", ""])
def test_what_is_no_roman_numeral(word: str) -> None:
    assert read_roman(word) is None


@pytest.mark.parametrize("value", range(1, 100))
def test_words_and_values_agree(value: int) -> None:
    assert number_in(in_words(value)) == value
    assert ordinal_in(ordinal(value)) == value


def likeness(one: float, other: float) -> float:
    first, second = dict(value_terms(one)), dict(value_terms(other))
    product = sum(weight * second.get(word, 0) for word, weight in first.items())
    return product / math.sqrt(sum(w * w for w in first.values()) * sum(w * w for w in second.values()))


@pytest.mark.parametrize(
    ("value", "near", "far"), [(42, 43, 83), (250, 260, 25), (1500, 1600, 90), (3_000_000, 4_000_000, 400), (7, 8, 60)]
)
def test_near_values_have_nearly_the_same_words(value: float, near: float, far: float) -> None:
    assert likeness(value, near) > likeness(value, far)


@given(st.floats(min_value=-1e300, max_value=1e300, allow_nan=False))
def test_every_value_has_words(value: float) -> None:
    terms = value_terms(value)
    assert terms
    assert all(word and math.isfinite(weight) and weight > 0 for word, weight in terms)


@given(st.text(alphabet="0123456789.,:/-+x%$€kmapst' ", max_size=12))
def test_any_digits_can_be_read_or_not_but_never_break(token: str) -> None:
    said = read_number(token)
    assert said is None or (said.terms and said.read_as)
