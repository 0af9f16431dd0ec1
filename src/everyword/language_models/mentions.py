"""Find the words of a list in running text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from everyword.language_models.pieces import Span
from everyword.text.word_pattern import WORD_PATTERN, spelling

LONGEST_CACHED, MAX_CACHED = 40, 1_000_000
"""Letters per run, and number of runs: a corpus of nothing but different ones must not fill the memory."""
Matches = tuple[int | None, tuple[int, ...]]
"""For a run of letters: the row of the word that it is, if any, and the sizes in runs of the phrases it begins."""


class Mention(NamedTuple):
    """An occurrence of a word in a text."""

    row: int
    """The index of the word in `MentionFinder.spellings`."""
    letters: Span


class MentionFinder:
    """Finds words and phrases, whatever their case and however their accents are encoded.

    A word is found where it fills whole runs of letters and digits: "cat" in "Cat-like" and "the cat.", not in
    "category"; "covid-19" and "new york" fill two runs each. A word inside a phrase counts too.
    """

    def __init__(self, words: Sequence[str]) -> None:
        keys = [spelling(word) for word in words]
        self.spellings = list(dict.fromkeys(keys))
        """The words in lower case, each once."""
        self._row = {key: row for row, key in enumerate(self.spellings)}
        self.row_of_word = [self._row[key] for key in keys]
        """The row of each given word: "Paris" and "paris" share one."""
        self._sizes = _sizes_by_first_run(self.spellings)
        self._cache: dict[str, Matches] = {}

    def find(self, text: str) -> Iterator[Mention]:
        """Yield all mentions in a text, in its order.

        >>> [mention.row for mention in MentionFinder(["cat", "new york"]).find("Cats of New  York, a cat")]
        [1, 0]
        """
        runs = [run.span() for run in WORD_PATTERN.finditer(text)]
        for first, (start, stop) in enumerate(runs):
            run = text[start:stop]
            word, phrase_sizes = self._cache.get(run) or self._match(run)
            if word is not None:
                yield Mention(word, Span(start, stop))
            for size in phrase_sizes:
                last_stop = runs[first + size - 1][1] if first + size <= len(runs) else start
                row = self._row.get(spelling(text[start:last_stop]))
                if row is not None:
                    yield Mention(row, Span(start, last_stop))

    def _match(self, run: str) -> Matches:
        """Return what begins with a run; cached, because a text is made of the same runs again and again."""
        key = spelling(run)
        matches = self._row.get(key), tuple(size for size in self._sizes.get(key, ()) if size > 1)
        if len(run) <= LONGEST_CACHED and len(self._cache) < MAX_CACHED:
            self._cache[run] = matches
        return matches


def _sizes_by_first_run(spellings: Sequence[str]) -> dict[str, list[int]]:
    """Return the sizes, in runs of letters, of the words that begin with each run: most runs begin no phrase.

    >>> _sizes_by_first_run(["new", "new york", "cat"])
    {'new': [1, 2], 'cat': [1]}
    """
    sizes: dict[str, set[int]] = {}
    for key in spellings:
        if runs := WORD_PATTERN.findall(key):
            sizes.setdefault(runs[0], set()).add(len(runs))
    return {first: sorted(found) for first, found in sizes.items()}
