"""Choose terms of several words: those of dictionaries, and frequent names and noun phrases of the corpus.

A name is a sequence of capitalised words. A noun phrase is a sequence of adjectives and nouns whose words meet much
more often than chance would have them: "heart attack", but not "other countries". Both must be whole: what nearly
always goes on ("diocese of san", "fatal heart") is a fragment, and two terms that meet by chance are two terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from everyword.arrays import BoolArray
from everyword.corpus.lexicons.wordnet import ADJECTIVE, NOUN, WordNet, sense_counts
from everyword.corpus.vocabulary.corpus_counts import CorpusCounts, Phrases
from everyword.corpus.vocabulary.function_words import FUNCTION_WORDS, HAZY, IN_NAMES, INSIDE, JOINING, LIGHT, TITLES
from everyword.corpus.vocabulary.inflections import base_forms
from everyword.corpus.vocabulary.sources import Lexicons

NAME_COUNT, NOUN_COUNT = 5, 8
"""The minimum number of occurrences of names and noun phrases."""
SPREAD = 2
"""The minimum number of stretches of the corpus in which a phrase occurs."""
JOINED_COUNT = 15
"""The minimum for names with "and" inside: most are lists."""
NAME_SHARE = 0.6
"""The share of occurrences in which all content words are capitalised."""
LONGEST, LONGEST_SEEN = 5, 6
"""The most words of a phrase of the corpus, and of those that it may be a fragment of."""
TOGETHER, LINKED, JOINED, NOUNS, HAZILY = 4.0, 5.0, 7.0, 6.0, 8.0
"""How much more often than by chance the two sides of a phrase meet wherever it is cut, as a logarithm (base 2): sides
of a name, of one with "of" inside, of one with "and", of a noun phrase, and of one with words that say little."""
FREQUENT = 0.3
"""How much less is enough each time that a phrase is twice as frequent, from 32 times on: common words meet others."""
DISCOUNT = 2
"""Taken off each count, because rare phrases meet by chance."""
FRAGMENT = 0.6
"""A phrase that is part of a longer one so often, or goes on so often, is a fragment."""
UNSEEN_ZIPF = 0.8
UNSEEN_COUNT = 0.3
ARTICLE = re.compile(r"^(?:to|the|an?) ")
WORD = re.compile(r"[^\W\d_][^\W_]*(?:['&.-][^\W_]+)*'?\.?")
CONTRACTION = re.compile(r".+(?:n't|'(?:ll|re|ve|d|m|all))")
PARTICIPLE = re.compile(r".{3,}(?:ing|ed)")
LONGEST_TERM = 60


@dataclass(frozen=True)
class Counted:
    """A phrase of the corpus."""

    count: int
    is_name: bool
    is_whole: bool
    """Whether it is neither a fragment nor of one article only."""


class PhraseChoice:
    """Counts phrases and decides which are terms."""

    def __init__(self, lexicons: Lexicons, counts: CorpusCounts, wordnet_folder: Path) -> None:
        self._lexicons, self._counts = lexicons, counts
        self.terms = set(dictionary_terms(lexicons))
        self._listed = set(listed_terms(lexicons)) - self.terms
        parts = _Parts(lexicons.wordnet, wordnet_folder)
        words = counts.words.words
        content = np.array([WORD.fullmatch(word) is not None and len(word) > 1 for word in words])
        content &= counts.words.total >= NAME_COUNT
        function = np.array([(word in FUNCTION_WORDS and word not in IN_NAMES) or word in INSIDE for word in words])
        self._edges = content & ~function
        self._inner = self._edges | np.array([word in INSIDE for word in words])
        self._linking = np.array([word in INSIDE and word not in JOINING for word in words])
        plain = np.array([word not in FUNCTION_WORDS for word in words])
        self._modifier = plain & np.array([parts.can_modify(word) for word in words])
        self._light = np.array([word in LIGHT for word in words])
        named = counts.words.capitalised > NAME_SHARE * counts.words.inside
        self._head = plain & ~named & np.array([parts.can_head(word) for word in words])

    def choose(self, limit: int) -> dict[str, float]:
        """Return at most `limit` phrases with their frequencies, most frequent first."""
        counted = self._counted()
        known = self.terms | (self._listed & counted.keys())
        known |= {phrase for phrase in counted if self._is_plural(phrase)}
        worth: dict[str, float] = {}
        for phrase, found in counted.items():
            if phrase not in known and found.is_whole and _is_term(phrase) and not self._is_titled(phrase, counted):
                bond, wanted = self._bond(phrase, counted)
                if bond + FREQUENT * max(np.log2(found.count / 32), 0) >= wanted:
                    worth[phrase] = float(np.log2(found.count)) + 0.8 * min(bond, 12)
        others = sorted(worth, key=lambda phrase: (-worth[phrase], phrase))
        chosen = [*known, *others[: max(limit - len(known), 0)]]
        zipf = {phrase: self._zipf(counted[phrase].count if phrase in counted else UNSEEN_COUNT) for phrase in chosen}
        return dict(sorted(zipf.items(), key=lambda item: (-item[1], item[0])))

    def _zipf(self, count: float) -> float:
        return round(float(np.log10(count / self._counts.words.size * 1e9)), 2)

    def _counted(self) -> dict[str, Counted]:
        """Return names and possible noun phrases, whole or not, and the terms of dictionaries."""
        wanted = [term.split() for term in self.terms | self._listed]
        found: dict[str, Counted] = {}
        longer: dict[str, int] = {}
        for length in range(LONGEST_SEEN, 1, -1):
            phrases = self._counts.phrases(
                length, NAME_COUNT, self._inner, self._edges, wanted=wanted, linking=self._linking, nouns=self._head
            )
            is_name = phrases.capitalised >= NAME_SHARE * phrases.counts
            is_noun = ~is_name & self._is_noun_phrase(phrases)
            goes_on = np.where(is_name, np.maximum(phrases.before_name, phrases.after_name), phrases.before_noun)
            is_light = is_noun & self._light[phrases.words].any(axis=1)
            is_whole = (
                (is_name | is_noun) & ~is_light & (goes_on < FRAGMENT * phrases.counts) & (phrases.spread >= SPREAD)
            )
            within: dict[str, int] = {}
            for row, phrase in enumerate(self._counts.spelt(phrases)):
                count = int(phrases.counts[row])
                is_fragment = longer.get(phrase, 0) >= FRAGMENT * count
                found[phrase] = Counted(count, bool(is_name[row]), bool(is_whole[row]) and not is_fragment)
                if is_name[row] or is_noun[row]:
                    for part in _fragments(phrase):
                        within[part] = max(within.get(part, 0), count)
            longer.update((part, max(longer.get(part, 0), count)) for part, count in within.items())
        return found

    def _is_noun_phrase(self, phrases: Phrases) -> BoolArray:
        fits: BoolArray = (phrases.counts >= NOUN_COUNT) & self._head[phrases.words[:, -1]]
        for column in phrases.words[:, :-1].T:
            fits &= self._modifier[column]
        return fits

    def _bond(self, phrase: str, counted: Mapping[str, Counted]) -> tuple[float, float]:
        """Return how well a phrase keeps together where it does so worst, and how well it should."""
        words = phrase.split()
        found = counted[phrase]
        cuts = []
        for at in range(1, len(words)):
            left, right = words[:at], words[at:]
            while len(left) > 1 and left[-1] in INSIDE:
                left.pop()
            while len(right) > 1 and right[0] in INSIDE:
                right.pop(0)
            meeting = self._count(left, counted, found.count) * self._count(right, counted, found.count)
            cuts.append(np.log2(max(found.count - DISCOUNT, 0.1) * self._counts.words.size / meeting))
        if found.is_name:
            is_linked = any(word in INSIDE for word in words)
            wanted = JOINED if not JOINING.isdisjoint(words) else LINKED if is_linked else TOGETHER
            if "and" in words and found.count < JOINED_COUNT:
                wanted = np.inf
        else:
            is_hazy = words[-1] in HAZY or any(PARTICIPLE.fullmatch(word) for word in words[:-1])
            wanted = HAZILY if is_hazy else NOUNS
        return float(min(cuts)), wanted

    def _count(self, words: Sequence[str], counted: Mapping[str, Counted], least: int) -> int:
        """Return how often words occur together; what was not counted occurs as often as the phrase around it."""
        if len(words) == 1:
            return int(self._counts.words.total[self._counts.number_of[words[0]]])
        part = counted.get(" ".join(words))
        return part.count if part else least

    def _is_plural(self, phrase: str) -> bool:
        """Whether a phrase is the plural of a dictionary's: "short stories"."""
        start, _, last = phrase.rpartition(" ")
        return any(f"{start} {base}" in self.terms for base in base_forms(last, NOUN))

    def _is_titled(self, phrase: str, counted: Mapping[str, Counted]) -> bool:
        """Whether a phrase is a title and a whole name: "president bill clinton"."""
        words = phrase.split()
        rests = [counted.get(" ".join(words[at:])) for at in range(1, len(words) - 1) if words[at - 1] in TITLES]
        return any(rest is not None and rest.is_name and rest.is_whole for rest in rests)


