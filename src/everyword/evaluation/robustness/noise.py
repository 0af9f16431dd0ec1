"""Noise: errors in the words of a data set, and how many words get one.

Answers stay clean: the fourth word of an analogy, the correction of a misspelling, the candidates. So does the text
that a classifier or tagger is trained on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from everyword import registry
from everyword.errors import InputError, NoScoreError, UnknownNameError, did_you_mean
from everyword.text.corruption import TYPOS, corrupt_text

D = TypeVar("D")

PUBLISHED = "published"
"""Noisy copies that came with the data set, instead of generated errors."""
FAMILIES: dict[str, tuple[str, ...]] = {"typo": TYPOS, **{name: (name,) for name in registry.corruptions}}
"""Corruptions by name: "typo" is the four keyboard errors together, all others are registered corruptions."""
CORRUPTIONS = (*FAMILIES, PUBLISHED)
LADDER = (0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0)
"""The strengths of the LOVE paper, and clean text."""
NONE_PUBLISHED = "There are no published noisy copies of this data set; choose another corruption."


@dataclass(frozen=True)
class Noise:
    """Errors of one family in a share of the words, one error per word."""

    corruption: str
    strength: float
    """The percentage of words to change; short words stay as they are."""

    def __post_init__(self) -> None:
        if self.corruption not in CORRUPTIONS:
            raise UnknownNameError(
                f"There is no corruption {self.corruption!r}: {did_you_mean(self.corruption, CORRUPTIONS)}"
            )
        if not 0 < self.strength <= 100:
            raise InputError(f"A strength must lie between 0 and 100 percent. Got {self.strength:g} instead.")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The registered corruptions, one of which is drawn for each word."""
        if self.corruption == PUBLISHED:
            raise NoScoreError(NONE_PUBLISHED)
        return FAMILIES[self.corruption]

    @property
    def share(self) -> float:
        """The strength as a share of one."""
        return self.strength / 100

    def __str__(self) -> str:
        return f"{self.corruption}-{self.strength:g}"


def read_noise(name: str) -> Noise:
    """Parse the name of a noise.

    >>> read_noise("typo-70")
    Noise(corruption='typo', strength=70.0)
    """
    found = re.fullmatch(r"(.+)-(\d+(?:\.\d+)?)", name)
    if found is None:
        raise InputError(f"Noise must read corruption-strength, as in typo-70. Got {name!r} instead.")
    return Noise(found[1], float(found[2]))


def name_under(noise: Noise | None, name: str) -> str:
    """Return a name with its noise.

    >>> name_under(Noise("typo", 70), "tagging/bc2gm"), name_under(None, "tagging/bc2gm")
    ('tagging/bc2gm@typo-70', 'tagging/bc2gm')
    """
    return f"{name}@{noise}" if noise else name


def noise_levels(corruptions: Iterable[str], strengths: Sequence[float]) -> list[Noise | None]:
    """Return every corruption at every strength, each once; strength 0 is None, clean data, for all of them."""
    return list(
        dict.fromkeys(
            Noise(corruption, strength) if strength else None for corruption in corruptions for strength in strengths
        )
    )


class Misspeller:
    """Misspells a share of words and counts them.

    A word is always misspelt in the same way, and a word that is misspelt at 10 % is misspelt alike at 20 %: a curve
    falls because of more errors, not because of other ones.
    """

    def __init__(self, noise: Noise, seed: int) -> None:
        self._share, self._seed = noise.share, seed
        self._kinds = [registry.corruptions.get(kind) for kind in noise.kinds]
        self._spelt: dict[str, str] = {}

    def __call__(self, word: str) -> str:
        """Return the word as spelt under the noise."""
        if word not in self._spelt:
            self._spelt[word] = corrupt_text(word, self._share, self._kinds, Random(f"{self._seed}/{word}"))
        return self._spelt[word]

    @property
    def changed(self) -> float:
        """The share of distinct words that really changed."""
        return sum(word != written for word, written in self._spelt.items()) / max(1, len(self._spelt))


Misspell = Callable[[str], str]
Corrupt = Callable[[D, Noise, int], tuple[D, float]]
"""Data set, noise and seed → noisy copy and the share of words that really changed."""


def word_by_word(copy: Callable[[D, Misspell], D]) -> Corrupt[D]:
    """Turn a function that replaces the words of a data set into one that corrupts it."""

    def corrupt(data: D, noise: Noise, seed: int) -> tuple[D, float]:
        misspeller = Misspeller(noise, seed)
        noisy = copy(data, misspeller)
        return noisy, misspeller.changed

    return corrupt
