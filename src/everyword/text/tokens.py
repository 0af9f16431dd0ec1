"""Tokens: what a user wrote looks like, other ways to write it, and the parts it is made of. No word is looked up."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from everyword.text.scripts import compatible, folded
from everyword.text.symbols import is_symbol

LONGEST = 256
"""Longer than any address that still says something."""
ORDINARY = re.compile(r"[A-Za-z]?[a-z]+|[A-Z]+")
"""A word of plain letters, without a capital inside."""
_NAME = re.compile(r"(?:Mc|Mac|De|Di|Du|La|Le|Fitz|Van|O)[A-Z][a-z]+")
"""Names with a capital inside are one word: McDonald, DeShawn."""
_HUMPS = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z][a-z]+|[a-z]+")
_URL = re.compile(r"(?:(?:https?|ftp)://|www\.)\S+", re.IGNORECASE)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_TLDS = "com org net edu gov io co uk de fr es it ru jp cn info biz app dev tv me us ca au eu nl ch at in br ai ly gg"
_HOST = re.compile(rf"(?:[\w-]+\.)+(?:{_TLDS.replace(' ', '|')})(?:/\S*)?", re.IGNORECASE)
_SECOND_LEVEL = ("co", "com", "org", "net", "ac", "gov", "edu")
_TAG = re.compile(r"[#@]\w[\w.-]*")
_FORUM = re.compile(r"/?[ru]/\w+")
_WEB_MARK = re.compile(r"[/@#.]")
"""Every address, hashtag, handle and file name has one."""
_SEPARATORS = re.compile(r"[\s\-_/\\.,;:+&*=|~()\[\]{}<>\"'!?#@^%]+")
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.){1,}[^\W\d_]{0,2}\.?")
"""Letters with dots: U.S., e.g., Ph.D."""
_CONTRACTION = re.compile(r"(?P<stem>.*\w)(?P<end>n't|'(?:ve|re|ll|m|d|s))|(?P<plural>.+s)'", re.IGNORECASE)
_SAYS_IS = frozenset(("it", "he", "she", "that", "what", "who", "there", "here", "where", "how", "when", "this"))
_ELIDED = frozenset(("l", "d", "qu", "j", "m", "n", "s", "t", "c", "dell", "all", "nell", "dall", "sull", "un"))
"""French and Italian words before an apostrophe that say next to nothing: l'eau, dell'arte."""
SHORT_WITH_MARK = 3
"""An apostrophe in so few letters is no mere mark: I'n is not in."""
AUXILIARIES = frozenset(
    ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "ca", "wo", "sha", "ai")
)
AUXILIARIES |= {"can", "could", "should", "would", "might", "must", "need", "dare", "ought", "may", "used"}
"""Words that n't stands behind."""
HYPHENATED = re.compile(r"[a-z]+(?:-[a-z]+)+")
APOSTROPHES = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)+")
CONTRACTED = {"n't": "not", "'ve": "have", "'re": "are", "'ll": "will", "'m": "am", "'d": "would", "'s": "'s"}
_EXTENSIONS_TEXT = """
documentation: md | text: txt | document: pdf doc docx | spreadsheet: csv xls xlsx | slides: ppt
image: jpg jpeg png gif svg | audio: mp3 wav | video: mp4 avi mov | archive: zip gz tar | program: exe | python: py
javascript: js ts | java: java | code: cpp c h rs go | ruby: rb | php: php | script: sh | webpage: html css
json: json | xml: xml | configuration: yml yaml toml ini | log: log | database: sql
"""
_EXTENSIONS_LISTED = [entry.split(": ") for entry in " | ".join(_EXTENSIONS_TEXT.strip().split("\n")).split(" | ")]
EXTENSIONS = {name: word for word, names in _EXTENSIONS_LISTED for name in names.split()}
"""What a file is, by the end of its name."""
_FILE = re.compile(rf"[\w-]+\.(?P<extension>{'|'.join(EXTENSIONS)})", re.IGNORECASE)

_PREFIXES_TEXT = """
a an anti auto bi co counter cyber de e eco ex extra half hyper i in inter intra macro mega meta micro mid mini mis
multi neo non off out over para post pre pro pseudo quasi re self semi sub super tele trans tri ultra un under uni
up vice well
"""
PREFIXES = frozenset(_PREFIXES_TEXT.split())
"""First parts that say less than the part behind them."""
_STOPWORDS_TEXT = """
a an the of in on at to for from by with and or but not is are was were be been am do does did has have had it its
this that these those as if so than then my your his her our their i you he she we they me him them us 's
"""
STOPWORDS = frozenset(_STOPWORDS_TEXT.split())

