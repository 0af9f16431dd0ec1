"""Sentences of a corpus that are neither too short nor too long, and the vocabulary that they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from everyword.arrays import IndexArray
from everyword.corpus.text_file import check_is_file, read_text
from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.errors import InputError
from everyword.language_models.mentions import Mention, MentionFinder
from everyword.systems.skipgram.config import SentencesConfig
from everyword.systems.skipgram.conllu import is_parsed, read_conllu
from everyword.text.word_pattern import WORD_PATTERN, spelling

WHAT = "text file"
LONG_LINE = 10_000
"""Characters; the words of a shorter line are counted at once."""
MOST_SPELLINGS = 20_000_000
"""With more different words, those seen once are dropped: a corpus must not fill the memory."""


def check_corpus(corpus: Sequence[Path]) -> None:
    """Raise `InputError` if a file cannot be read, before any is."""
    if not corpus:
        raise InputError("A corpus must have at least one text file. Got none.")
    for path in corpus:
        check_is_file(path, WHAT)


def sentences_of(corpus: Sequence[Path], config: SentencesConfig) -> Iterator[str]:
    """Yield the lines of all files in order that have the right length; empty and gigantic ones are skipped.

    Of a file in CoNLL-U they are the texts of its sentences.
    """
    found = False
    for line in islice(_fitting(corpus, config), config.limit):
        found = True
        yield line
    if not found:
        raise InputError(
            f"No line of {', '.join(path.name for path in corpus)} has {config.shortest} to {config.longest} words; "
            "give one sentence per line, or change sentences.shortest and sentences.longest."
        )


def _fitting(corpus: Sequence[Path], config: SentencesConfig) -> Iterator[str]:
    for path in corpus:
        lines = (tree.text for tree in read_conllu(path)) if is_parsed(path) else read_text(path, WHAT)
        yield from (line for line in lines if has_right_length(line, config))


def has_right_length(line: str, config: SentencesConfig) -> bool:
    """Return whether a line is neither too short nor too long."""
    if len(line) <= LONG_LINE:
        words = len(WORD_PATTERN.findall(line))
    else:  # not counted to the end: a line may be megabytes long
        words = sum(1 for _ in islice(WORD_PATTERN.finditer(line), config.longest + 1))
    return config.shortest <= words <= config.longest


class Vocabulary:
    """Words in order of frequency; finds them in sentences."""

    def __init__(self, words: Sequence[str], counts: Sequence[int]) -> None:
        if len(words) < 2:
            raise InputError(
                f"A vocabulary must have two words or more. Got {', '.join(map(repr, words)) or 'none'}; give a "
                "larger corpus, a longer list of words, or a smaller sentences.min_count."
            )
        self.words = list(words)
        self.counts: IndexArray = np.array(counts, dtype=np.int64)
        self._finder = MentionFinder(self.words)

    def find(self, sentence: str) -> list[Mention]:
        """Return the words of a sentence in order; a phrase is one word, and the words inside it are skipped."""
        return list(without_overlaps(self._finder.find(sentence)))


def without_overlaps(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Yield from left to right the longest mention at each start, none inside another.

    >>> found = MentionFinder(["new", "york", "new york"]).find("New York, new")
    >>> [mention.row for mention in without_overlaps(found)]
    [2, 0]
    """
    waiting: Mention | None = None
    for mention in mentions:  # by their starts, shorter ones first
        if waiting is None or mention.letters.start == waiting.letters.start:
            waiting = mention
        elif mention.letters.start >= waiting.letters.stop:
            yield waiting
            waiting = mention
    if waiting is not None:
        yield waiting


def frequent_words(sentences: Iterable[str], min_count: int) -> Vocabulary:
    """Return the vocabulary of all runs of letters and digits with enough occurrences in the sentences."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(WORD_PATTERN.findall(spelling(sentence)))
        if len(counts) > MOST_SPELLINGS:
            counts = Counter({word: count for word, count in counts.items() if count > 1})
    return _by_frequency({word: count for word, count in counts.items() if count >= min_count})


def listed_words(sentences: Iterable[str], words: Sequence[str]) -> Vocabulary:
    """Return the vocabulary of the listed words and phrases that occur in the sentences; warn of all others."""
    asked = list(dict.fromkeys(map(spelling, unique_words(words))))
    finder, counts = MentionFinder(asked), np.zeros(len(asked), dtype=np.int64)
    for sentence in sentences:
        for mention in without_overlaps(finder.find(sentence)):
            counts[mention.row] += 1
    found = dict(zip(asked, counts.tolist(), strict=True))
    absent = [word for word, count in found.items() if not count]
    warn_left_out(absent, len(asked), "they do not occur in the sentences of the corpus", "give a larger corpus")
    return _by_frequency({word: count for word, count in found.items() if count})


def _by_frequency(counts: dict[str, int]) -> Vocabulary:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Vocabulary([word for word, _ in ordered], [count for _, count in ordered])
