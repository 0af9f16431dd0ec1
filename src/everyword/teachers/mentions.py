"""Where the words of a list stand in running text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from everyword.teachers.pieces import Stretch

# Python's \w leaves out accents and vowel signs that are characters of their own.
MARKS = "".join(mark for mark in map(chr, range(0x10000)) if unicodedata.category(mark).startswith("M"))
RUN_OF_LETTERS = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}])*")


@dataclass(frozen=True)
class Mention:
    """One place where a word stands."""

    row: int
    """Of the word in `Mentions.spellings`."""
    letters: Stretch


class Mentions:
    """Finds words and phrases, whatever their case and however their accents are encoded.

    A word is found where it fills whole runs of letters and digits: "cat" in "Cat-like" and "the cat.", not in
    "category"; "covid-19" and "new york" fill two runs each. A word may stand inside a phrase and counts there too.
    """

    def __init__(self, words: Sequence[str]) -> None:
        keys = [_key(word) for word in words]
        self.spellings = list(dict.fromkeys(keys))
        """The words in lower case, each once."""
        self._row = {key: row for row, key in enumerate(self.spellings)}
        self.row_of_word = [self._row[key] for key in keys]
        """The row of each word that was asked for: "Paris" and "paris" share one."""
        self._sizes = sorted({len(RUN_OF_LETTERS.findall(key)) for key in self.spellings} - {0})

    def find(self, text: str) -> Iterator[Mention]:
        """All mentions in a text, in its order.

        >>> [mention.row for mention in Mentions(["cat", "new york"]).find("Cats of New  York, a cat")]
        [1, 0]
        """
        runs = [run.span() for run in RUN_OF_LETTERS.finditer(text)]
        for first, (start, _) in enumerate(runs):
            for size in self._sizes:
                if first + size > len(runs):
                    break
                stop = runs[first + size - 1][1]
                row = self._row.get(_key(text[start:stop]))
                if row is not None:
                    yield Mention(row, Stretch(start, stop))


def _key(word: str) -> str:
    return " ".join(unicodedata.normalize("NFC", word.lower()).split())
