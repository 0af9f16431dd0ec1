"""Token → weighted known words: other spellings, numbers, symbols, parts, other scripts.

The first that fits wins: stored in another spelling, a number, symbols, an address, a contraction, several parts,
another script. An ordinary word stays as it is; its vector is made by the blender.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from everyword.models.explanation import Source
from everyword.text.meanings import MEANINGS, meaning
from everyword.text.normalise import Normaliser
from everyword.text.numbers import read_number, read_roman
from everyword.text.quantities import NAMES, Terms
from everyword.text.scripts import folded, spelt_out, transliterated
from everyword.text.symbols import read_symbols
from everyword.text.tokens import (
    APOSTROPHES,
    AUXILIARIES,
    HYPHENATED,
    ORDINARY,
    PREFIXES,
    STOPWORDS,
    Part,
    Shape,
    contraction,
    disguised,
    other_spellings,
    pieces,
    shape_of,
    tidy,
    web_parts,
    without_digits,
)

NUMBER_WEIGHT, SYMBOL_WEIGHT, UNKNOWN_WEIGHT, STOP_WEIGHT, PREFIX_WEIGHT, HEAD_WEIGHT = 0.45, 0.6, 0.8, 0.2, 0.65, 1.15
"""How much parts of a composed token count beside a rare known word, which has 1."""
LETTER_WEIGHT = 0.4
LONGEST_SIGN = 4
"""Units, currencies and emoticons of letters have no more: kwh, mmhg, xd."""
_SIGNS = NAMES.union(MEANINGS)
"""All tokens of so few letters that are numbers, units, currencies or emoticons, and others."""
FAMOUS_WEIGHT = 0.9
"""How much the value of a number counts beside the meaning that people give it: 101, 365, 911."""
WITHOUT_DIGITS = 0.85
"""How sure one is of gr8 as great beside e-mail as email."""
RARE, GROWTH = 50_000, 0.12
"""The weight of a known word grows with this power of its rank, up to 1: the power and the weight of prefixes make
composed vectors of stored hyphenated words most like the stored ones."""
MOST_PARTS = 32
DEEPEST = 4
IDEOGRAPH = [("ideograph", 1.0), ("chinese", 0.6), ("character", 0.4)]
"""All that is said of a letter that has no sound by its name, as those of Chinese have not."""
SHORT = frozenset(
    ("a", "i", "am", "an", "as", "at", "be", "by", "do", "go", "he", "if", "in", "is", "it", "la", "me", "my", "no")
)
SHORT |= {"ny", "of", "oh", "ok", "on", "or", "so", "to", "tv", "uk", "up", "us", "we"}
LONGEST_JOINED, FREQUENT = 40, 60_000
"""Hashtags and names of hosts are cut into words of these ranks."""


class Reading(NamedTuple):
    """What a token was read as: weighted texts, each a known word or one that the maker has to make."""

    kind: str
    terms: Terms
    read_as: str | None = None
    understood: float = 1.0
    """The share of the token's characters that could be read."""
    whole: str | None = None
    """The whole as one word, if it has parts that are not stored: perhaps it is a misspelling of one."""

    @property
    def source(self) -> Source:
        """Return the source of the vector; that of an ordinary word is told by its maker."""
        return _SOURCES.get(self.kind, Source.NONE)


_SOURCES = {
    "spelling": Source.RETRIEVED,
    "number": Source.NUMBER,
    "symbol": Source.SYMBOL,
    "composed": Source.COMPOSED,
    "transliterated": Source.TRANSLITERATED,
}
NOTHING = Reading("nothing", [])


