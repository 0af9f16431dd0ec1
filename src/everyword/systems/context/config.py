"""Settings of a context part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

MOST_WORDS = 1 << 20
"""Three numbers below this fit into 64 bits."""


@dataclass(frozen=True)
class ContextConfig:
    """What is counted, and how the networks are trained."""

    reach: int = 50_000
    """How many of the most frequent words are counted in n-grams."""
    least: float = 4.0
    """How often an n-gram must be seen to be kept."""
    most: int = 4_900_000
    """How many n-grams are kept at most, the most frequent ones; each takes 2.2 bytes."""
    style_weight: float = 2.0
    """How much a sentence of --style counts; one of --corpus counts 1."""
    held_out: int = 50_000
    """Sentences of the end of the corpus that are not counted: errors are put into them to train the networks. Of
    --style every twentieth sentence is held out."""
    texts: int = 30_000
    """Held-out sentences with errors."""
    clean_texts: int = 5_000
    """Held-out sentences without errors that the networks are trained on."""
    judging_texts: int = 5_000
    """Held-out sentences without errors by which thresholds are chosen."""
    hidden: int = 32
    epochs: int = 16
    batch: int = 2048
    """Words."""
    learning_rate: float = 0.01
    changed: float = 0.002
    """The share of right words that may be changed: thresholds are as low as that allows."""
    changed_unknown: float = 1 / 3
    """How much of that is spent on words that are not stored."""
    seed: int = 0

    def problems(self) -> Iterator[str]:
        """Yield a message for each invalid setting."""
        counts = ("reach", "most", "held_out", "texts", "clean_texts", "judging_texts", "hidden", "epochs", "batch")
        for name in counts:
            if getattr(self, name) < 1:
                yield f"{name} must be 1 or more"
        if self.reach >= MOST_WORDS - 8:
            yield f"reach must be below {MOST_WORDS - 8:,}"
        for name in ("least", "style_weight", "learning_rate"):
            if not getattr(self, name) > 0:
                yield f"{name} must be above 0"
        for name in ("changed", "changed_unknown"):
            if not 0 < getattr(self, name) < 1:
                yield f"{name} must be between 0 and 1"