_SOUNDS: list[dict[str, str | int | None]] = [
    {"8": "ate", "2": "to", "4": "for", "1": "one"},
    {"8": "eat", "2": "too", "4": "efore", "1": "won"},
    {"8": "ait", "4": "four"},
    {"8": "aight"},
]
_SHAPES: list[dict[str, str | int | None]] = [
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s"},
    {"0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"},
]
_DISGUISED = re.compile(r"(?=.{5})[a-z]+(?:\d{1,2}[a-z]+)+")
_MIXED = re.compile(r"(?=.*[a-z])(?=.*[\d@$!])[a-z\d@$!]+")


class Shape(Enum):
    """What a token looks like."""

    WORD = "word"
    """Letters only, perhaps with accents: what the gate reads."""
    WEB = "web"
    """An address, hashtag, handle or file name."""
    CONTRACTION = "contraction"
    """With a possessive or contracted end."""
    PARTS = "parts"
    """Several words, joined by blanks, hyphens, dots, capitals, digits or symbols."""
    SYMBOLS = "symbols"
    """No letter or digit."""
    SCRIPT = "script"
    """A word in another script than Latin."""
    EMPTY = "empty"


class Part(NamedTuple):
    """A part of a token and how much it counts."""

    text: str
    weight: float = 1.0
    joined: bool = False
    """It may be several words without a mark between them, as in a hashtag."""


