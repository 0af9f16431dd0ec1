"""Words for numbers: a value as weighted number words, and the words of units and currencies.

A value is a mixture of the number words around it, so that near values have near vectors: 42 is forty-two, a good
deal of forty, a little of fifty and two. Above a hundred the scale is logarithmic, as people feel it.
"""

from __future__ import annotations

import math
from functools import cache

Terms = list[tuple[str, float]]
"""Words and their weights in a vector."""

_SMALL_TEXT = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen
"""
SMALL = _SMALL_TEXT.split()
TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = [(100, "hundred"), (1000, "thousand"), (10**6, "million"), (10**9, "billion"), (10**12, "trillion")]
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_ORDINALS |= {"twelve": "twelfth"}
_DECADES_TEXT = """
noughties teens twenties thirties forties fifties sixties seventies eighties nineties
"""
DECADES = _DECADES_TEXT.split()
_WORDS = {word: value for value, word in enumerate(SMALL)} | {word: 10 * value for value, word in enumerate(TENS)}

LIMIT = 10**15
"""Greater numbers are only "a great number"."""

_UNITS = """
kg kgs kilo kilos: kilograms kilogram weight | g gr: grams gram weight | mg: milligrams milligram dose
lb lbs: pounds pound weight | oz: ounces ounce weight | t: tons tonnes weight
km kms: kilometers kilometer distance | m: meters metres length | cm: centimeters inches length
mm: millimeters millimeter inches | nm: nanometers nanometer wavelength | µm μm um: micrometers microns
mi: miles mile distance | ft: feet foot height | in: inches inch length | yd yds: yards yard distance
m2 sqm: square meters area | km2: square kilometers area | ft2 sqft: square feet area | m3: cubic meters volume
cm3 cc: cubic centimeters engine | ha: hectares acres area | l: liters litres volume | ml: milliliters liquid volume
cl: liters bottle volume | gal: gallons gallon fuel | hr hrs h: hours hour time | min mins: minutes minute time
s sec secs: seconds second time | ms: milliseconds seconds latency | d: days day | wk wks: weeks week
mo mos: months month | yr yrs y: years year | yo: age years old | km/h kmh kph kmph: kilometers speed hour
mph: miles speed hour | m/s: meters speed second | kn kt kts: knots speed | °c c: celsius degrees temperature
°f: fahrenheit degrees temperature | ° deg: degrees degree angle | k: thousand thousands | hz: hertz frequency
khz: kilohertz frequency hertz | mhz: megahertz frequency radio | ghz: gigahertz processor frequency
w: watts watt power | kw: kilowatts power watts | mw: megawatts power electricity | gw: gigawatts power electricity
kwh: kilowatt electricity energy | v: volts volt voltage | kv: kilovolts voltage | ma: milliamps current
mah: battery capacity | a: amps current | j: joules energy | kj: kilojoules energy
kcal cal: calories calorie energy | b: bytes byte | kb: kilobytes memory file | mb: megabytes memory file
gb: gigabytes memory storage | tb: terabytes storage disk | pb: petabytes storage data | kbps: kilobits bandwidth
mbps: megabits bandwidth internet | gbps: gigabits bandwidth network | px: pixels pixel screen
mp: megapixels camera | dpi: resolution pixels printer | fps: frames video | rpm: revolutions engine speed
bpm: beats tempo heart | psi: pressure pounds inch | bar: pressure bar | pa: pressure pascal | hpa: pressure weather
atm: pressure atmosphere | db: decibels loudness noise | hp bhp: horsepower engine
ppm: concentration parts million | mmhg: pressure blood | mol: moles chemistry | x: times fold | p: pence pages
%: percent percentage | ‰: thousandth percent | pc pct: percent percentage | pt pts: points point
ct: carats diamond | bbl: barrels oil | acre acres: acres acre area | nmi: nautical miles distance
ly: light years distance | ev: electron energy | k/d: ratio
"""
_CURRENCIES = """
$ usd us$ dollar: dollars dollar money | € eur: euros euro money | £ gbp: pounds pound money
¥ jpy: yen money currency | cny rmb: yuan money currency | ₹ inr rs: rupees rupee money | ₽ rub: rubles ruble money
₩ krw: won money currency | ₿ btc: bitcoin cryptocurrency money | chf: francs swiss money
a$ aud: dollars australian money | c$ ca$ cad: dollars canadian money | ¢: cents cent penny
kr sek nok dkk: kronor money currency | zł pln: zloty money currency | ₺ try: lira turkish money
₴ uah: money currency ukrainian | ₪ ils: shekels money | r$ brl: money currency brazilian | ₫ vnd: money currency
฿ thb: baht money currency
"""


def _table(text: str) -> dict[str, tuple[str, ...]]:
    entries = (entry.partition(": ") for line in text.split("\n") for entry in line.split(" | ") if entry)
    return {name: tuple(words.split()) for names, _, words in entries for name in names.split()}


UNITS = _table(_UNITS)
CURRENCIES = _table(_CURRENCIES)
NAMES = frozenset((*_WORDS, *UNITS, *CURRENCIES))
"""Words and letters that say a number, a unit or a currency."""
MULTIPLIERS = {"k": 10**3, "m": 10**6, "mn": 10**6, "mio": 10**6, "mln": 10**6, "b": 10**9, "bn": 10**9, "tn": 10**12}


def in_words(value: int) -> str:
    """Return a whole number in English.

    >>> in_words(42), in_words(1105), in_words(-3)
    ('forty-two', 'one thousand one hundred five', 'minus three')
    """
    if value < 0:
        return f"minus {in_words(-value)}"
    if value < 20:
        return SMALL[value]
    if value < 100:
        return TENS[value // 10] + (f"-{SMALL[value % 10]}" if value % 10 else "")
    size, name = max(scale for scale in SCALES if scale[0] <= value)
    rest = f" {in_words(value % size)}" if value % size else ""
    return f"{in_words(value // size)} {name}{rest}"


def ordinal(value: int) -> str:
    """Return an ordinal in English.

    >>> ordinal(3), ordinal(21), ordinal(40)
    ('third', 'twenty-first', 'fortieth')
    """
    head, joint, last = in_words(value).rpartition("-" if value % 10 and value % 100 > 20 else " ")
    if last in _ORDINALS:
        return head + joint + _ORDINALS[last]
    return head + joint + (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")


def number_in(words: str) -> int | None:
    """Return the value of a number below a hundred in English; None for other words.

    >>> number_in("twenty-five"), number_in("seven"), number_in("high-five")
    (25, 7, None)
    """
    if words in _WORDS:
        return _WORDS[words]
    tens, _, ones = words.partition("-")
    if tens in TENS[2:] and ones in SMALL[1:10]:
        return _WORDS[tens] + _WORDS[ones]
    return None


@cache
def _ordinal_words() -> dict[str, int]:
    return {ordinal(value): value for value in range(1, 100)}


def ordinal_in(words: str) -> int | None:
    """Return the value of an ordinal up to ninety-ninth in English; None for other words.

    >>> ordinal_in("twenty-first")
    21
    """
    return _ordinal_words().get(words)


def value_terms(value: float, weight: float = 1.0) -> Terms:
    """Return a value as weighted number words."""
    return [(word, round(share * weight, 4)) for word, share in _value_terms(abs(value)) if share * weight >= 0.01] + (
        [("minus", weight), ("negative", weight)] if value < 0 else []
    )


def _value_terms(value: float) -> Terms:
    if value >= LIMIT:
        return [("trillion", 1.0), ("billion", 0.5), ("number", 0.5)]
    if value != int(value):
        return _decimal_terms(value)
    whole = int(value)
    if whole < 20 or (whole < 100 and whole % 10 == 0):
        near = [in_words(other) for other in (whole - 1, whole + 1) if 0 <= other < 20 and whole < 20]
        return [(in_words(whole), 1.0), *((word, 0.15) for word in near)]
    if whole < 100:
        tens, ones = divmod(whole, 10)
        above = TENS[tens + 1] if tens < 9 else "hundred"
        return [(in_words(whole), 1.0), (TENS[tens], 0.5), (above, 0.04 * ones), (SMALL[ones], 0.2)]
    return _great_terms(whole)


def _great_terms(value: int) -> Terms:
    place = max(place for place, (size, _) in enumerate(SCALES) if size <= value)
    size, name = SCALES[place]
    terms: Terms = [(name, 1.0)]
    if place + 1 < len(SCALES):
        above, above_name = SCALES[place + 1]
        terms.append((above_name, 0.7 * math.log(value / size) / math.log(above / size)))
    if value == size:
        return terms
    lead, rest = divmod(value, size)
    terms += [(word, 0.5 * share) for word, share in _value_terms(lead)]
    if rest and value < 10_000:
        terms += [(word, 0.15 * share) for word, share in _value_terms(rest)]
    return terms


def _decimal_terms(value: float) -> Terms:
    below, above = math.floor(value), math.ceil(value)
    part = value - below
    terms = [(word, share * (1 - part)) for word, share in _value_terms(below) if below]
    terms += [(word, share * part) for word, share in _value_terms(above)]
    half = [("half", 0.5)] if part == 0.5 else []
    return [*terms, *half, ("decimal", 0.5), ("point", 0.2), *([] if below else [("fraction", 0.3)])]