class Reader:
    """Reads tokens that are not stored as they stand as weighted texts."""

    def __init__(self, index: Mapping[str, int], normalise: Normaliser) -> None:
        self.index, self.normalise = index, normalise

    def is_word(self, token: str) -> bool:
        """Return whether a token, if it is not stored, can be nothing but a word, and is normalised already.

        Some of which it is not said are words nevertheless.
        """
        return (
            token.islower()
            and token.isascii()
            and token.isalpha()
            and len(token) <= self.normalise.max_length
            and (len(token) > LONGEST_SIGN or token not in _SIGNS)
        )

    def read(self, given: str) -> Reading:
        """Return what a token is read as."""
        token = given.strip()
        if ORDINARY.fullmatch(token):
            return self._read_letters(token)
        if not token.isascii() and (meant := meaning(token.lower())):
            return Reading("symbol", self._stored_terms(meant), " ".join(word for word, _ in meant))
        return self._read(tidy(given)) or NOTHING

    def _read_letters(self, token: str) -> Reading:
        # Most tokens end here: letters in lower case are normalised already.
        spelt = token if token.islower() and len(token) <= self.normalise.max_length else self.normalise(token)
        if token.isupper() and (roman := read_roman(token.lower())):
            return Reading("number", self._stored_terms(roman.terms), roman.read_as)
        if len(spelt) <= LONGEST_SIGN:
            if said := read_number(spelt):
                return Reading("number", self._stored_terms(said.terms), said.read_as)
            if meant := meaning(spelt):
                return Reading("symbol", self._stored_terms(meant), " ".join(word for word, _ in meant))
        return Reading("word", [(spelt, 1.0)])

    def _read(self, text: str, depth: int = 0) -> Reading | None:
        if not text:
            return None
        if ORDINARY.fullmatch(text):
            lower = text.lower()
            return Reading("spelling", [(lower, 1.0)], lower) if lower in self.index else self._read_letters(text)
        if whole := self._read_whole(text.lower()):
            return whole
        shape = shape_of(text)
        if shape is Shape.SYMBOLS:
            return self._read_symbols(text)
        if shape is Shape.WEB:
            return self._composed(web_parts(text), depth)
        if shape is Shape.CONTRACTION and (read := self._read_contraction(text, depth)):
            return read
        if shape in (Shape.WORD, Shape.SCRIPT):
            return self._read_word(text, shape)
        return self._read_parts(text, depth)

    def _read_whole(self, lower: str) -> Reading | None:
        """Read a token that is stored, has a meaning of its own, or is a number."""
        if found := self._first_stored((lower,) if lower.isascii() else (lower, folded(lower), spelt_out(lower))):
            return Reading("spelling", [(found, 1.0)], found)
        said = read_number(lower)
        if meant := meaning(lower):
            share = FAMOUS_WEIGHT if lower.isdigit() else NUMBER_WEIGHT
            number = [] if said is None else [(word, share * weight) for word, weight in said.terms]
            kind = "number" if lower[0].isdigit() else "composed" if lower[0].isalnum() else "symbol"
            return Reading(kind, self._stored_terms([*meant, *number]), " ".join(word for word, _ in meant))
        return None if said is None else Reading("number", self._stored_terms(said.terms), said.read_as)

    def _read_word(self, text: str, shape: Shape) -> Reading | None:
        if shape is Shape.SCRIPT:
            return self._read_script(text)
        lower = folded(text.lower())
        if text[:-1].isupper() and lower.endswith("s") and lower[:-1] in self.index:  # CEOs
            return Reading("spelling", [(lower[:-1], 1.0)], lower[:-1])
        return Reading("word", [(lower, 1.0)])

    def _read_parts(self, text: str, depth: int) -> Reading | None:
        lower = folded(text.lower())
        cut = [Part(piece) for piece in pieces(text)]
        if found := self._first_stored(other_spellings(lower)):
            if len(cut) < 2 or " " in found or "-" in found or self.index[found] < RARE:
                return Reading("spelling", [(found, 1.0)], found)
            cut.insert(0, Part(found, 2.0))  # joined, it is so rare that its parts say as much
        elif found := self._commonest(without_digits(lower)):
            return Reading("spelling", [(found, 1.0)], found, WITHOUT_DIGITS)
        if APOSTROPHES.fullmatch(lower) or disguised(lower):
            return Reading("word", [(disguised(lower) or lower, 1.0)])
        if len(cut) > 1 and depth < DEEPEST:
            composed = self._composed(cut, depth)
            misspelt = HYPHENATED.fullmatch(lower) and not all(part.text.lower() in self.index for part in cut)
            return composed._replace(whole=lower) if composed is not None and misspelt else composed
        inner = cut[0].text if cut else text
        return self._read(inner, depth + 1) if inner != text and depth < DEEPEST else self._read_script(inner)

    def _first_stored(self, spellings: Iterable[str]) -> str | None:
        return next((spelling for spelling in spellings if spelling in self.index), None)

    def _commonest(self, spellings: Iterable[str]) -> str | None:
        rows = {text: self.index.get(text, FREQUENT) for text in spellings}
        return min((text for text, row in rows.items() if row < FREQUENT), key=rows.__getitem__, default=None)

    def _stored_terms(self, terms: Iterable[tuple[str, float]]) -> Terms:
        """Return the terms that are stored, each once; if there is none, the first."""
        total: dict[str, float] = {}
        listed = list(terms)
        for word, weight in listed:
            if word in self.index:
                total[word] = total.get(word, 0.0) + weight
        return list(total.items()) or listed[:1]

    def _read_symbols(self, text: str) -> Reading | None:
        read = read_symbols(text)
        return Reading("symbol", self._stored_terms(read[0]), read[1]) if read else None

    def _read_contraction(self, text: str, depth: int) -> Reading | None:
        cut = contraction(text)
        if cut is None or depth >= DEEPEST:
            return None
        stem, end = cut
        if end == "not" and stem.lower() not in AUXILIARIES:
            return Reading("word", [(folded(text.lower()), 1.0)])
        if end == "'s":
            end = self._first_stored(("'s", "its")) or end
            # A name with 's may be the name of a firm, and that is written without the apostrophe too.
            firm = self._first_stored((f"{stem}s".lower(),)) if stem[0].isupper() else None
            return self._composed(
                [Part(stem), Part(end, 0.12), *([Part(firm, 0.5)] if firm else [])], depth, fixed=True
            )
        return self._composed([Part(stem), Part(end, 0.6)], depth, fixed=True)

    def _read_script(self, text: str) -> Reading | None:
        latin, understood = transliterated(text)
        latin = "".join(pieces(latin)) if latin else ""
        if not any(character.isalpha() for character in latin):
            if not any(character.isalpha() for character in text):
                return self._read_symbols(text)
            return Reading("transliterated", self._stored_terms(IDEOGRAPH), None, 0.1)
        found = self._first_stored((latin,)) or latin
        return Reading("transliterated", [(found, 1.0)], found, understood)

    def _composed(self, parts: Sequence[Part], depth: int, *, fixed: bool = False) -> Reading | None:
        """Join the readings of parts, each weighed by how much it tells; `fixed` leaves the weights as they are."""
        cut = [piece for part in parts[:MOST_PARTS] for piece in self._cut_joined(part)]
        read = [(part, self._read(part.text, depth + 1)) for part in cut]
        terms: dict[str, float] = {}
        last = len(read) - 1
        for place, (part, reading) in enumerate(read):
            if reading is None or not reading.terms:
                continue
            weight = part.weight if fixed else part.weight * self._information(part.text.lower(), reading, place, last)
            total = sum(abs(share) for _, share in reading.terms)
            for word, share in reading.terms:
                terms[word] = terms.get(word, 0.0) + weight * share / total
        if not terms:
            return None
        if len(cut) == 1 and read[0][1] is not None:
            return read[0][1]
        return Reading("composed", list(terms.items()), " + ".join(part.text.lower() for part in cut))

    def _information(self, text: str, reading: Reading, place: int, last: int) -> float:
        """Return how much a part tells: a rare word more than a common one, a prefix less than what follows it."""
        if reading.kind in ("number", "symbol"):
            return NUMBER_WEIGHT if reading.kind == "number" else SYMBOL_WEIGHT
        row = self.index.get(reading.terms[0][0])
        if len(text) == 1:
            weight = LETTER_WEIGHT
        elif text in STOPWORDS:
            weight = STOP_WEIGHT
        elif row is None:
            weight = UNKNOWN_WEIGHT
        else:
            weight = min(1.0, (row + 10) / RARE) ** GROWTH
        if place == last and len(text) > 1:
            return HEAD_WEIGHT * weight
        return PREFIX_WEIGHT * weight if text in PREFIXES else weight

    def _cut_joined(self, part: Part) -> list[Part]:
        """Cut a part of a hashtag or an address into frequent words, if it is not stored and can be cut."""
        lower = part.text.lower()
        if not part.joined or lower in self.index:
            return [part]
        cut = pieces(part.text)
        if len(cut) > 1:
            return [leaf for piece in cut for leaf in self._cut_joined(Part(piece, part.weight, joined=True))]
        return [Part(word, part.weight) for word in self._segmented(lower)] or [part]

    def _segmented(self, text: str) -> list[str]:
        """Return the likeliest cut into frequent words; nothing if there is none."""
        if not 5 <= len(text) <= LONGEST_JOINED:
            return []
        best: list[tuple[float, int]] = [(0.0, 0)]
        for end in range(1, len(text) + 1):
            options = [(float("inf"), 0)]
            for start in range(max(0, end - 20), end):
                row = self.index.get(text[start:end])
                if row is not None and _can_be_inside(text[start:end], row) and best[start][0] < float("inf"):
                    options.append((best[start][0] + _cost(text[start:end], row), start))
            best.append(min(options))
        if best[-1][0] == float("inf"):
            return []
        cut, end = list[str](), len(text)
        while end:
            cut.insert(0, text[best[end][1] : end])
            end = best[end][1]
        return cut


def _cost(word: str, row: int) -> float:
    """Return how unlikely a word is inside a hashtag; short ones are mostly chance."""
    return log(row + 10) + (2.0 if len(word) > 2 else 5.0)


def _can_be_inside(word: str, row: int) -> bool:
    return row < FREQUENT and (len(word) > 2 or word in SHORT)
