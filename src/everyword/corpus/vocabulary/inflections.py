"""Which words are forms of which: irregular ones from lists, regular ones by rule where the lemma is a word."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from everyword.corpus.lexicons.wordnet import ADJECTIVE, ADVERB, NOUN, VERB, WordNet, read_exceptions
from everyword.corpus.rows import read_rows
from everyword.corpus.vocabulary.sources import normal

ENDINGS = {
    NOUN: (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", "")),
    VERB: (("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    ADJECTIVE: (("iest", "y"), ("ier", "y"), ("est", "e"), ("est", ""), ("er", "e"), ("er", "")),
}
"""The endings of regular forms and what the lemma has instead."""
SIBILANT = re.compile(r"(?:s|x|z|ch|sh|o)$")
DOUBLED = re.compile(r"([bdfgklmnprtvz])\1$")
SHORTEST_LEMMA = 2


def base_forms(word: str, pos: str) -> Iterator[str]:
    """Yield what a regular form could come from, the likeliest first.

    >>> list(base_forms("stopped", "v"))
    ['stoppe', 'stop', 'stopp']
    """
    for ending, instead in ENDINGS.get(pos, ()):
        if not word.endswith(ending) or len(word) - len(ending) < SHORTEST_LEMMA:
            continue
        stem = word[: -len(ending)] + instead
        if ending == "es" and not SIBILANT.search(stem):
            continue
        if ending == "s" and word.endswith(("ss", "us", "is", "'s")):
            continue
        if ending in ("ed", "ing", "er", "est") and not instead and DOUBLED.search(stem):
            yield stem[:-1]
        yield stem


class Inflections:
    """Lemmas of inflected forms."""

    def __init__(self, wordnet: WordNet, wordnet_folder: Path, verbs: Path) -> None:
        self._lemmas = {pos: frozenset(wordnet.lemmas(pos)) for pos in wordnet.parts}
        self._irregular: dict[str, dict[str, str]] = {}
        for form, lemma, pos in read_exceptions(wordnet_folder):
            self._irregular.setdefault(normal(form.replace("_", " ")), {}).setdefault(pos, lemma.replace("_", " "))
        for _, (lemma, form, _) in read_rows(verbs, "list of verb forms", ("lemma", "form", "features")):
            if normal(lemma) != normal(form):
                self._irregular.setdefault(normal(form), {}).setdefault(VERB, normal(lemma))

    def of(self, word: str, known: Collection[str]) -> list[str]:
        """Return the lemmas of a word that are among the known words, nouns before verbs and adjectives."""
        found = dict.fromkeys(
            lemma for pos in (NOUN, VERB, ADJECTIVE, ADVERB) for lemma in self._of(word, pos) if lemma in known
        )
        found.pop(word, None)
        return list(found)

    def guess(self, word: str) -> set[str]:
        """Return all words that a word could be a form of, whether they exist or not."""
        regular = {base for pos in ENDINGS for base in base_forms(word, pos)}
        return regular | set(self._irregular.get(word, {}).values())

    def _of(self, word: str, pos: str) -> list[str]:
        irregular = self._irregular.get(word, {}).get(pos)
        if irregular:
            return [irregular]
        if word in self._lemmas.get(pos, ()):
            return []
        bases = list(base_forms(word, pos))
        listed = [base for base in bases if base in self._lemmas.get(pos, ())]
        # WordNet lacks names and newer words; these have few forms but the plural.
        return listed[:1] or [base for base in bases if pos == NOUN and not self._is_lemma(word) and len(base) > 3]

    def _is_lemma(self, word: str) -> bool:
        return any(word in lemmas for lemmas in self._lemmas.values())


def pair_forms(zipf: Mapping[str, float], inflections: Inflections) -> Iterator[tuple[str, str]]:
    """Yield each of the words that is a form of others with these, the most frequent first."""
    for word in zipf:
        lemmas = inflections.of(word, zipf)
        yield from ((word, lemma) for lemma in sorted(lemmas, key=lambda lemma: -zipf[lemma]))
