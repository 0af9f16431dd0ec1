"""Choose the single words of a vocabulary.

A word of a dictionary or of a list of names is a word, however close to a commoner one. A spelling that no dictionary
has is a word if it is common enough, unless it is a listed misspelling or almost a much more frequent word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from unicodedata import is_normalized

import numpy as np

from everyword.corpus.vocabulary.corpus_counts import WordCounts
from everyword.corpus.vocabulary.function_words import GLUED
from everyword.corpus.vocabulary.inflections import Inflections
from everyword.corpus.vocabulary.sources import STANDARD, Lexicons

SPELT = re.compile(
    r"(?=.*[^\W\d_])(?:[^\W_]+(?:[-'&][^\W_]+)*'?\+{0,2}|'[^\W\d_]+(?:[-'][^\W\d_]+)*|(?:[^\W\d_]\.){2,}|[^\W_]\.[^\W\d_]\.)"
)
"""Letters, perhaps with digits, and inner hyphens, apostrophes and ampersands; initials with stops."""
LATIN = re.compile("[\x20-\u024f\u1e00-\u1eff]{1,40}")
INITIALS = re.compile(r"(?:[a-z]\.)+[a-z]")
"""An abbreviation without its last stop, as frequency lists have them."""
QUANTITY = re.compile(r"\d.*|[a-z]{1,2}\d+|.*\d.*\d.*|.*-\d+")
"""Ordinals, units and codes, which are read by value or by part unless a dictionary has them."""
DRAWN_OUT = re.compile(r".*([a-z])\1\1.*")
"""Letters repeated for effect."""
CONTRACTION = re.compile(
    r"[a-z]+(?:n't|'(?:ll|re|ve|d|m|all))|(?:it|that|who|what|there|here|how|where|let|he|she|when|why|every\w+|some\w+)'s"
)
"""Without their apostrophe these are misspellings, unless that makes another word."""
NUMBERS = ("9/11", "24/7", "911", "404", "420", "50/50", "20/20", "and/or", "w/o", "n/a", "24-7", "7-eleven")
"""Numbers and signs that people treat as words, if the corpus has them."""

SURE_ZIPF = 1.5
"""A spelling that no dictionary has must be as frequent as this."""
SURE_COUNT = 8
"""Or occur as often as this in the corpus."""
COMPOUND_COUNT = 20
"""Words with hyphens must occur more often, because others can be composed of their parts."""
NAME_SHARE, NAME_COUNT = 0.7, 3
"""The share of capital letters that makes a word of the corpus a name, and the least number of occurrences."""
RARITY = 2.0
"""A misspelling is 100 times rarer than its word: two on the Zipf scale."""
SETTLED_ZIPF = 2.7
"""A misspelling as frequent as this would be in the list of misspellings."""
POSSESSIVES = 4_000
"""Possessives beyond the most frequent ones are composed."""
ABROAD, FAR_ABROAD = 1.5, 2.5
"""How much more frequent, on the Zipf scale, a word is in the language that it belongs to; the second for words that
are in English dictionaries too."""
GUESSED_ZIPF = {35: 1.0, 40: 1.0, 50: 0.9, 55: 0.9, 60: 0.8, 70: 0.6}
"""For words that neither the frequency list nor the corpus has, by the size of SCOWL's list."""
RAREST_ZIPF = 0.2
REPEATED = 0.7
"""How much too frequent, on the Zipf scale, a corpus of long articles makes the words that only it has."""
NAME_EXPLAINS = 0.3
"""A listed misspelling that is also a name must be that much more frequent in the corpus than elsewhere."""


