"""Numbers by kind and value: integers, decimals, fractions, ordinals, years, money, units, times, dates, ranges."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from everyword.text.meanings import FAMOUS_YEARS, weighted
from everyword.text.quantities import (
    CURRENCIES,
    DECADES,
    LIMIT,
    MULTIPLIERS,
    UNITS,
    Terms,
    in_words,
    number_in,
    ordinal,
    ordinal_in,
    value_terms,
)

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+"
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_CURRENCY = "|".join(sorted(map(re.escape, CURRENCIES), key=len, reverse=True))
_MULTIPLIER = "|".join(sorted(MULTIPLIERS, key=len, reverse=True))
_MONTHS_TEXT = """
january february march april may june july august september october november december
"""
MONTHS = _MONTHS_TEXT.split()
_FRACTIONS = {2: ("half", "halves"), 3: ("third", "thirds"), 4: ("quarter", "quarters")}
_ROMAN = re.compile("m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


class Numeral(NamedTuple):
    """What a token with digits says."""

    kind: str
    terms: Terms
    read_as: str


def _value(digits: str) -> float:
    """Return the value of digits with separators: 1,234.5 and 3,50 alike."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return float(digits.replace(",", ""))
    return float(digits.replace(",", "."))


def _shown(value: float) -> str:
    return in_words(int(value)) if abs(value) < LIMIT and value == int(value) else f"{value:g}"


def _plain(found: re.Match[str]) -> Numeral | None:
    digits, sign = found["number"], found["sign"]
    value = _value(digits)
    if not sign and re.fullmatch(r"1(?:0[1-9]|[1-9]\d)\d|20\d\d", digits):
        said = _year(int(digits))
        return said._replace(terms=[*said.terms, *weighted(FAMOUS_YEARS.get(int(digits), ()), 0.8)])
    value = -value if sign == "-" else value
    return Numeral("number", value_terms(value), _shown(value))


