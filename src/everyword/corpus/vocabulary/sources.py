"""The named sources of a vocabulary, and what is read from them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword.corpus.lexicons.gcide import Definition, read_gcide
from everyword.corpus.lexicons.spelling_lists import read_hunspell, read_scowl
from everyword.corpus.lexicons.wordnet import WordNet
from everyword.corpus.rows import read_rows
from everyword.corpus.text_file import read_text
from everyword.corpus.vocabulary.informal import informal_forms

STANDARD = 70
"""SCOWL's size up to which a word is beyond doubt; larger lists hold variants, misspellings and obscure names."""
SLANG_SEEN = 2
"""How often an annotator must have met a slang word with one meaning."""
NOT_A_NAME = frozenset(("inc", "corp", "company", "companies", "group", "the", "of", "and", "co", "&", "llc", "ltd"))


@dataclass(frozen=True)
class VocabularySources:
    """Where everything is read from; only `corpus` is read line by line."""

    corpus: Sequence[Path]
    """Files with one sentence per line."""
    frequencies: Path
    """Tab-separated word and Zipf frequency, with a header."""
    wordnet: Path
    """The folder of WordNet's own files."""
    gcide: Path
    """gcide.dict.dz."""
    scowl: Path
    """The folder of SCOWL's lists."""
    hunspell: Sequence[Path]
    """Dictionaries (.dic), each with its .aff beside it."""
    names: Path
    """A folder with us_census1990.tsv.gz, cities.tsv.gz, countries.tsv and fortune500.tsv."""
    misspellings: Path
    """Tab-separated wrong and right; the wrong forms are no words."""
    verbs: Path
    """Tab-separated lemma, form and features of UniMorph."""
    slang: Path
    """Tokens of tweets and their normal forms."""
    paraphrases: Path
    """Tab-separated relation (synonym or antonym) and two words."""
    glossary: Path
    """Tab-separated terms and definitions."""
    foreign: Path
    """A folder with freq/, dict/wiktionary/, dict/xling/ and ud/."""
    paradigms: Path
    """A folder with inflected forms of other languages, german.tsv.gz and so on."""


def normal(text: str) -> str:
    """Return the spelling that is stored: NFKC, lower case, straight apostrophes, one blank between words.

    >>> normal("Schön’s  ﬁrst")
    "schön's first"
    """
    return " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").lower().split())


@dataclass(frozen=True)
class Lexicons:
    """What dictionaries and lists know."""

    frequencies: Mapping[str, float]
    sizes: Mapping[str, int]
    """Words of SCOWL in lower case, with the smallest list that has them."""
    spelt: frozenset[str]
    """Words of Hunspell in lower case."""
    wordnet: WordNet
    gcide: Sequence[Definition]
    people: frozenset[str]
    places: frozenset[str]
    """Cities, countries and capitals; some are several words."""
    companies: frozenset[str]
    wrong: frozenset[str]
    slang: Mapping[str, str]
    glossary: Sequence[tuple[str, str]]
    """Terms and definitions, with informal spellings and their normal forms."""


def read_lexicons(sources: VocabularySources) -> Lexicons:
    """Read all dictionaries and lists of names."""
    sizes: dict[str, int] = {}
    for word, size in read_scowl(sources.scowl).items():
        sizes[normal(word)] = min(size, sizes.get(normal(word), size))
    cities = (cells[0] for _, cells in read_rows(sources.names / "cities.tsv.gz", "list of cities", ("name",)))
    people = read_rows(sources.names / "us_census1990.tsv.gz", "list of names", ("kind", "name"))
    companies = read_rows(sources.names / "fortune500.tsv", "list of companies", ("company",))
    frequencies = read_frequencies(sources.frequencies)
    glossary = read_glossary(sources.glossary)
    listed = {term for term, _ in glossary}
    return Lexicons(
        frequencies=frequencies,
        sizes=sizes,
        spelt=frozenset(normal(word) for path in sources.hunspell for word in read_hunspell(path)),
        wordnet=WordNet(sources.wordnet),
        gcide=[found._replace(term=normal(found.term)) for found in read_gcide(sources.gcide)],
        people=frozenset(normal(cells[1]) for _, cells in people),
        places=frozenset(normal(place) for place in (*cities, *_countries(sources.names / "countries.tsv"))),
        companies=frozenset(_company(cells[0]) for _, cells in companies) - {""},
        wrong=frozenset(
            normal(cells[0]) for _, cells in read_rows(sources.misspellings, "misspelling set", ("wrong", "right"))
        ),
        slang=read_slang(sources.slang),
        glossary=[*glossary, *(pair for pair in informal_forms(frequencies, sizes) if pair[0] not in listed)],
    )


def read_frequencies(path: Path) -> dict[str, float]:
    """Read the Zipf frequencies of words."""
    frequencies: dict[str, float] = {}
    for _, (word, zipf) in read_rows(path, "frequency list", ("word", "zipf")):
        frequencies.setdefault(normal(word), float(zipf))
    return frequencies


def read_glossary(path: Path) -> list[tuple[str, str]]:
    """Read terms and their definitions."""
    rows = read_rows(path, "glossary", ("term", "definition"))
    return [(normal(term), definition) for _, (term, definition) in rows]


def read_slang(path: Path) -> dict[str, str]:
    """Return slang words with their most frequent meaning.

    Pairs whose right word belongs to the held-out half of the misspelling sets (an odd first byte of its SHA-256) are
    left out.
    """
    seen = Counter(_slang_pairs(path))
    meanings: dict[str, str] = {}
    for (word, meaning), count in seen.most_common():
        if count >= SLANG_SEEN and not hashlib.sha256(meaning.encode()).digest()[0] % 2:
            meanings.setdefault(word, meaning)
    return meanings


def _slang_pairs(path: Path) -> Iterator[tuple[str, str]]:
    for line in read_text(path, "annotated tweets"):
        token, _, meaning = line.partition("\t")
        word, meaning = normal(token), normal(meaning)
        if meaning and word != meaning and re.fullmatch(r"[a-z0-9'+/]+", word):
            yield word, meaning


def _countries(path: Path) -> Iterator[str]:
    for line in list(read_text(path, "list of countries"))[1:]:
        name, _, _, capital, *_ = line.split("\t")
        yield from filter(None, (name, capital))


def _company(name: str) -> str:
    words = normal(re.sub(r"[.,]", " ", name)).split()
    while words and words[-1] in NOT_A_NAME:
        words.pop()
    return " ".join(words)
