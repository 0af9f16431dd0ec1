"""Count the words of a list in text and sample sentences for each; a pure function of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from everyword.arrays import HashArray, IndexArray
from everyword.corpus.contexts.bottom_k import (
    HASH_MASK,
    HIGHEST_HASH,
    TOO_SHORT,
    bottom_k_keys,
    find_lines,
    keys_of,
    rows_of,
    sentence_hash,
)
from everyword.corpus.contexts.spec import SentenceBounds
from everyword.corpus.contexts.word_matcher import WordMatcher
from everyword.corpus.contexts.word_spans import WordSpans

# An end mark, what may close behind it, a blank, and something that can begin a sentence.
SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]* +(?=[^\sa-z])")
NO_KEYS = np.zeros(0, dtype=np.uint64)
MAX_PENDING = 1 << 20
"""How many mentions are collected before those with too high a hash are dropped."""


def split_sentences(block: str, longest: int) -> list[str]:
    """Split a block of lines into sentences: a line that is not too long is one, a longer one is cut.

    >>> split_sentences("One line.\\r\\nA b c.  D e! F g h i j", 3)
    ['One line.', 'A b c.', 'D e!', 'F g h', 'i j']
    """
    lines = _with_single_blanks(block).split("\n")
    if not [line for line in lines if len(line) > 2 * longest and line.count(" ") >= longest]:
        return lines
    return [part for line in lines for part in ((line,) if line.count(" ") < longest else _cut(line, longest))]


def _with_single_blanks(text: str) -> str:
    # Faster than a pattern, and most texts are so already.
    text = text.replace("\r\n", "\n")
    for other in ("\r", "\t", "\xa0"):
        text = text.replace(other, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def _cut(line: str, longest: int) -> Iterator[str]:
    start = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(line)), len(line)]:
        words = line[start:end].split()
        for first in range(0, len(words), longest):
            yield " ".join(words[first : first + longest])
        start = end


@dataclass(frozen=True)
class ScanResult:
    """Counts and sentences of the words of a list in some text."""

    counts: IndexArray
    """The number of mentions of each row."""
    keys: HashArray
    """Sorted; each is a word and the hash of a sentence."""
    numbers: IndexArray
    """The index of each key's sentence in `sentences`."""
    sentences: list[str]


class Scan:
    """Scans blocks of text one after the other."""

    def __init__(self, matcher: WordMatcher, most: int, bounds: SentenceBounds) -> None:
        self._matcher, self._most, self._bounds = matcher, most, bounds
        rows = len(matcher.spellings)
        self._counts = np.zeros(rows, dtype=np.int64)
        self._limits = np.full(rows, HIGHEST_HASH)
        """For each word, the hash that a new sentence must stay below."""
        self._keys = NO_KEYS
        self._new_keys: list[HashArray] = []
        self._pending = 0
        self._lines: list[str] = []
        self._line_hashes: list[HashArray] = []
        self.characters = 0
        """How many were read so far."""

    def add(self, block: str) -> None:
        """Read a block of whole lines."""
        lines = split_sentences(block, self._bounds.longest)
        spans = WordSpans(lines)
        line_hashes = spans.line_hashes()
        line_hashes[np.diff(spans.bounds) < self._bounds.shortest] = TOO_SHORT
        hashes = sentence_hash(line_hashes)
        for rows, line in self._matcher.mentions(spans):
            self._counts += np.bincount(rows, minlength=len(self._counts))
            of_line = hashes.take(line)
            candidates = np.flatnonzero(of_line < self._limits.take(rows))
            self._new_keys.append(keys_of(rows[candidates], of_line[candidates]))
            self._pending += len(candidates)
        self._lines += lines
        self._line_hashes.append(line_hashes)
        self.characters += len(block)
        if self._pending > MAX_PENDING:
            self._drop_high_hashes()

    def finish(self) -> ScanResult:
        """Return the counts and the sampled sentences; all other sentences are dropped."""
        self._drop_high_hashes()
        lines = find_lines(self._keys, np.concatenate([NO_KEYS, *self._line_hashes]), self._words_of_line)
        used = np.zeros(len(self._lines), dtype=np.bool_)
        used[lines] = True
        numbers = np.cumsum(used) - 1
        sentences = [self._lines[line].strip() for line in np.flatnonzero(used).tolist()]
        return ScanResult(self._counts, self._keys, numbers[lines], sentences)

    def _words_of_line(self, line: int) -> set[int]:
        spans = WordSpans([self._lines[line]])
        return {row for rows, _ in self._matcher.mentions(spans) for row in rows.tolist()}

    def _drop_high_hashes(self) -> None:
        self._keys, last = bottom_k_keys(np.concatenate([self._keys, *self._new_keys]), self._most)
        self._limits[rows_of(last)] = last & HASH_MASK
        self._new_keys, self._pending = [], 0
