"""Words by synonyms of the same part of speech, one word of a text at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple

from everyword.corpus.rows import read_rows
from everyword.evaluation.context_models import STOP_WORDS
from everyword.evaluation.robustness.attack import WORD, Text, words_replaced

SYNONYM_FILE = "lexical/wordnet_synonyms.tsv.gz"
"""In the data folder."""
COLUMNS = ("word", "synonym", "pos", "sense_rank")
PARTS = ("n", "a", "r")
"""Nouns, adjectives and adverbs: the paper replaces no verbs, which would need another form."""
MOST_SYNONYMS = 5


class Swap(NamedTuple):
    """A text with a synonym in place of a word."""

    text: Text
    word: str
    by: str
    pos: str


@dataclass(frozen=True)
class SynonymReplacer:
    """Replaces a word, wherever it stands in a text, by a synonym."""

    synonyms: Mapping[str, tuple[str, tuple[str, ...]]]
    """By word, its part of speech and its synonyms."""
    both: bool = False
    """Whether every text of a pair must have the word."""

    @classmethod
    def load(cls, path: Path, *, both: bool = False) -> SynonymReplacer:
        """Read synonyms of the most frequent sense, from word, synonym, pos and sense_rank between tabs.

        Words with several parts of speech are left out: which one they have in a text is not known. So are function
        words, and synonyms of several words.
        """
        rows = [[cell.lower() for cell in cells] for _, cells in read_rows(path, "list of synonyms", COLUMNS)]
        parts: dict[str, set[str]] = {}
        for word, _, pos, _ in rows:
            parts.setdefault(word, set()).add(pos)
        found: dict[str, tuple[str, list[str]]] = {}
        for word, synonym, pos, rank in rows:
            plain = word not in STOP_WORDS and synonym != word and WORD.fullmatch(synonym)
            if plain and rank == "1" and pos in PARTS and len(parts[word]) == 1:
                found.setdefault(word, (pos, []))[1].append(synonym)
        chosen = {word: (pos, tuple(dict.fromkeys(others))[:MOST_SYNONYMS]) for word, (pos, others) in found.items()}
        return cls(chosen, both)

    def swaps(self, text: Text) -> list[Swap]:
        """Return a text with each synonym of each of its words, one at a time."""
        words = [set(WORD.findall(part)) for part in text]
        asked = set.intersection(*words) if self.both else set.union(*words)
        return [
            Swap(words_replaced(text, {word: synonym}), word, synonym, self.synonyms[word][0])
            for word in sorted(asked & self.synonyms.keys())
            for synonym in self.synonyms[word][1]
        ]

    def rewritten(self, text: Text, budget: int, rng: Random) -> list[Text]:
        """Return so many texts with a synonym, drawn at random; none if no word has one."""
        swaps = self.swaps(text)
        return [rng.choice(swaps).text for _ in range(budget)] if swaps else []
