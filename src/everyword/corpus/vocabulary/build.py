"""Build a vocabulary from its sources and write it as tab-separated files.

`words.tsv` and `phrases.tsv` (word, zipf), `foreign.tsv` (word, languages, zipf, translations with their weights),
`definitions.tsv` (term, definition, kind), `inflections.tsv` (form, lemma) and `relations.tsv` (two words, kind).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from everyword.atomic import write_lines
from everyword.corpus.vocabulary.corpus_counts import CorpusCounts, number_text
from everyword.corpus.vocabulary.definitions import Row, define, relate
from everyword.corpus.vocabulary.foreign import ForeignWord, choose_foreign, read_bilingual, words_abroad
from everyword.corpus.vocabulary.inflections import Inflections, pair_forms
from everyword.corpus.vocabulary.phrases import PhraseChoice
from everyword.corpus.vocabulary.sources import VocabularySources, read_lexicons
from everyword.corpus.vocabulary.words import WordChoice


@dataclass(frozen=True)
class VocabularySize:
    """How many entries a vocabulary has at most."""

    words: int = 256_000
    phrases: int = 128_000
    foreign: int = 14_000
    """Of each language."""


@dataclass(frozen=True)
class Vocabulary:
    """The entries of a vocabulary, most frequent first in each section, and what dictionaries say about them."""

    words: Mapping[str, float]
    """With their Zipf frequencies."""
    phrases: Mapping[str, float]
    foreign: Sequence[ForeignWord]
    definitions: Sequence[Row]
    """Term, definition and where it comes from; the best of a term first."""
    inflections: Sequence[tuple[str, str]]
    """Form and lemma."""
    relations: Sequence[Row]
    """Two words or phrases and what relates them: synonym, antonym or slang."""


def build_vocabulary(
    sources: VocabularySources,
    size: VocabularySize | None = None,
    *,
    workers: int = 2,
    on_stage: Callable[[str], None] = lambda stage: None,
) -> Vocabulary:
    """Choose words, phrases and foreign words, and collect their definitions, inflections and relations."""
    size = size or VocabularySize()
    on_stage("read the corpus")
    text = number_text(sources.corpus, workers)
    counts = CorpusCounts(text)
    on_stage("read dictionaries")
    lexicons = read_lexicons(sources)
    languages = read_bilingual(sources)
    inflections = Inflections(lexicons.wordnet, sources.wordnet, sources.verbs)
    on_stage("choose words")
    abroad = words_abroad(languages, lexicons.frequencies.keys() | counts.number_of.keys())
    words = WordChoice(lexicons, counts.words, inflections, abroad).choose(size.words)
    on_stage("choose phrases")
    phrases = PhraseChoice(lexicons, counts, sources.wordnet).choose(size.phrases)
    known = {**words, **phrases}
    on_stage("choose foreign words")
    foreign = choose_foreign(languages, known, size.foreign)
    on_stage("collect definitions")
    return Vocabulary(
        words,
        phrases,
        foreign,
        list(define(lexicons, text.definitions, known)),
        list(pair_forms(words, inflections)),
        list(relate(lexicons, sources.paraphrases, known)),
    )


def write_vocabulary(vocabulary: Vocabulary, folder: Path) -> dict[str, int]:
    """Write all files, each atomically, and return how many rows each has."""
    folder.mkdir(parents=True, exist_ok=True)
    tables: dict[str, tuple[str, Iterable[str]]] = {
        "words": ("word\tzipf", (f"{word}\t{zipf:.2f}" for word, zipf in vocabulary.words.items())),
        "phrases": ("phrase\tzipf", (f"{phrase}\t{zipf:.2f}" for phrase, zipf in vocabulary.phrases.items())),
        "foreign": ("word\tlanguages\tzipf\ttranslations", map(_foreign_row, vocabulary.foreign)),
        "definitions": ("term\tdefinition\tkind", map("\t".join, vocabulary.definitions)),
        "inflections": ("form\tlemma", map("\t".join, vocabulary.inflections)),
        "relations": ("word\tother\tkind", map("\t".join, vocabulary.relations)),
    }
    counts = {}
    for name, (header, rows) in tables.items():
        lines = [header, *rows]
        write_lines(folder / f"{name}.tsv", lines)
        counts[name] = len(lines) - 1
    return counts


def _foreign_row(word: ForeignWord) -> str:
    translations = ";".join(f"{english}={weight:.3f}" for english, weight in word.translations)
    return f"{word.spelling}\t{','.join(word.languages)}\t{word.zipf:.2f}\t{translations}"
