"""How a classifier learns to do without words, and to read "word / word": what its texts look like in training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

SLASH = "/"


@dataclass(frozen=True)
class HidingConfig:
    """How often words are hidden or doubled."""

    masked: float = 0.05
    """The share of words that are hidden."""
    doubled: float = 0.1
    """The share of words that are written twice, with a slash between them."""
    doubled_masked: float = 0.25
    """The share of those copies that are hidden."""

    def problems(self) -> list[str]:
        """Values that cannot be."""
        shares = {"masked": self.masked, "doubled": self.doubled, "doubled_masked": self.doubled_masked}
        return [
            f"{name} must be 0 to 1. Got {value:g} instead" for name, value in shares.items() if not 0 <= value <= 1
        ]


def hide_words(hiding: HidingConfig, mask: str) -> Callable[[str, Random], str]:
    """A function that rewrites a text for one epoch."""

    def rewrite(text: str, rng: Random) -> str:
        return " ".join(word for token in text.split() for word in _shown(token, hiding, mask, rng))

    return rewrite


def _shown(token: str, hiding: HidingConfig, mask: str, rng: Random) -> list[str]:
    if rng.random() < hiding.doubled:
        first, second = (mask if rng.random() < hiding.doubled_masked else token for _ in range(2))
        return [first, SLASH, second]
    return [mask if rng.random() < hiding.masked else token]
