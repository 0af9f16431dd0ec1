"""Definitions of words, phrases and names, and pairs of related words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from everyword.corpus.lexicons.wordnet import ANTONYM, WordNet
from everyword.corpus.rows import read_rows
from everyword.corpus.vocabulary.corpus_counts import Defined
from everyword.corpus.vocabulary.phrases import FUNCTION_WORDS
from everyword.corpus.vocabulary.sources import Lexicons, normal

GLOSSARY, WORDNET, GCIDE, CORPUS, EXAMPLE = "glossary", "wordnet", "gcide", "corpus", "example"
"""Where a definition comes from, in the order in which they are best."""
SENSES, GCIDE_SENSES, SENTENCES, EXAMPLES = 4, 2, 2, 2
"""How many of each an entry gets at most."""
SYNONYM_SENSES = 2
Row = tuple[str, str, str]
"""A term, a text and its kind; or two words and their relation."""


def define(lexicons: Lexicons, sentences: Sequence[Defined], known: Collection[str]) -> Iterator[Row]:
    """Yield definitions of the known words and phrases, those of one term together and the best first."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for term, text in lexicons.glossary:
        found[term].append((text, GLOSSARY))
    senses = _senses_by_rank(lexicons.wordnet)
    for term, glosses in senses.items():
        found[term] += [(gloss, WORDNET) for gloss, _ in glosses[:SENSES]]
    for term, text in _gcide(lexicons):
        found[term].append((text, GCIDE))
    for term, text in _names(sentences):
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
        if not found.obsolete and taken[found.term] < GCIDE_SENSES:
            taken[found.term] += 1
            yield found.term, found.text


def _names(sentences: Sequence[Defined]) -> Iterator[tuple[str, str]]:
    """Yield names with sentences that define them, and surnames that only one person of the corpus has."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for name, sentence in sentences:
        term = normal(name)
        if term.split()[0] not in FUNCTION_WORDS and len(by_name[term]) < SENTENCES:
            by_name[term].append(sentence)
    surnames = Counter(term.split()[-1] for term in by_name if len(term.split()) > 1)
    for term, texts in by_name.items():
        yield from ((term, text) for text in texts)
        last = term.split()[-1]
        if len(term.split()) in (2, 3) and surnames[last] == 1 and last not in by_name and "(" in texts[0]:
            yield last, texts[0]


def relate(lexicons: Lexicons, paraphrases: Path, known: Mapping[str, float]) -> Iterator[Row]:
    """Yield pairs of known words or phrases with their relation: synonym, antonym or slang."""
    seen: set[Row] = set()
    listed = read_rows(paraphrases, "list of paraphrases", ("relation", "word1", "word2"))
    paraphrased = ((normal(one), normal(two), relation) for _, (relation, one, two) in listed)
    slang = ((word, meaning, "slang") for word, meaning in lexicons.slang.items())
    for one, two, relation in (*_wordnet_pairs(lexicons.wordnet), *paraphrased, *slang):
        row = (*sorted((one, two)), relation) if relation != "slang" else (one, two, relation)
        if one != two and one in known and (two in known or relation == "slang") and row not in seen:
            seen.add(row)
            yield one, two, relation


def _wordnet_pairs(wordnet: WordNet) -> Iterator[Row]:
    """Yield synonyms by the first senses of the first word, and antonyms."""
    for pos in wordnet.parts:
        for lemma in wordnet.lemmas(pos):
            for rank, synset in enumerate(wordnet.senses(lemma, pos)):
                own = [word.lower() for word in synset.words]
                if rank < SYNONYM_SENSES:
                    for other in own:
                        yield lemma.replace("_", " "), other.replace("_", " "), "synonym"
                for pointer in synset.to(ANTONYM):
                    if pointer.source and own[pointer.source - 1] == lemma:
                        other = wordnet.at(pointer).words[pointer.target - 1].lower()
                        yield lemma.replace("_", " "), other.replace("_", " "), "antonym"
