"""Emoji and other symbols as words: by what people mean by them, and by their Unicode names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from everyword.text.meanings import meaning
from everyword.text.quantities import Terms

_SELECTORS = re.compile("[\ufe0e\ufe0f\u200d\u20e3\U0001f3fb-\U0001f3ff\u2640\u2642]+")
"""Looks of an emoji: as text or picture, skin tones, woman or man behind a joiner, the frame of a key."""
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_TAGS = re.compile("\U0001f3f4([\U000e0061-\U000e007a]+)\U000e007f")
_PERSON = re.compile("([👩👨🧑])[🏻-🏿]?\u200d(.)\ufe0f?")
_JOBS = {
    "🚀": "astronaut",
    "⚕": "doctor",
    "🍳": "cook",
    "🎓": "student",
    "🏫": "teacher",
    "🌾": "farmer",
    "🔧": "mechanic",
}
_JOBS |= {"💻": "programmer", "🎤": "singer", "🎨": "artist", "✈": "pilot", "🚒": "firefighter", "⚖": "judge"}
_JOBS |= {"🔬": "scientist", "💼": "businessman", "🏭": "worker", "🍼": "parent"}
_SUBDIVISIONS = {"gbeng": "england", "gbsct": "scotland", "gbwls": "wales"}

_DESCRIBING_TEXT = """
face sign symbol with and of the in on for emoji heavy light black white medium small large big old open facing
variation selector presentation squared negative circled above below over capital letter emblem mark button
left-pointing right-pointing pictograph outlined digit style mathematical operator modifier
"""
_DESCRIBING = frozenset(_DESCRIBING_TEXT.split())

_COUNTRIES_TEXT = """
ad andorra ae emirates af afghanistan al albania am armenia ao angola ar argentina at austria au australia
az azerbaijan ba bosnia bb barbados bd bangladesh be belgium bf burkina bg bulgaria bh bahrain bi burundi bj benin
bn brunei bo bolivia br brazil bs bahamas bt bhutan bw botswana by belarus bz belize ca canada cd congo cf african
cg congo ch switzerland ci ivory cl chile cm cameroon cn china co colombia cr costa cu cuba cv verde cy cyprus
cz czech de germany dj djibouti dk denmark dm dominica do dominican dz algeria ec ecuador ee estonia eg egypt
er eritrea es spain et ethiopia eu european fi finland fj fiji fr france ga gabon gb britain gd grenada ge georgia
gh ghana gl greenland gm gambia gn guinea gq guinea gr greece gt guatemala gw guinea gy guyana hk hongkong
hn honduras hr croatia ht haiti hu hungary id indonesia ie ireland il israel in india iq iraq ir iran is iceland
it italy jm jamaica jo jordan jp japan ke kenya kg kyrgyzstan kh cambodia kp korea kr korea kw kuwait kz kazakhstan
la laos lb lebanon li liechtenstein lk lanka lr liberia ls lesotho lt lithuania lu luxembourg lv latvia ly libya
ma morocco mc monaco md moldova me montenegro mg madagascar mk macedonia ml mali mm myanmar mn mongolia mo macau
mr mauritania mt malta mu mauritius mv maldives mw malawi mx mexico my malaysia mz mozambique na namibia ne niger
ng nigeria ni nicaragua nl netherlands no norway np nepal nz zealand om oman pa panama pe peru pg papua
ph philippines pk pakistan pl poland pr puerto ps palestine pt portugal py paraguay qa qatar ro romania rs serbia
ru russia rw rwanda sa saudi sc seychelles sd sudan se sweden sg singapore si slovenia sk slovakia sl sierra
sm marino sn senegal so somalia sr suriname ss sudan sv salvador sy syria sz swaziland td chad tg togo th thailand
tj tajikistan tm turkmenistan tn tunisia to tonga tr turkey tt trinidad tw taiwan tz tanzania ua ukraine ug uganda
un nations us america uy uruguay uz uzbekistan va vatican ve venezuela vn vietnam ws samoa xk kosovo ye yemen
za africa zm zambia zw zimbabwe
"""
_COUNTRIES = _COUNTRIES_TEXT.split()
COUNTRIES = dict(zip(_COUNTRIES[::2], _COUNTRIES[1::2], strict=True))
"""One telling word for each country, by its ISO code."""


def is_symbol(character: str) -> bool:
    """Return whether a character is neither letter nor digit nor blank, but has a name."""
    return unicodedata.category(character)[0] in "SPM" and bool(unicodedata.name(character, ""))


def read_symbols(token: str) -> tuple[Terms, str] | None:
    """Return the words of a token of symbols and what it is read as; None if it has none.

    >>> read_symbols("🇫🇷")
    ([('france', 1.0), ('flag', 0.4), ('country', 0.3)], 'france')
    """
    whole = meaning(token.lower()) or meaning(_SELECTORS.sub("", token.lower()))
    if whole is not None:
        named = _name_terms(token[0]) if len(_SELECTORS.sub("", token)) == 1 and not token.isascii() else []
        return [*whole, *((word, 0.4 * weight) for word, weight in named)], " ".join(word for word, _ in whole)
    if person := _PERSON.fullmatch(token):
        job = _JOBS.get(person[2][0])
        if job:
            return [(job, 1.0), ("woman" if person[1] == "👩" else "man" if person[1] == "👨" else "person", 0.2)], job
    terms: Terms = []
    for place in _places(token):
        terms += place
    return (terms, " ".join(dict.fromkeys(word for word, weight in terms if weight >= 0.5))) if terms else None


def _places(token: str) -> list[Terms]:
    """Return the words of each flag, emoji or symbol."""
    if found := _TAGS.fullmatch(token):
        code = "".join(chr(ord(tag) - 0xE0000) for tag in found[1])
        return [[(_SUBDIVISIONS.get(code, "flag"), 1.0), ("flag", 0.4), ("country", 0.3)]]
    if _FLAG.match(token):
        codes = "".join(chr(ord(letter) - 0x1F1E6 + ord("a")) for letter in token[:2])
        flag: Terms = [(COUNTRIES.get(codes, "country"), 1.0), ("flag", 0.4), ("country", 0.3)]
        return [flag, *(_places(token[2:]) if len(token) > 2 else [])]
    seen: list[Terms] = []
    for character in dict.fromkeys(_SELECTORS.sub("", token) or token):
        terms = list(meaning(character) or _name_terms(character))
        if terms and len(seen) < 8:
            seen.append(terms)
    return seen


@lru_cache(maxsize=4096)
def _words_of_name(character: str) -> tuple[str, ...]:
    words = unicodedata.name(character, "").lower().split()
    telling = tuple(word for word in words if word not in _DESCRIBING)
    return telling or tuple(words)


def _name_terms(character: str) -> Terms:
    """Return the telling words of a character's Unicode name; the last word is what the thing is."""
    words = _words_of_name(character)
    terms: Terms = [(word, 1.0 if len(word) > 3 or len(words) == 1 else 0.7) for word in words]
    parts = [(part, 0.5) for word in words if "-" in word for part in word.split("-")]
    return [*terms, *parts]