def tidy(given: str) -> str:
    """Return a token in compatible characters, without invisible ones, with single blanks; case is kept.

    Characters beyond `LONGEST` are cut off.
    """
    given = given[:LONGEST]
    if given.isascii() and given.isprintable():
        return " ".join(given.split())
    text = " ".join(compatible(given).split())
    kept = (c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Cs") or c == "\u200d" or c > "\U000e0060")
    return " ".join(re.sub("[\ufe0e\ufe0f\u20e3]", "", "".join(kept)).split())


def shape_of(text: str) -> Shape:
    """Return what a tidy token looks like.

    >>> [shape_of(text).value for text in ("O'Brien's", "#love", "heart attack", "naïve", "кошка")]
    ['contraction', 'web', 'parts', 'word', 'script']
    """
    if not any(map(str.isalnum, text)):
        return Shape.SYMBOLS if any(map(is_symbol, text)) else Shape.EMPTY
    if _WEB_MARK.search(text) and any(pattern.fullmatch(text) for pattern in (_URL, _MAIL, _TAG, _FORUM, _FILE, _HOST)):
        return Shape.WEB
    if _CONTRACTION.fullmatch(text):
        return Shape.CONTRACTION
    if len(pieces(text)) > 1 or not all(map(_is_spelling, text)):
        return Shape.PARTS
    return Shape.WORD if folded(text.lower()).isascii() else Shape.SCRIPT


def _is_spelling(character: str) -> bool:
    return character.isalpha() or unicodedata.category(character)[0] == "M"


def other_spellings(text: str) -> Iterator[str]:
    """List other ways to write the whole of a lower-case token, the likeliest first.

    >>> [*other_spellings("e-mail")], [*other_spellings("u.s.")]
    (['e mail', 'email'], ['us', 'u.s'])
    """
    if _ACRONYM.fullmatch(text):
        yield text.replace(".", "")
    bare = text.strip("\"'.,;:!?()[]{}<>*_~-… ")
    if bare != text and bare:
        yield bare
    spaced = " ".join(re.split(r"[\s_\-/]+", bare))
    for joint in " ", "-", "":
        changed = spaced.replace(" ", joint)
        if changed not in (text, bare):
            yield changed
    before, mark, after = bare.partition("'")
    if mark and before in _ELIDED:
        yield after
    for mark in ("'", "."):
        if mark in bare and len(bare) > SHORT_WITH_MARK:
            yield bare.replace(mark, "")
    if " " in spaced or "-" in spaced:
        yield from _singulars(spaced)
        yield from _singulars(spaced.replace(" ", "-"))


def without_digits(text: str) -> list[str]:
    """Return what a lower-case token may say whose digits stand for letters or sounds.

    >>> without_digits("gr8")
    ['grate', 'great', 'grait', 'graight', 'grb', 'gr8']
    """
    if not _MIXED.fullmatch(text):
        return []
    tables = [*_SOUNDS, *(_SHAPES if len(text) > 2 else [])]
    return [text.translate(str.maketrans(table)) for table in tables]


def disguised(text: str) -> str | None:
    """Return a lower-case word between whose letters digits stand for letters; None for other tokens.

    >>> disguised("h4x0r"), disguised("covid19"), disguised("mp3s")
    ('haxor', None, None)
    """
    return text.translate(str.maketrans(_SHAPES[0])) if _DISGUISED.fullmatch(text) else None


def _singulars(phrase: str) -> Iterator[str]:
    if phrase.endswith("ies"):
        yield f"{phrase[:-3]}y"
    if phrase.endswith("es"):
        yield phrase[:-2]
    if phrase.endswith("s") and not phrase.endswith("ss"):
        yield phrase[:-1]


def contraction(text: str) -> tuple[str, str] | None:
    """Return the stem of a possessive or contraction and the word of its end; None if it is neither.

    >>> contraction("city's"), contraction("y'all've"), contraction("boys'"), contraction("O'Brien")
    (('city', "'s"), ("y'all", 'have'), ('boys', "'s"), None)
    """
    found = _CONTRACTION.fullmatch(text)
    if found is None:
        return None
    if found["plural"]:
        return found["plural"], "'s"
    if found["end"].lower() == "'s" and found["stem"].lower() in _SAYS_IS:
        return found["stem"], "is"
    if text.lower() == "let's":
        return found["stem"], "us"
    return found["stem"], CONTRACTED[found["end"].lower()]


def pieces(text: str) -> list[str]:
    """Cut a token at separators and symbols, or if it has none between letters and digits, or else at capitals.

    >>> pieces("snake_caseName"), pieces("covid19"), pieces("HTMLParser"), pieces("CEOs"), pieces("McDonald")
    (['snake', 'caseName'], ['covid', '19'], ['HTML', 'Parser'], ['CEOs'], ['McDonald'])
    """
    if ORDINARY.fullmatch(text) or _NAME.fullmatch(text):
        return [text]
    cut = [token for run in _runs(text) for token in _SEPARATORS.split(run) if token]
    if len(cut) == 1:
        cut = re.findall(r"\d+|\D+", cut[0])
    if len(cut) == 1 and cut[0].isascii() and not _NAME.fullmatch(cut[0]):
        humps = _HUMPS.findall(cut[0])
        cut = humps if len(cut[0]) >= 2 * len(humps) > 0 else cut  # not tHiS
    return cut


def _runs(text: str) -> list[str]:
    """Cut between emoji and everything else."""
    if text.isascii():
        return [text]
    return [run for run in re.split("([\u2190-\u2bff\U0001f000-\U0001fbff\ufe0f\u200d]+)", text) if run]


def web_parts(text: str) -> list[Part]:
    """Return the telling parts of an address, hashtag, handle or file name.

    >>> [part.text for part in web_parts("https://www.example.co.uk/our-story?id=3")]
    ['example', 'our', 'story', 'id', 'website']
    """
    if found := _FILE.fullmatch(text):
        stem = text.rpartition(".")[0]
        return [*_words(stem, 1.0), Part(EXTENSIONS[found["extension"].lower()], 0.6), Part("file", 0.4)]
    if _MAIL.fullmatch(text):
        name, _, host = text.partition("@")
        return [*_words(name, 1.0), *_words(_main_of(host), 0.7), Part("email", 0.8), Part("address", 0.3)]
    if _TAG.fullmatch(text):
        return _words(text[1:], 1.0)
    if _FORUM.fullmatch(text):
        forum = [Part("reddit", 0.5)] if "r/" in text else []
        return [*_words(text.rpartition("/")[2], 1.0), *forum]
    address = re.sub(r"^(?:https?|ftp)://|^www\.", "", text, flags=re.IGNORECASE)
    address = re.sub(r"^www\.", "", address, flags=re.IGNORECASE)
    host, _, path = address.partition("/")
    of_path = [part for part in _words(path, 0.5) if not part.text.isdigit()][:6]
    return [*_words(_main_of(host.partition(":")[0]), 1.0), *of_path, Part("website", 0.35)]


def _main_of(host: str) -> str:
    """Return the name in a host: bbc of news.bbc.co.uk."""
    names = host.split(".")
    if len(names) > 1:
        names.pop()
    if len(names) > 1 and names[-1].lower() in _SECOND_LEVEL:
        names.pop()
    return names[-1]


def _words(text: str, weight: float) -> list[Part]:
    return [Part(piece, weight, joined=True) for piece in _SEPARATORS.split(text) if piece]
