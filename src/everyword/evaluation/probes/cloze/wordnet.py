"""The relations of words in WordNet that the probe asks about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from everyword.corpus.lexicons.wordnet import ADJECTIVE, ANTONYM, HYPERNYM, HYPONYM, NOUN, SIMILAR, Synset, WordNet

PARTS = (NOUN, ADJECTIVE)
"""The parts of speech that the probe needs."""
Targets = Iterator[tuple[str, list[str]]]
"""Keywords, each with its targets in the order in which they were found; they are filtered later."""


def antonyms(wordnet: WordNet, senses: int) -> Targets:
    """Yield adjectives and the antonyms of their first senses; for a satellite, those of its head."""
    for lemma in _plain_lemmas(wordnet, ADJECTIVE):
        met: list[str] = []
        for synset in wordnet.senses(lemma, ADJECTIVE)[:senses]:
            met += _opposites(wordnet, synset, own=lemma)
            for pointer in synset.to(SIMILAR):
                met += _opposites(wordnet, wordnet.at(pointer))
        yield lemma, met


def _opposites(wordnet: WordNet, synset: Synset, own: str | None = None) -> Iterator[str]:
    for pointer in synset.to(ANTONYM):
        if own is None or synset.words[pointer.source - 1].lower() == own:
            yield wordnet.at(pointer).words[pointer.target - 1]


def hypernyms(wordnet: WordNet, senses: int, steps: int, min_depth: int) -> Targets:
    """Yield nouns and their hypernyms, a few steps up, without the top of the hierarchy."""
    for lemma in _plain_lemmas(wordnet, NOUN):
        level, met = wordnet.senses(lemma, NOUN)[:senses], []
        for _ in range(steps):
            level = [above for synset in level for above in _along(wordnet, synset, HYPERNYM)]
            met += [word for synset in level if wordnet.depth(synset) >= min_depth for word in synset.words]
        yield lemma, met


def cohyponyms(wordnet: WordNet) -> Targets:
    """Yield nouns and their cohyponyms, by their first sense."""
    for lemma in _plain_lemmas(wordnet, NOUN):
        first = wordnet.senses(lemma, NOUN)[0]
        others = [other for above in _along(wordnet, first, HYPERNYM) for other in _along(wordnet, above, HYPONYM)]
        yield lemma, [word for other in others if other.offset != first.offset for word in other.words]


def _along(wordnet: WordNet, synset: Synset, symbol: str) -> Iterator[Synset]:
    return (wordnet.at(pointer) for pointer in synset.to(symbol))


def _plain_lemmas(wordnet: WordNet, pos: str) -> Iterator[str]:
    """Yield single words in lower case; a name is capitalised in its synset, though not in the index."""
    for lemma in wordnet.lemmas(pos):
        if is_plain(lemma) and lemma in wordnet.senses(lemma, pos)[0].words:
            yield lemma


def is_plain(word: str) -> bool:
    """Whether a word consists of three or more lower-case letters."""
    return len(word) >= 3 and word.isascii() and word.isalpha() and word.islower()


def plain_words(words: Iterable[str]) -> list[str]:
    """Return the words that are plain, each once."""
    return list(dict.fromkeys(word for word in words if is_plain(word)))
