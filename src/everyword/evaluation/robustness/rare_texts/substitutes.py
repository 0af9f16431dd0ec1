"""Rare words that may replace frequent ones: synonyms and misspellings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from everyword import registry
from everyword.corpus.rows import read_rows
from everyword.evaluation.context_models import STOP_WORDS
from everyword.text.corruption import TYPOS

SYNONYM, MISSPELLING = "synonym", "misspelling"
SHORTEST = 4
"""Words with fewer letters are not misspelt: one error would turn them into other words."""
DRAWN = 3
"""The number of misspellings that are generated per word, if none are listed."""


@dataclass(frozen=True)
class Substitute:
    """A rare word, and its kind: a synonym or a misspelling of the word that it replaces."""

    word: str
    kind: str
    count: int = 0
    """Its count in the corpus that defines what is rare."""


@dataclass(frozen=True)
class Substitutes:
    """The rare words that may replace each word. Misspellings are allowed for a share of the words of a text only."""

    synonyms: Mapping[str, Sequence[Substitute]] = field(default_factory=dict)
    misspellings: Mapping[str, Sequence[Substitute]] = field(default_factory=dict)
    misspelt_share: float = 0.1

    def of(self, tokens: Sequence[str], seed: int) -> list[list[Substitute]]:
        """Return the substitutes of each token of a text; seed and text decide which tokens may be misspelt."""
        found, rng = [], Random(f"{seed}/{' '.join(tokens)}")
        for token in tokens:
            misspelt = self.misspellings.get(token.lower(), ()) if rng.random() < self.misspelt_share else ()
            found.append([*self.synonyms.get(token.lower(), ()), *misspelt])
        return found


def read_synonyms(
    path: Path, counts: Mapping[str, int], rare_below: int, *, ambiguous: bool = False
) -> dict[str, list[Substitute]]:
    """Read rare synonyms of the most frequent sense, from word, synonym, pos and sense_rank between tabs.

    Words with several parts of speech are skipped unless `ambiguous`, because their part of speech in a text is not
    known. Stop words are always skipped: WordNet knows "a" as a unit of length.
    """
    columns = ("word", "synonym", "pos", "sense_rank")
    rows = [[cell.lower() for cell in cells] for _, cells in read_rows(path, "list of synonyms", columns)]
    parts: dict[str, set[str]] = {}
    for word, _, pos, _ in rows:
        parts.setdefault(word, set()).add(pos)
    pairs = (
        (word, synonym)
        for word, synonym, _, rank in rows
        if rank == "1" and (ambiguous or len(parts[word]) == 1) and word not in STOP_WORDS
    )
    return _rare(pairs, SYNONYM, counts, rare_below)


def read_misspellings(path: Path, counts: Mapping[str, int], rare_below: int) -> dict[str, list[Substitute]]:
    """Read rare misspellings, from wrong and right between tabs."""
    pairs = ((right, wrong) for _, (wrong, right) in read_rows(path, "list of misspellings", ("wrong", "right")))
    return _rare(pairs, MISSPELLING, counts, rare_below)


def make_misspellings(
    words: Iterable[str], counts: Mapping[str, int], rare_below: int, seed: int = 0
) -> dict[str, list[Substitute]]:
    """Generate rare misspellings of words, with one typo each, always the same for a seed."""
    kinds = [registry.corruptions.get(name) for name in TYPOS]
    pairs = []
    for word in dict.fromkeys(words):
        if len(word) >= SHORTEST and word.isalpha():
            rng = Random(f"{seed}/{word}")
            pairs += [(word, rng.choice(kinds)(word, rng)) for _ in range(DRAWN)]
    return _rare(pairs, MISSPELLING, counts, rare_below)


def _rare(
    pairs: Iterable[tuple[str, str]], kind: str, counts: Mapping[str, int], rare_below: int
) -> dict[str, list[Substitute]]:
    found: dict[str, list[Substitute]] = {}
    for word, other in dict.fromkeys((word.lower(), other.lower()) for word, other in pairs):
        count = counts.get(other, 0)
        if other != word and count < rare_below:
            found.setdefault(word, []).append(Substitute(other, kind, count))
    return found