def _year(year: int) -> Numeral:
    terms: Terms = [("year", 0.7), ("years", 0.3)]
    if year >= 1920:
        first, part = divmod(year % 100, 10)
        before, after = DECADES[first - 1], DECADES[(first + 1) % 10]
        terms += [(DECADES[first], 1.0), ("decade", 0.4)]
        terms += [(before, 0.05 * (4 - part))] if part < 4 else [(after, 0.05 * (part - 5))] if part > 5 else []
    if year < 1950:
        terms += [(ordinal(year // 100 + 1), 0.5), ("century", 0.5)]
    if year >= 2005:
        terms += [("recent", 0.4)]
    return Numeral("year", [*terms, *value_terms(year % 100, 0.1)], f"the year {year}")


def _decade(found: re.Match[str]) -> Numeral | None:
    year = int(found["decade"])
    century, tens = divmod(year, 100)
    if tens % 10 or (year > 99 and not 11 <= century <= 20):
        return None
    if tens == 0 and century != 20:
        return Numeral("decade", [(ordinal(century + 1), 1.0), ("century", 1.0)], f"{ordinal(century + 1)} century")
    near = [DECADES[(tens // 10 + step) % 10] for step in (-1, 1)]
    terms = [(DECADES[tens // 10], 1.0), ("decade", 0.5), ("era", 0.3), *((word, 0.2) for word in near)]
    if century == 18:
        terms += [("nineteenth", 0.8), ("century", 0.6)]
    return Numeral("decade", terms, DECADES[tens // 10])


def _ordinal(found: re.Match[str]) -> Numeral | None:
    value = int(found["value"].replace(",", ""))
    return _ordinal_of(value) if value < LIMIT else None


def _ordinal_of(value: int) -> Numeral:
    name = ordinal(value)
    terms: Terms = [(name, 1.0), *((ordinal(other), 0.2) for other in (value - 1, value + 1) if other > 0)]
    if value > 20:
        terms += [(ordinal(value % 10), 0.5)] if value % 10 else []
        terms += [(ordinal(value - value % 10), 0.4)] if value < 100 else []
        terms += value_terms(value - value % 10, 0.4)
    return Numeral("ordinal", [*terms, *([("century", 0.4)] if 15 <= value <= 21 else [])], name)


def _quantity(found: re.Match[str]) -> Numeral | None:
    value, unit = _value(found["number"]), found["unit"]
    value = -value if found["sign"] == "-" else value
    if unit in ("%", "pct", "pc"):
        near = [(0.25, "quarter"), (0.5, "half"), (0.75, "quarters"), (1.0, "completely"), (1.0, "fully")]
        terms = [*weighted(UNITS["%"]), *((word, 0.8) for part, word in near if value == 100 * part)]
        return Numeral("percentage", [*terms, *value_terms(value, 0.5)], f"{_shown(value)} percent")
    if unit == "yo":
        return _age_terms(value)
    words = UNITS[unit]
    return Numeral("quantity", [*weighted(words), *value_terms(value, 0.5)], f"{_shown(value)} {words[0]}")


def _money(found: re.Match[str]) -> Numeral | None:
    named = found.groupdict()
    currency = CURRENCIES[named.get("before") or named["after"]]
    value = _value(named["number"]) * MULTIPLIERS.get(named["times"] or "", 1)
    terms = [*weighted(currency), *value_terms(value, 0.5)]
    terms += (
        [("cheap", 0.15), ("price", 0.2)] if value < 20 else [("rich", 0.2)] if value >= 10**6 else [("price", 0.2)]
    )
    return Numeral("money", terms, f"{_shown(value)} {currency[0]}")


def _multiple(found: re.Match[str]) -> Numeral | None:
    value = _value(found["number"]) * MULTIPLIERS[found["times"]]
    return Numeral("number", value_terms(value), _shown(value))


def _time(found: re.Match[str]) -> Numeral | None:
    named = found.groupdict()
    hour, minute, half = int(named["hour"]), int(named.get("minute") or 0), (named.get("half") or "")[:1]
    if hour > 24 or minute > 59 or (half and hour > 12):
        return None
    parts = _parts_of_day(hour % 12 + 12 * (half == "p") if half else hour, sure=bool(half) or not 0 < hour < 13)
    terms = [("o'clock", 0.8), ("hour", 0.5), ("time", 0.4), ("clock", 0.4), *parts, *value_terms(hour % 24, 0.25)]
    shown = f"{hour}:{minute:02}" if minute else f"{hour} o'clock"
    return Numeral("time", terms, f"{shown} {parts[0][0] if half else ''}".strip())


def _parts_of_day(hour: int, *, sure: bool) -> Terms:
    names = {range(5): "night", range(5, 12): "morning", range(12, 14): "noon", range(14, 18): "afternoon"}
    name = next((name for hours, name in names.items() if hour in hours), "evening" if hour < 22 else "night")
    if hour in (0, 24):
        return [("midnight", 0.8)]
    if sure:
        return [(name, 0.8), *([("afternoon", 0.6)] if name == "noon" else [])]
    return [(name, 0.6), *([("evening", 0.5)] if 5 <= hour < 12 else [("afternoon", 0.5)])]


def _date(found: re.Match[str]) -> Numeral | None:
    first, second, year = (int(found[name]) for name in ("first", "second", "year"))
    month, day = (first, second) if found.re.pattern == _ISO_DATE.pattern else (second, first)
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    year += 0 if year > 99 else 2000 if year < 50 else 1900
    terms: Terms = [("date", 0.6), (MONTHS[month - 1], 1.0), ("day", 0.3)]
    terms += [(word, 0.5 * weight) for word, weight in _year(year).terms] + [(ordinal(day), 0.15)]
    return Numeral("date", terms, f"{day} {MONTHS[month - 1]} {year}")


def _fraction(found: re.Match[str]) -> Numeral | None:
    whole, over, under = int(found["whole"] or 0), int(found["over"]), int(found["under"])
    if not under or over >= 100 or under > 1000:
        return None
    singular, plural = _FRACTIONS.get(under, (ordinal(under), f"{ordinal(under)}s"))
    name = f"{in_words(over)} {singular if over == 1 else plural}".replace("one half", "half")
    if over > under:
        terms = [*value_terms(over, 0.5), *value_terms(under, 0.5), ("ratio", 0.7), ("fraction", 0.4)]
        return Numeral("ratio", terms, f"{over} to {under}")
    terms = [("fraction", 0.7), (singular, 0.8), (plural, 0.6), *value_terms(over, 0.4 if over > 1 else 0.15)]
    terms += [*value_terms(under, 0.25), *(value_terms(whole, 1.0) if whole else [])]
    return Numeral("fraction", terms, f"{in_words(whole)} and {name}" if whole else name)


def _range(found: re.Match[str]) -> Numeral | None:
    low, high = _value(found["low"]), _value(found["high"])
    if low > high and high < 30:
        terms = [*value_terms(low, 0.5), *value_terms(high, 0.5), ("score", 1.0), ("win", 0.3), ("minus", 0.2)]
        return Numeral("score", terms, f"{_shown(low)} to {_shown(high)}")
    if all(re.fullmatch(r"1\d{3}|20\d\d", found[side]) for side in ("low", "high")):
        terms = [*_year(int(low)).terms, *_year(int(high)).terms, ("period", 0.5)]
        return Numeral("range", terms, f"the years {found['low']} to {found['high']}")
    terms = [*value_terms(low, 0.7), *value_terms(high, 0.7), ("between", 0.3), ("range", 0.4)]
    return Numeral("range", terms, f"{_shown(low)} to {_shown(high)}")


def _age(found: re.Match[str]) -> Numeral | None:
    value = number_in(found["age"]) if not found["age"].isdigit() else int(found["age"])
    return None if value is None else _age_terms(value)


def _age_terms(value: float) -> Numeral:
    ages = [
        (1, "baby infant"),
        (4, "toddler child"),
        (12, "child kid boy girl"),
        (20, "teenager teen young"),
        (35, "young adult"),
    ]
    people = next((words for limit, words in ages if value <= limit), "adult" if value < 65 else "elderly old")
    terms = [*weighted(tuple(people.split())), ("age", 0.5), ("aged", 0.4), ("years", 0.3), *value_terms(value, 0.4)]
    return Numeral("age", terms, f"{_shown(value)} years old")


def _height(found: re.Match[str]) -> Numeral | None:
    feet, inches = int(found["feet"]), int(found["inches"] or 0)
    words = weighted(("feet", "height", "tall", "inches"))
    return Numeral(
        "height", [*words, *value_terms(feet, 0.3), *value_terms(inches, 0.15)], f"{feet} feet {inches} inches"
    )


def _said(kind: str, words: str) -> Callable[[re.Match[str]], Numeral | None]:
    terms = list(weighted(tuple(words.split())))
    return lambda found: Numeral(kind, [*terms, ("number", 0.2)], words.split(maxsplit=1)[0])


def _size(found: re.Match[str]) -> Numeral | None:
    first, second = int(found["first"]), int(found["second"])
    about = ("resolution", "pixels", "screen") if first > 300 else ("dimensions", "size", "by")
    terms = [*weighted(about), *value_terms(first, 0.35), *value_terms(second, 0.35)]
    return Numeral("size", terms, f"{_shown(first)} by {_shown(second)}")


def _power(found: re.Match[str]) -> Numeral | None:
    base, exponent = _value(found["base"]), int(found["exponent"])
    terms: Terms = [("power", 0.6), ("exponent", 0.5), *value_terms(base, 0.4), *value_terms(exponent, 0.3)]
    if 0 <= exponent < 15 and base == 10:
        terms += value_terms(10**exponent)
    return Numeral("power", terms, f"{_shown(base)} to the power of {_shown(exponent)}")


def _scientific(found: re.Match[str]) -> Numeral | None:
    value = _value(found["base"]) * 10.0 ** int(found["exponent"])
    return Numeral("number", value_terms(value), _shown(value))


_ISO_DATE = re.compile(r"(?P<year>\d{4})[-/.](?P<first>\d{1,2})[-/.](?P<second>\d{1,2})(?:t[\d:.z+-]*)?")
_AGE = re.compile(r"(?P<age>\d{1,3}|[a-z]+(?:-[a-z]+)?)[- ]years?[- ]olds?")
_RULES: list[tuple[str, Callable[[re.Match[str]], Numeral | None]]] = [
    (rf"(?P<sign>[-+]?)(?P<number>{_NUMBER})", _plain),
    (r"(?P<value>\d{1,3}(?:,\d{3})+|\d+)[ -]?(?:st|nd|rd|th)", _ordinal),
    (r"'?(?P<decade>\d{2}|\d{4})'?s", _decade),
    (_ISO_DATE.pattern, _date),
    (r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)", _date),
    (
        r"(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?::\d\d(?:\.\d+)?)?(?: ?(?P<half>[ap]\.?m\.?|h|uhr))?",
        _time,
    ),
    (r"(?P<hour>\d{1,2}) ?(?P<half>[ap]\.?m\.?|o'clock)", _time),
    (rf"(?P<sign>-?)(?P<before>{_CURRENCY}) ?(?P<number>{_NUMBER}) ?(?P<times>{_MULTIPLIER})?", _money),
    (rf"(?P<number>{_NUMBER}) ?(?P<times>{_MULTIPLIER})? ?(?P<after>{_CURRENCY})", _money),
    (rf"(?P<number>{_NUMBER})(?P<times>k|mn|mio|mln|bn|tn)", _multiple),
    (rf"(?P<sign>[-+]?)(?P<number>{_NUMBER})[ -]?(?P<unit>{_UNIT})", _quantity),
    (r"(?:(?P<whole>\d{1,3}) )?(?P<over>\d{1,3})/(?P<under>\d{1,3})", _fraction),
    (rf"(?P<low>{_NUMBER})(?:-| - |\.\.\.?| to )(?P<high>{_NUMBER})", _range),
    (_AGE.pattern, _age),
    (r"(?P<feet>\d)'(?P<inches>\d{1,2})?(?:\"|'')?", _height),
    (r"(?P<first>\d{1,5}) ?[x×*] ?(?P<second>\d{1,5})", _size),
    (r"(?P<base>\d+(?:\.\d+)?)(?:\^|\*\*)(?P<exponent>-?\d{1,3})", _power),
    (r"(?P<base>\d+(?:\.\d+)?)e(?P<exponent>[+-]?\d{1,2})", _scientific),
    (r"(?P<over>\d{1,3}):(?P<under>\d{1,3})", _said("ratio", "ratio proportion score")),
    (r"(?:\d{1,3}\.){3}\d{1,3}(?:[:/]\d+)?", _said("address", "ip address network server")),
    (
        r"v\.?\d+(?:\.\d+)*|\d+(?:\.\d+){2,}(?:[-.]?[a-z]+\d*)?",
        _said("version", "version release software"),
    ),
    (r"0x[0-9a-f]+", _said("hexadecimal", "hexadecimal binary code")),
    (r"\d{1,4} ?(?:bce?|ad|ce)", _said("year", "century ancient era")),
    (r"\+?\(?\d[\d ()/.-]{6,}\d", _said("phone", "telephone phone call")),
]


@cache
def _rules() -> list[tuple[re.Pattern[str], Callable[[re.Match[str]], Numeral | None]]]:
    """Return the rules with their patterns compiled, which takes as long as all else when a model is loaded."""
    return [(re.compile(pattern), read) for pattern, read in _RULES]


def read_number(token: str) -> Numeral | None:
    """Return what a lower-case token says as a number; None if it is not one.

    >>> read_number("3rd").read_as, read_number("5kg").read_as, read_number("€3.50").read_as, read_number("cat")
    ('third', 'five kilograms', '3.5 euros', None)
    """
    if token in UNITS and len(token) > 1:
        return Numeral("unit", list(weighted(UNITS[token])), UNITS[token][0])
    if not token.isalpha() and any(map(str.isdigit, token)):
        token = "".join(str(int(c)) if c.isdecimal() and not c.isascii() else c for c in token)
        for pattern, read in _rules():
            found = pattern.fullmatch(token)
            if found and (said := read(found)) is not None:
                return said
        return None
    value = number_in(token)
    if value is not None:
        return Numeral("number", value_terms(value), in_words(value))
    if (place := ordinal_in(token)) is not None:
        return _ordinal_of(place)
    if found := _AGE.fullmatch(token):
        return _age(found)
    if token in CURRENCIES:
        return Numeral("currency", list(weighted(CURRENCIES[token])), CURRENCIES[token][0])
    return None


def read_roman(token: str) -> Numeral | None:
    """Return the value of a lower-case Roman numeral of two letters or more; None if it is not one.

    >>> read_roman("xiv").read_as
    'fourteen'
    """
    if len(token) < 2 or not _ROMAN.fullmatch(token):
        return None
    values = [_ROMAN_VALUES[letter] for letter in token]
    value = sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))
    return Numeral("roman", [*value_terms(value), (ordinal(value), 0.5)], in_words(value))
