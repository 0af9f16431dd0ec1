"""Definitions of words, phrases and names, and pairs of related words."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from everyword.corpus.lexicons.wordnet import ANTONYM, WordNet
from everyword.corpus.rows import read_rows
from everyword.corpus.vocabulary.corpus_counts import Defined
from everyword.corpus.vocabulary.sources import STANDARD, Lexicons, normal

GLOSSARY, WORDNET, GCIDE, CORPUS, EXAMPLE = "glossary", "wordnet", "gcide", "corpus", "example"
"""Where a definition comes from."""
SENSES, GCIDE_SENSES, SENTENCES, EXAMPLES = 4, 2, 2, 2
"""How many of each an entry gets at most."""
SYNONYM_SENSES = 2
PEOPLE, COUNTERPART = "noun.person", "counterpart"
LIFE = re.compile(r"^[^()]{3,60} \([^()]*\b\d{3,4}\b[^()]*\)")
"""Years in brackets behind a name."""
KIND = re.compile(r" (?:is|was) (?:an?|the \w+est|one of the) ")
Row = tuple[str, str, str]
"""A term, a text and its kind; or two words and their relation."""


def define(lexicons: Lexicons, sentences: Sequence[Defined], known: Collection[str]) -> Iterator[Row]:
    """Yield definitions of the known words and phrases, those of one term together and the best first."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    senses = _senses_by_rank(lexicons.wordnet)
    for term, glosses in senses.items():
        found[term] += [(gloss, WORDNET) for gloss, _ in glosses[:SENSES]]
    for term, text in lexicons.glossary:
        found[term].append((text, GLOSSARY))
    for term, text in _gcide(lexicons):
        found[term].append((text, GCIDE))
    for term, text in _names(sentences, found.keys()):
        found[term].append((text, CORPUS))
    for term, glosses in senses.items():
        texts = [example for _, examples in glosses[:SENSES] for example in examples if term in example.lower()]
        found[term] += [(text, EXAMPLE) for text in texts[:EXAMPLES]]
    for term, rows in found.items():
        if term in known:
            yield from ((term, " ".join(text.split()), kind) for text, kind in dict.fromkeys(rows))


def _senses_by_rank(wordnet: WordNet) -> dict[str, list[tuple[str, list[str]]]]:
    """Return definitions and examples of each lemma: first senses of all parts of speech, then second ones."""
    ranked: dict[str, list[tuple[int, int, str, list[str]]]] = defaultdict(list)
    for order, pos in enumerate(wordnet.parts):
        for lemma in wordnet.lemmas(pos):
            for rank, synset in enumerate(wordnet.senses(lemma, pos)):
                ranked[lemma.replace("_", " ")].append((rank, order, synset.definition, synset.examples))
    return {
        term: [(text, examples) for _, _, text, examples in sorted(senses, key=lambda sense: sense[:2])]
        for term, senses in ranked.items()
    }


def _gcide(lexicons: Lexicons) -> Iterator[tuple[str, str]]:
    taken: Counter[str] = Counter()
    for found in lexicons.gcide:
        if taken[found.term] < GCIDE_SENSES:
            taken[found.term] += 1
            yield found.term, found.text


def _names(sentences: Sequence[Defined], defined: Collection[str]) -> list[tuple[str, str]]:
    """Return names with sentences that define them, and surnames that only one person of the corpus has.

    A word that a dictionary defines needs no such sentence: "Flesh is a mere glaze" says nothing about flesh.
    """
    by_name: dict[str, list[str]] = defaultdict(list)
    for name, sentence in sentences:
        term = normal(name)
        if " " in term or term not in defined:
            by_name[term].append(sentence)
    surnames = Counter(term.split()[-1] for term in by_name if " " in term)
    found = []
    for term, texts in by_name.items():
        best = sorted(texts, key=_says_what)[:SENTENCES]
        found += [(term, text) for text in best]
        last = term.split()[-1]
        is_unique = surnames[last] == 1 and last not in by_name and last not in defined
        if len(term.split()) in (2, 3) and is_unique and LIFE.search(best[0]):
            found.append((last, best[0]))
    return found


def _says_what(sentence: str) -> tuple[bool, bool, int]:
    """Sort sentences: those of an article's beginning first, with dates of birth and death or "is a"."""
    return LIFE.search(sentence) is None, KIND.search(sentence) is None, len(sentence)


def relate(lexicons: Lexicons, paraphrases: Path, known: Mapping[str, float]) -> Iterator[Row]:
    """Yield pairs of known words or phrases with their relation: synonym, antonym or slang.

    Antonyms among people, such as man and woman, are counterparts rather than opposites, and left out.
    """
    seen: set[Row] = set()
    listed = read_rows(paraphrases, "list of paraphrases", ("relation", "word1", "word2"))
    paraphrased = ((normal(one), normal(two), relation) for _, (relation, one, two) in listed)
    everyday = {word for word, size in lexicons.sizes.items() if size < STANDARD}
    slang = ((word, meaning, "slang") for word, meaning in lexicons.slang.items() if word not in everyday)
    pairs = [*_wordnet_pairs(lexicons.wordnet), *paraphrased, *slang]
    counterparts = {frozenset((one, two)) for one, two, relation in pairs if relation == COUNTERPART}
    for one, two, relation in pairs:
        if relation in ("antonym", COUNTERPART) and {one, two} in counterparts:
            continue
        row = (min(one, two), max(one, two), relation)
        if one != two and one in known and (two in known or relation == "slang") and row not in seen:
            seen.add(row)
            yield one, two, relation


def _wordnet_pairs(wordnet: WordNet) -> Iterator[Row]:
    """Yield synonyms by the first senses of the first word, antonyms, and counterparts among people."""
    for pos in wordnet.parts:
        for lemma in wordnet.lemmas(pos):
            for rank, synset in enumerate(wordnet.senses(lemma, pos)):
                own = [word.lower() for word in synset.words]
                if rank < SYNONYM_SENSES:
                    for other in own:
                        yield lemma.replace("_", " "), other.replace("_", " "), "synonym"
                for pointer in synset.to(ANTONYM):
                    if pointer.source and own[pointer.source - 1] == lemma:
                        opposite = wordnet.at(pointer)
                        other = opposite.words[pointer.target - 1].lower()
                        are_people = synset.supersense == opposite.supersense == PEOPLE
                        kind = COUNTERPART if are_people else "antonym"
                        yield lemma.replace("_", " "), other.replace("_", " "), kind
