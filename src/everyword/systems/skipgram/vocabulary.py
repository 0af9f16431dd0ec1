"""The words that get vectors: those that a corpus holds often enough, or those of a list, phrases among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from everyword.arrays import IndexArray
from everyword.corpus.word_list import unique_words, warn_left_out
from everyword.errors import InputError
from everyword.language_models.mentions import Mention, MentionFinder
from everyword.text.word_pattern import WORD_PATTERN, spelling

MOST_SPELLINGS = 20_000_000
"""More different ones are not counted at once: the rarest are forgotten, so that a corpus cannot fill the memory."""


class Vocabulary:
    """Words in order of frequency, and where they stand in a sentence."""

    def __init__(self, words: Sequence[str], counts: Sequence[int]) -> None:
        if len(words) < 2:
            raise InputError(
                f"A table needs words to tell apart, two or more. Got {', '.join(map(repr, words)) or 'none'}; give a "
                "larger corpus, a longer list of words, or a smaller sentences.min_count."
            )
        self.words = list(words)
        self.counts: IndexArray = np.array(counts, dtype=np.int64)
        self._mentions = MentionFinder(self.words)

    def find(self, sentence: str) -> list[Mention]:
        """The words of a sentence in its order; a phrase is one of them, and hides the words that it is made of."""
        return list(apart(self._mentions.find(sentence)))


def apart(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """From left to right the longest mention at each place, none inside another.

    >>> found = MentionFinder(["new", "york", "new york"]).find("New York, new")
    >>> [mention.row for mention in apart(found)]
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
    """All runs of letters and digits that stand often enough in the sentences."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        counts.update(WORD_PATTERN.findall(spelling(sentence)))
        if len(counts) > MOST_SPELLINGS:
            counts = Counter({word: count for word, count in counts.items() if count > 1})
    return _by_frequency({word: count for word, count in counts.items() if count >= min_count})


def listed_words(sentences: Iterable[str], words: Sequence[str]) -> Vocabulary:
    """The words and phrases of a list that stand in the sentences; others are left out, with a warning."""
    asked = list(dict.fromkeys(map(spelling, unique_words(words))))
    mentions, counts = MentionFinder(asked), np.zeros(len(asked), dtype=np.int64)
    for sentence in sentences:
        for mention in apart(mentions.find(sentence)):
            counts[mention.row] += 1
    warn_left_out(
        [word for word, count in zip(asked, counts.tolist(), strict=True) if not count],
        len(asked),
        "they do not stand in the sentences of the corpus",
        "give a larger corpus",
    )
    return _by_frequency({word: count for word, count in zip(asked, counts.tolist(), strict=True) if count})


def _by_frequency(counts: dict[str, int]) -> Vocabulary:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return Vocabulary([word for word, _ in ordered], [count for _, count in ordered])
