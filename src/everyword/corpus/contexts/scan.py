"""Count the words of a list in some text and sample sentences for each."""

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
from everyword.corpus.contexts.word_matcher import WordMatcher
from everyword.corpus.contexts.word_spans import WordSpans
from everyword.errors import InputError

# An end mark, what may close behind it, a blank, and something that can begin a sentence.
SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’»)\]]* +(?=[^\sa-z])")


@dataclass(frozen=True)
class SentenceBounds:
    """How many words a sentence has."""

    shortest: int = 4
    """WordSpans of letters; what is shorter counts, but tells nothing."""
    longest: int = 96
    """Words between blanks; what is longer is cut."""

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.longest:
            raise InputError(
                "The shortest sentence has 1 word or more and no more than the longest. "
                f"Got {self.shortest} and {self.longest} instead."
            )


def split_sentences(block: str, longest: int) -> list[str]:
    """The sentences of a block of lines; no text between them is lost.

    >>> split_sentences("One line.\\r\\nA b c.  D e! F g h i j", 3)
    ['One line.', 'A b c.', 'D e!', 'F g h', 'i j']
    """
    lines = with_single_blanks(block).split("\n")
    if not [line for line in lines if len(line) > 2 * longest and line.count(" ") >= longest]:
        return lines
    return [passage for line in lines for passage in ((line,) if line.count(" ") < longest else _cut(line, longest))]


def with_single_blanks(text: str) -> str:
    """A text whose words stand one blank apart; faster than a pattern, and most texts are so already."""
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


NO_KEYS = np.zeros(0, dtype=np.uint64)
WAITING = 1 << 20
"""Mentions that are collected before those with too high a hash are thrown away."""


@dataclass(frozen=True)
class ScanResult:
    """What a piece of text holds of the wanted words."""

    counts: IndexArray
    """Of each row."""
    keys: HashArray
    """Word and sentence in one number, sorted."""
    numbers: IndexArray
    """In `sentences`, for each key."""
    sentences: list[str]


class Scan:
    """Takes blocks of text one after the other; a pure function of their text."""

    def __init__(self, wanted: WordMatcher, most: int, bounds: SentenceBounds) -> None:
        self._wanted, self._most, self._bounds = wanted, most, bounds
        rows = len(wanted.spellings)
        self._counts = np.zeros(rows, dtype=np.int64)
        self._limits = np.full(rows, HIGHEST_HASH)
        """The hash that a sentence of each word must stay below."""
        self._keys = NO_KEYS
        self._new_keys: list[HashArray] = []
        self._waiting = 0
        self._lines: list[str] = []
        self._line_hashes: list[HashArray] = []
        self.characters = 0
        """That were read so far."""

    def add(self, block: str) -> None:
        """Read a block of whole lines."""
        lines = split_sentences(block, self._bounds.longest)
        runs = WordSpans(lines)
        words = runs.hashes()
        line_hashes = runs.line_hashes()
        line_hashes[np.diff(runs.bounds) < self._bounds.shortest] = TOO_SHORT
        hashes = sentence_hash(line_hashes)
        for rows, line in self._wanted.mentions(runs, words):
            self._counts += np.bincount(rows, minlength=len(self._counts))
            of_line = hashes.take(line)
            candidates = np.flatnonzero(of_line < self._limits.take(rows))
            self._new_keys.append(keys_of(rows[candidates], of_line[candidates]))
            self._waiting += len(candidates)
        self._lines += lines
        self._line_hashes.append(line_hashes)
        self.characters += len(block)
        if self._waiting > WAITING:
            self._throw_away()

    def finish(self) -> ScanResult:
        """All that was found; the sentences that no word needs are gone."""
        self._throw_away()
        lines = find_lines(self._keys, np.concatenate([NO_KEYS, *self._line_hashes]), self._words_of_line)
        used = np.zeros(len(self._lines), dtype=np.bool_)
        used[lines] = True
        numbers = np.cumsum(used) - 1
        sentences = [self._lines[line].strip() for line in np.flatnonzero(used).tolist()]
        return ScanResult(self._counts, self._keys, numbers[lines], sentences)

    def _words_of_line(self, line: int) -> set[int]:
        runs = WordSpans([self._lines[line]])
        return {row for rows, _ in self._wanted.mentions(runs, runs.hashes()) for row in rows.tolist()}

    def _throw_away(self) -> None:
        self._keys, last = bottom_k_keys(np.concatenate([self._keys, *self._new_keys]), self._most)
        self._limits[rows_of(last)] = last & HASH_MASK
        self._new_keys, self._waiting = [], 0
