"""What is read of a language: its dictionary, without the pairs that judge, its frequencies, and its words."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from everyword.errors import InputError
from everyword.files import read_lines
from everyword.systems.language.config import LanguageConfig

Spelt = Callable[[str], str]
ENGLISH, FOREIGN = ("english", "source"), ("translation", "target")
"""What the first and the last column of a dictionary may be called."""
INSIDE = frozenset("'-.")
"""Characters that words may have between their letters."""


@dataclass(frozen=True)
class Dictionary:
    """The English translations of the words of a language, each with the number of parts of speech that it has."""

    translations: Mapping[str, Mapping[str, int]]
    dropped: int = 0
    """How many rows were left out because they judge."""

    def __len__(self) -> int:
        return len(self.translations)


def read_dictionary(path: Path, spelt: Spelt, english: Spelt, judging: Collection[str] = frozenset()) -> Dictionary:
    """Read a tab-separated dictionary: English, perhaps the part of speech, and the translation.

    Args:
        path: The file, with a header line.
        spelt: Normalises words of the language.
        english: Normalises English words.
        judging: Normalised words of the language whose rows are all left out.

    Raises:
        InputError: If the file is not such a dictionary, or if nothing of it is left.
    """
    found: dict[str, dict[str, set[str]]] = {}
    dropped = 0
    for cells in _rows(path, "dictionary"):
        word, meaning = spelt(cells[-1]), english(cells[0])
        if word in judging:
            dropped += 1
        elif word and meaning:
            found.setdefault(word, {}).setdefault(meaning, set()).add(cells[1] if len(cells) > len("ab") else "")
    if not found:
        raise InputError(f"{path} has no pair that could be used; {dropped:,} pairs judge and were left out.")
    counted = {word: {meaning: len(kinds) for meaning, kinds in of.items()} for word, of in found.items()}
    return Dictionary(counted, dropped)


def read_judging(paths: Iterable[Path], spelt: Spelt) -> set[str]:
    """Return all words of lists of pairs, in whichever column they are."""
    return {spelt(cell) for path in paths for cells in _rows(path, "list of pairs") for cell in (cells[0], cells[-1])}


def _rows(path: Path, what: str) -> Iterator[list[str]]:
    lines = read_lines(path, what)
    columns = lines[0].lower().split("\t")
    if len(columns) not in (2, 3) or columns[0] not in ENGLISH or columns[-1] not in FOREIGN:
        raise InputError(
            f"{path}:1: the first line of a {what} must name the columns english, pos and translation, or source and "
            f"target, with tabs between them. Got {lines[0][:60]!r}."
        )
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(columns) or not all(cell.strip() for cell in cells):
            raise InputError(f"{path}:{number}: needs {', '.join(columns)} between tabs. Got {line[:60]!r}; fix it.")
        yield cells


def read_frequencies(path: Path, spelt: Spelt) -> dict[str, float]:
    """Read words and their frequencies (Zipf's or counts), with a header line, and return them most frequent first."""
    lines = read_lines(path, "list of frequencies")
    if len(lines[0].split("\t")) != len(("word", "zipf")):
        raise InputError(f"{path}:1: needs a word and its frequency between tabs. Got {lines[0][:60]!r}.")
    found: dict[str, float] = {}
    for number, line in enumerate(lines[1:], start=2):
        word, _, text = line.partition("\t")
        try:
            frequency = float(text)
        except ValueError:
            frequency = float("nan")
        if not 0 <= frequency < float("inf"):
            raise InputError(f"{path}:{number}: needs a word and its frequency between tabs. Got {line[:60]!r}.")
        if spelt(word):
            found[spelt(word)] = max(frequency, found.get(spelt(word), 0.0))
    if not found:
        raise InputError(f"{path} has no words; a list of words and their frequencies was expected.")
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def is_word(text: str) -> bool:
    """Return whether a text is one word: letters, with hyphens, apostrophes or full stops between them.

    >>> is_word("straße"), is_word("e-mail"), is_word("3d"), is_word("guten tag")
    (True, True, False, False)
    """
    letters = [character for character in text if character not in INSIDE]
    # Vowel signs of some alphabets are marks and not letters.
    return any(map(str.isalpha, letters)) and all(unicodedata.category(letter)[0] in "LM" for letter in letters)


def choose_words(
    translated: Collection[str], counts: Mapping[str, int], frequencies: Iterable[str], config: LanguageConfig
) -> tuple[list[str], list[str]]:
    """Return the words and the phrases that get vectors, most frequent first.

    Words of the list of frequencies come first, then those of the corpus, then those of the dictionary alone.

    Args:
        translated: Words and phrases with translations.
        counts: The words of the corpus, most frequent first, and how often they occur.
        frequencies: The words of the list of frequencies, most frequent first.
        config: How many words and phrases at most, and the least count of a word of the corpus.
    """
    frequent = [word for word, count in counts.items() if count >= config.least_count or word in translated]
    words = [word for word in dict.fromkeys([*frequencies, *frequent, *translated]) if is_word(word)]
    phrases = [term for term in translated if " " in term]
    return words[: config.words], phrases[: config.phrases]
