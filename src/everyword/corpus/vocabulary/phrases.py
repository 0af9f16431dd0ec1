"""Choose terms of several words: those of dictionaries, and frequent names and noun phrases of the corpus.

A name is a sequence of capitalised words. A noun phrase is a sequence of adjectives and nouns whose words meet much
more often than chance would have them: "heart attack", but not "other countries".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray, BoolArray
from everyword.corpus.lexicons.wordnet import ADJECTIVE, NOUN, WordNet, sense_counts
from everyword.corpus.vocabulary.corpus_counts import CorpusCounts, Phrases
from everyword.corpus.vocabulary.function_words import FUNCTION_WORDS, IN_NAMES, INSIDE
from everyword.corpus.vocabulary.inflections import base_forms
from everyword.corpus.vocabulary.sources import Lexicons

NAME_COUNT, NOUN_COUNT = 5, 8
"""The minimum number of occurrences of names and noun phrases."""
JOINED_COUNT = 15
"""The minimum for names with "and" inside: most are lists."""
NAME_SHARE = 0.6
"""The share of occurrences in which all content words are capitalised."""
LONGEST, LONGEST_SEEN = 5, 6
"""The most words of a phrase of the corpus, and of those that it may be a fragment of."""
COHESION = {2: 6.0, 3: 9.0, 4: 12.0, 5: 15.0, 6: 18.0}
"""How much more often the words of a noun phrase meet than by chance, as a logarithm (base 2), by length."""
DISCOUNT = 2
"""Taken off each count, because rare phrases meet by chance."""
FRAGMENT = 0.75
"""A phrase that is part of a longer one so often is a fragment of it."""
UNSEEN_ZIPF = 0.8
UNSEEN_COUNT = 0.3
ARTICLE = re.compile(r"^(?:to|the|an?) ")
WORD = re.compile(r"[^\W\d_][^\W_]*(?:['&.-][^\W_]+)*'?\.?")
LONGEST_TERM = 60


@dataclass(frozen=True)
class Counted:
    """A phrase of the corpus."""

    count: int
    is_name: bool
    cohesion: float


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
        plain = np.array([word not in FUNCTION_WORDS for word in words])
        self._modifier = plain & np.array([parts.can_modify(word) for word in words])
        named = counts.words.capitalised > NAME_SHARE * counts.words.inside
        self._head = plain & ~named & np.array([parts.can_head(word) for word in words])

    def choose(self, limit: int) -> dict[str, float]:
        """Return at most `limit` phrases with their frequencies, most frequent first."""
        found = self._counted()
        sure = self.terms | (self._listed & found.keys())
        others = [phrase for phrase in found if phrase not in sure]
        others.sort(key=lambda phrase: (-_worth(found[phrase]), phrase))
        chosen = [*sure, *others[: max(limit - len(sure), 0)]]
        zipf = {phrase: self._zipf(found[phrase].count if phrase in found else UNSEEN_COUNT) for phrase in chosen}
        return dict(sorted(zipf.items(), key=lambda item: (-item[1], item[0])))

    def _zipf(self, count: float) -> float:
        return round(float(np.log10(count / self._counts.words.size * 1e9)), 2)

    def _counted(self) -> dict[str, Counted]:
        wanted = [term.split() for term in self.terms | self._listed]
        found: dict[str, Counted] = {}
        longer: dict[str, int] = {}
        for length in range(LONGEST_SEEN, 1, -1):
            phrases = self._counts.phrases(length, NAME_COUNT, self._inner, self._edges, wanted)
            cohesion = self._cohesion(phrases)
            is_name = phrases.capitalised >= NAME_SHARE * phrases.counts
            together = is_name | self._is_noun_phrase(phrases, cohesion)
            is_whole = self._is_whole(phrases)
            within: dict[str, int] = {}
            for row, phrase in enumerate(self._counts.spelt(phrases)):
                count = int(phrases.counts[row])
                is_fragment = longer.get(phrase, 0) >= FRAGMENT * count
                is_new = together[row] and is_whole[row] and not is_fragment and _is_term(phrase)
                if is_new or phrase in self.terms or phrase in self._listed:
                    found[phrase] = Counted(count, bool(is_name[row]), float(cohesion[row]))
                if together[row]:
                    for part in _fragments(phrase):
                        within[part] = max(within.get(part, 0), count)
            longer.update((part, max(longer.get(part, 0), count)) for part, count in within.items())
        return found

    def _cohesion(self, phrases: Phrases) -> AnyArray:
        size = self._counts.words.size
        logs = np.log2(np.maximum(self._counts.words.total, 1) / size)
        seen = np.log2(np.maximum(phrases.counts - DISCOUNT, 0.1) / size)
        cohesion: AnyArray = seen - logs[phrases.words].sum(axis=1)
        return cohesion

    def _is_whole(self, phrases: Phrases) -> BoolArray:
        """Whether phrases are one name: two joined by "and" must be met often."""
        joined = (phrases.words == self._counts.number_of.get("and", -1)).any(axis=1)
        whole: BoolArray = ~joined | (phrases.counts >= JOINED_COUNT)
        return whole

    def _is_noun_phrase(self, phrases: Phrases, cohesion: AnyArray) -> BoolArray:
        length = phrases.words.shape[1]
        fits: BoolArray = (
            (cohesion >= COHESION[length]) & (phrases.counts >= NOUN_COUNT) & self._head[phrases.words[:, -1]]
        )
        for column in phrases.words[:, :-1].T:
            fits &= self._modifier[column]
        return fits


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
    )


def _fragments(phrase: str) -> Iterator[str]:
    """Yield all shorter phrases inside a phrase."""
    words = phrase.split()
    for length in range(2, len(words)):
        yield from (" ".join(words[at : at + length]) for at in range(len(words) - length + 1))


def _worth(phrase: Counted) -> float:
    """Return how much a phrase deserves a place: frequent names, and frequent noun phrases that keep together."""
    return float(np.log2(phrase.count)) + 0.8 * min(phrase.cohesion, 12)


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
