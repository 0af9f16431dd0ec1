"""Names by other names of the same kind: people, companies, countries and cities, in every place of a text.

A person is a first name with a last name behind it; both parts are replaced, the first by one of the same gender, and
so are places where one of them stands alone. Names are found by lists, so a word that the texts also use in lower case
is not taken for a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.robustness.attack import Text, words_replaced
from everyword.sentences.tokens import tokens_of

NameKind = Literal["people", "companies", "countries", "cities"]
NAME_KINDS: tuple[NameKind, ...] = ("people", "companies", "countries", "cities")
FILES: Mapping[NameKind, tuple[str, str]] = {
    "people": ("names/us_census1990.tsv.gz", "kind, name"),
    "companies": ("names/fortune500.tsv", "company"),
    "countries": ("names/countries.tsv", "name"),
    "cities": ("names/cities.tsv.gz", "name"),
}
"""Where the names of a kind are in a data folder, and the columns that count."""
BANDS = ("known", "rare", "unknown")
FIRST, LAST, WHOLE = ("female", "male"), "last", "whole"
FEWEST = 20
"""A pool with fewer names is not drawn from."""
SHORTEST = 3
CLEARLY = 5.0
"""A first name has a gender if it is so many times as frequent in one list as in the other."""
_WORD = r"[A-Z][\w'’-]*\w"
PERSON = re.compile(rf"(?<![\w.-])({_WORD}) (?=(?:[A-Z]\. )?({_WORD})(?!\w))")
CAPITAL = re.compile(r"(?<![\w-])[A-Z][\w&'’.-]*")
MOST_WORDS = 5
"""Of a company, a country or a city."""

Bands = Callable[[str], str]
"""Word → the band of its frequency."""


class Mention(NamedTuple):
    """A name in a text: its parts by the list that they are of."""

    parts: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """The name as it is written."""
        return " ".join(part for _, part in self.parts)


@dataclass(frozen=True)
class Names:
    """Names of a kind, by list: last names, and first names by gender; or whole names."""

    kind: NameKind
    lists: Mapping[str, tuple[str, ...]]
    shares: Mapping[str, Mapping[str, float]]
    """How frequent first names are, by list."""

    @classmethod
    def load(cls, kind: NameKind, folder: Path) -> Names:
        """Read the names of a kind from a data folder."""
        path = folder / FILES[kind][0]
        if kind != "people":
            column = FILES[kind][1]
            names = [cells[0] for _, cells in read_rows(path, "list of names", (column,))]
            return cls(kind, {WHOLE: tuple(dict.fromkeys(names))}, {})
        lists: dict[str, dict[str, float]] = {name: {} for name in (*FIRST, LAST)}
        for number, (part, name, percent) in read_rows(path, "list of names", ("kind", "name", "percent")):
            try:
                lists[part][name] = float(percent)
            except (KeyError, ValueError):
                raise InputError(
                    f"{path}:{number}: needs female, male or last, a name and a number; fix this line."
                ) from None
        return cls(kind, {part: tuple(names) for part, names in lists.items()}, lists)

    @cached_property
    def _sets(self) -> dict[str, frozenset[str]]:
        return {part: frozenset(names) for part, names in self.lists.items()}

    def gender(self, name: str) -> tuple[str, ...]:
        """Return the lists that a first name may be replaced from: one if its gender is clear, else both; or none."""
        female, male = (self.shares[part].get(name, 0.0) for part in FIRST)
        if not female and not male:
            return ()
        if female > CLEARLY * male or male > CLEARLY * female:
            return (FIRST[0] if female > male else FIRST[1],)
        return FIRST

    def find(self, text: Text, ambiguous: Collection[str]) -> list[Mention]:
        """Return the names in a text, each once; names that are ambiguous words are left out."""
        found = self._people(text, ambiguous) if self.kind == "people" else self._whole(text, ambiguous)
        return list(dict.fromkeys(found))

    def _people(self, text: Text, ambiguous: Collection[str]) -> Iterable[Mention]:
        for part in text:
            for first, last in PERSON.findall(part):
                lists = self.gender(first)
                if lists and last in self._sets[LAST] and not (first.lower() in ambiguous or last.lower() in ambiguous):
                    yield Mention((("/".join(lists), first), (LAST, last)))

    def _whole(self, text: Text, ambiguous: Collection[str]) -> Iterable[Mention]:
        for part in text:
            reached = 0
            for found in CAPITAL.finditer(part):
                name = self._longest(part[found.start() :]) if found.start() >= reached else None
                if name is not None and name.lower() not in ambiguous:
                    reached = found.start() + len(name)
                    yield Mention(((WHOLE, name),))

    def _longest(self, rest: str) -> str | None:
        """Return the longest name that a text begins with."""
        ends = [match.end() for match in islice(re.finditer(r"[^\s,;:()]+", rest), MOST_WORDS)]
        cut = (rest[:end].rstrip(".") for end in reversed(ends))
        names = (cleaned for name in cut for cleaned in (name, name.removesuffix("'s")))
        return next((name for name in names if len(name) >= SHORTEST and name in self._sets[WHOLE]), None)

    def within(self, chosen: Callable[[str], bool]) -> Names:
        """Return the names of whose words all are chosen."""
        lists = {part: tuple(name for name in names if chosen(name)) for part, names in self.lists.items()}
        return replace(self, lists=lists)


def lower_case_words(texts: Iterable[Text]) -> set[str]:
    """Return the words that texts write in lower case; a name that is one of them is ambiguous."""
    return {token for text in texts for part in text for token in tokens_of(part) if token[:1].islower()}


def words_in(texts: Iterable[Text]) -> set[str]:
    """Return all words of texts as they are written."""
    return {token for text in texts for part in text for token in tokens_of(part)}


def by_band(names: Names, bands: Bands) -> dict[str, Names]:
    """Return the names of each band; the rarest word of a name decides."""
    band_of: dict[str, str] = {}
    lists = list(names.lists.items())
    for _, every in lists:
        for name in every:
            if name not in band_of:
                band_of[name] = max((bands(word) for word in tokens_of(name)), key=BANDS.index, default=BANDS[-1])
    return {
        band: replace(names, lists={part: tuple(one for one in every if band_of[one] == band) for part, every in lists})
        for band in BANDS
    }


@dataclass(frozen=True)
class NameReplacer:
    """Replaces the first name of a text, wherever it stands, by names that are drawn from lists."""

    names: Names
    """All names, by which mentions are found."""
    pool: Names
    """The names that are put in."""
    ambiguous: Collection[str] = frozenset()
    """Words in lower case that are no names."""
    both: bool = False
    """Whether every text of a pair must have the name."""

    def mention(self, text: Text) -> Mention | None:
        """Return the name that is replaced."""
        for found in self.names.find(text, self.ambiguous):
            if not self.both or all(any(word in part for _, word in found.parts) for part in text):
                return found
        return None

    def rewritten(self, text: Text, budget: int, rng: Random) -> list[Text]:
        """Return texts with other names; none if there is no name, or nothing to put in its place."""
        mention = self.mention(text)
        if mention is None:
            return []
        return [replaced(text, mention, name) for name in self._drawn(mention, budget, rng)]

    def _drawn(self, mention: Mention, budget: int, rng: Random) -> list[tuple[str, ...]]:
        pools = []
        for lists, own in mention.parts:
            pool = self._pool(lists)
            if lists not in (LAST, WHOLE) and len(pool) < FEWEST:
                pool = (own,)  # too few first names of this band: this one stays
            elif pool in ((), (own,)):
                return []
            pools.append((pool, own))
        return [tuple(_other(pool, own, rng) for pool, own in pools) for _ in range(budget)]

    def _pool(self, lists: str) -> tuple[str, ...]:
        """Return the names of some lists together."""
        if lists not in self._pools:
            self._pools[lists] = tuple(name for part in lists.split("/") for name in self.pool.lists[part])
        return self._pools[lists]

    @cached_property
    def _pools(self) -> dict[str, tuple[str, ...]]:
        return {}


def _other(pool: Sequence[str], own: str, rng: Random) -> str:
    """Draw a name that is not the given one, unless there is no other."""
    name = rng.choice(pool)
    while name == own and len(pool) > 1:
        name = rng.choice(pool)
    return name


def replaced(text: Text, mention: Mention, name: Sequence[str]) -> Text:
    """Return a text with another name in every place of a mention, and of its parts alone.

    >>> person = Mention((("female", "Ann"), ("last", "Lee")))
    >>> replaced(("Ann Lee met Lee's son.", "Ms Lee did."), person, ("Eve", "Ray"))
    ("Eve Ray met Ray's son.", 'Ms Ray did.')
    """
    return words_replaced(text, dict(zip((part for _, part in mention.parts), name, strict=True)))
