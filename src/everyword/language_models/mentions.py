"""Where the words of a list stand in running text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from everyword.language_models.pieces import Span
from everyword.text.word_pattern import WORD_PATTERN, spelling

LONGEST_REMEMBERED, MOST_REMEMBERED = 40, 1_000_000
"""Letters of a run, and runs: a corpus of nothing but different ones must not fill the memory."""
Begun = tuple[int | None, tuple[int, ...]]
"""The row of a word that is a single run, and of how many runs the longer ones are that begin with it."""


class Mention(NamedTuple):
    """One place where a word stands."""

    row: int
    """Of the word in `MentionFinder.spellings`."""
    letters: Span


class MentionFinder:
    """Finds words and phrases, whatever their case and however their accents are encoded.

    A word is found where it fills whole runs of letters and digits: "cat" in "Cat-like" and "the cat.", not in
    "category"; "covid-19" and "new york" fill two runs each. A word may stand inside a phrase and counts there too.
    """

    def __init__(self, words: Sequence[str]) -> None:
        keys = [spelling(word) for word in words]
        self.spellings = list(dict.fromkeys(keys))
        """The words in lower case, each once."""
        self._row = {key: row for row, key in enumerate(self.spellings)}
        self.row_of_word = [self._row[key] for key in keys]
        """The row of each word that was asked for: "Paris" and "paris" share one."""
        self._sizes = _sizes_by_first_run(self.spellings)
        self._begun: dict[str, Begun] = {}

    def find(self, text: str) -> Iterator[Mention]:
        """All mentions in a text, in its order.

        >>> [mention.row for mention in MentionFinder(["cat", "new york"]).find("Cats of New  York, a cat")]
        [1, 0]
        """
        runs = [run.span() for run in WORD_PATTERN.finditer(text)]
        for first, (start, stop) in enumerate(runs):
            run = text[start:stop]
            word, longer = self._begun.get(run) or self._begun_by(run)
            if word is not None:
                yield Mention(word, Span(start, stop))
            for size in longer:
                last_stop = runs[first + size - 1][1] if first + size <= len(runs) else start
                row = self._row.get(spelling(text[start:last_stop]))
                if row is not None:
                    yield Mention(row, Span(start, last_stop))

    def _begun_by(self, run: str) -> Begun:
        """What begins with a run; remembered, because a text is made of the same runs again and again."""
        key = spelling(run)
        found = self._row.get(key), tuple(size for size in self._sizes.get(key, ()) if size > 1)
        if len(run) <= LONGEST_REMEMBERED and len(self._begun) < MOST_REMEMBERED:
            self._begun[run] = found
        return found


def _sizes_by_first_run(spellings: Sequence[str]) -> dict[str, list[int]]:
    """How many runs of letters the words have that begin with a given one: most words of a text begin no phrase.

    >>> _sizes_by_first_run(["new", "new york", "cat"])
    {'new': [1, 2], 'cat': [1]}
    """
    sizes: dict[str, set[int]] = {}
    for key in spellings:
        if runs := WORD_PATTERN.findall(key):
            sizes.setdefault(runs[0], set()).add(len(runs))
    return {first: sorted(found) for first, found in sizes.items()}