def dictionary_terms(lexicons: Lexicons) -> Iterator[str]:
    """Yield the terms of several words of WordNet and the glossary."""
    for pos in lexicons.wordnet.parts:
        yield from (lemma.replace("_", " ") for lemma in lexicons.wordnet.lemmas(pos) if "_" in lemma)
    yield from (term for term, _ in lexicons.glossary if " " in term)


def listed_terms(lexicons: Lexicons) -> Iterator[str]:
    """Yield the terms of GCIDE and of the lists of names, which count if the corpus has them."""
    defined = (ARTICLE.sub("", found.term) for found in lexicons.gcide)
    for term in (*defined, *lexicons.places, *lexicons.companies):
        if " " in term and _is_term(term):
            yield term


def _is_term(phrase: str) -> bool:
    words = phrase.split()
    return (
        len(phrase) <= LONGEST_TERM
        and len(words) <= LONGEST
        and all(WORD.fullmatch(word) or word.isdigit() for word in words)
        and not words[-1].endswith(("'s", "'"))
        and words[-1] not in IN_NAMES
        and not any(CONTRACTION.fullmatch(word) for word in words)
        and all(one != two for one, two in pairwise(words))
    )


def _fragments(phrase: str) -> Iterator[str]:
    """Yield all shorter phrases inside a phrase."""
    words = phrase.split()
    for length in range(2, len(words)):
        yield from (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))


class _Parts:
    """Which words can be parts of a noun phrase, by the part of speech that WordNet's texts use them as."""

    def __init__(self, wordnet: WordNet, folder: Path) -> None:
        self._lemmas = {pos: frozenset(wordnet.lemmas(pos)) for pos in wordnet.parts}
        self._counts = sense_counts(folder)

    def can_head(self, word: str) -> bool:
        """Whether a word is a noun, mostly."""
        return self._share(word, (NOUN,)) >= 0.3

    def can_modify(self, word: str) -> bool:
        """Whether a word is mostly a noun or an adjective."""
        return self._share(word, (NOUN, ADJECTIVE)) >= 0.5

    def _share(self, word: str, parts: tuple[str, ...]) -> float:
        for lemma in (word, *base_forms(word, NOUN)):
            known = [pos for pos, lemmas in self._lemmas.items() if lemma in lemmas]
            if known:
                counts: Mapping[str, int] = self._counts.get(lemma, {})
                total = sum(counts.get(pos, 0) + 1 for pos in known)
                return sum(counts.get(pos, 0) + 1 for pos in known if pos in parts) / total
        return 1.0 if "-" in word else 0.0