class WordChoice:
    """Decides which spellings are words, and how frequent they are."""

    def __init__(
        self,
        lexicons: Lexicons,
        counts: WordCounts,
        inflections: Inflections,
        abroad: Mapping[str, float] | None = None,
    ) -> None:
        """`abroad` has words of other languages that can be translated, with their frequency there."""
        self.lexicons, self.inflections = lexicons, inflections
        self._abroad = abroad or {}
        totals = zip(counts.words, counts.total.tolist(), strict=True)
        self.count = {word: count for word, count in totals if count}
        self._size = counts.size
        share = counts.capitalised / np.maximum(counts.inside, 1)
        named = (share >= NAME_SHARE) & (counts.inside >= NAME_COUNT)
        self.named = {counts.words[row] for row in np.flatnonzero(named).tolist()}
        wordnet = lexicons.wordnet
        self._lemmas = {lemma for pos in wordnet.parts for lemma in wordnet.lemmas(pos) if "_" not in lemma}
        self._defined = {found.term for found in lexicons.gcide if " " not in found.term}
        self._listed = {part for name in lexicons.places | lexicons.companies for part in name.split()}
        self._glossary = {term for term, _ in lexicons.glossary if " " not in term}
        contractions = filter(CONTRACTION.fullmatch, (*lexicons.frequencies, *lexicons.sizes))
        self._contracted = {word.replace("'", "") for word in contractions}
        self._frequent = self._near_frequent()

    def zipf(self, word: str) -> float:
        """Return the frequency of a word: that of the list, else of the corpus, else a guess."""
        listed = self.lexicons.frequencies.get(word) or self.lexicons.frequencies.get(word.rstrip("."))
        if listed:
            return listed
        if count := self.count.get(word):
            return round(max(self._corpus_zipf(count) - REPEATED, RAREST_ZIPF), 2)
        return GUESSED_ZIPF.get(self.lexicons.sizes.get(word, 95), RAREST_ZIPF)

    def _corpus_zipf(self, count: int) -> float:
        return float(np.log10(count / self._size * 1e9))

    def choose(self, limit: int) -> dict[str, float]:
        """Return at most `limit` words with their frequencies, most frequent first."""
        chosen = {word for word in self._candidates() if self.is_word(word)}
        chosen |= {form for form in self._attested() - chosen if self._is_form(form, chosen)}
        chosen |= set(self._possessives(chosen))
        zipf = {word: self.zipf(word) for word in chosen}
        # Words of dictionaries first; the rest of the room goes to the most frequent others.
        ranked = sorted(zipf, key=lambda word: (not self._must_stay(word), -zipf[word], word))[:limit]
        return {word: zipf[word] for word in sorted(ranked, key=lambda word: (-zipf[word], word))}

    def _must_stay(self, word: str) -> bool:
        return word in self._lemmas or word in self._glossary or self.lexicons.sizes.get(word, 95) <= STANDARD

    def _attested(self) -> set[str]:
        listed = (f"{word}." if INITIALS.fullmatch(word) else word for word in self.lexicons.frequencies)
        seen = {*listed, *(word for word, count in self.count.items() if count >= 2)}
        return {word for word in seen if self._is_spelt(word)}

    def _candidates(self) -> set[str]:
        unseen = {word for word, size in self.lexicons.sizes.items() if size <= STANDARD}
        unseen |= self._lemmas | self.lexicons.slang.keys()
        spelt = {word for word in unseen if self._is_spelt(word)}
        return spelt | self._attested() | self._glossary | {word for word in NUMBERS if word in self.count}

    def _is_spelt(self, word: str) -> bool:
        return (
            LATIN.fullmatch(word) is not None
            and SPELT.fullmatch(word) is not None
            and not word.endswith(("'s", "s'"))
            and is_normalized("NFKC", word)
        )

    def is_word(self, word: str) -> bool:
        """Whether a spelling is a word of English, or a name."""
        if word in self._glossary or word in NUMBERS:
            return True
        if self._belongs_abroad(word):
            return False
        if word in self.lexicons.wrong:
            return self._is_everyday(word) or self._is_name_as_often(word)
        if word in self._contracted and not self._is_everyday(word):
            return False
        if self.in_dictionary(word):
            return True
        if word in self.lexicons.slang:
            return not self._is_glued(word)
        if QUANTITY.fullmatch(word) or DRAWN_OUT.fullmatch(word):
            return False
        if word in self.lexicons.sizes or word in self.lexicons.people or word in self._listed:
            return True
        count = self.count.get(word, 0)
        if self.zipf(word) < SURE_ZIPF and count < (COMPOUND_COUNT if "-" in word else SURE_COUNT):
            return False
        return word in self.named or not (self.looks_misspelt(word) or self._is_glued(word))

    def _is_everyday(self, word: str) -> bool:
        return self.lexicons.sizes.get(word, 95) < STANDARD or word in self._lemmas

    def _is_name_as_often(self, word: str) -> bool:
        count = self.count.get(word, 0) if word in self.named else 0
        elsewhere = self.lexicons.frequencies.get(word, 0)
        return count >= SURE_COUNT and self._corpus_zipf(count) - NAME_EXPLAINS >= elsewhere

    def in_dictionary(self, word: str) -> bool:
        """Whether a dictionary that can be trusted has a word."""
        return (
            self.lexicons.sizes.get(word, 95) <= STANDARD
            or word in self.lexicons.spelt
            or word in self._lemmas
            or word in self._defined
        )

    def looks_misspelt(self, word: str) -> bool:
        """Whether a spelling is one edit from a word that is a hundred times as frequent, and no form of it."""
        zipf = self.zipf(word)
        if zipf >= SETTLED_ZIPF:
            return False
        return any(
            self.lexicons.frequencies[near] >= zipf + RARITY
            for key in _shortened(word)
            for near in self._frequent.get(key, ())
            if near != word and near not in self.inflections.guess(word)
        )

    def _is_form(self, word: str, chosen: Collection[str]) -> bool:
        """Whether a spelling is a form of a chosen word."""
        return word not in self.lexicons.wrong and any(lemma in chosen for lemma in self.inflections.guess(word))

    def _is_glued(self, word: str) -> bool:
        """Whether a spelling is two words without the blank between them, one of them as common as "the"."""
        frequencies = self.lexicons.frequencies
        for cut in range(1, len(word)):
            parts = word[:cut], word[cut:]
            if not GLUED.isdisjoint(parts) and min(frequencies.get(part, 0) for part in parts) >= 5:
                return True
        return False

    def _belongs_abroad(self, word: str) -> bool:
        """Whether a word is far more frequent in another language, and not an everyday English word."""
        abroad = self._abroad.get(word.replace("ß", "ss"))
        if abroad is None or self.lexicons.sizes.get(word, 95) < STANDARD:
            return False
        known = word in self._lemmas or self.lexicons.sizes.get(word, 95) <= STANDARD
        return abroad - self.lexicons.frequencies.get(word, 0) >= (FAR_ABROAD if known else ABROAD)

    def _possessives(self, chosen: Collection[str]) -> Iterator[str]:
        possessives = (word for word in (*self.count, *self.lexicons.frequencies) if word.endswith("'s"))
        seen = {word for word in possessives if word[:-2] in chosen}
        yield from sorted(seen, key=lambda word: (-self.zipf(word), word))[:POSSESSIVES]

    def _near_frequent(self) -> dict[str, list[str]]:
        """Return frequent words of dictionaries by what is left of them without one letter."""
        near = defaultdict(list)
        for word, zipf in self.lexicons.frequencies.items():
            if zipf >= SURE_ZIPF + RARITY and self.in_dictionary(word):
                for key in _shortened(word):
                    near[key].append(word)
        return near


def _shortened(word: str) -> set[str]:
    """Return a word, and the word without each of its letters."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
