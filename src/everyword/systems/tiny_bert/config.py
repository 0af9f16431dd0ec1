"""What a small BERT is: its size, its training, and one run of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from everyword.systems.tiny_bert.masked_corpus import MOST_PIECES, SPECIAL

PURPOSE = "Training a small BERT"


@dataclass(frozen=True)
class TinyBertConfig:
    """Size and training of a small BERT."""

    layers: int = 4
    width: int = 256
    heads: int = 4
    inner: int = 1024
    """Width of the feed-forward layers."""
    dropout: float = 0.0
    vocabulary: int = 16_000
    vocabulary_sentences: int = 1_000_000
    """Pieces are learnt from so many sentences at most."""
    length: int = 128
    """Pieces of a block, and the longest text that the model reads."""
    masked: float = 0.15
    """The share of pieces to guess."""
    epochs: int = 20
    batch: int = 256
    """Blocks of a step."""
    rate: float = 1e-3
    """The highest learning rate; it rises to it and falls to 0 in straight lines."""
    warm_up: float = 0.05
    weight_decay: float = 0.01
    clip: float = 1.0
    held_out: float = 0.005
    """The share of blocks, the last ones, that are not trained on."""
    checkpoint_steps: int = 1000
    seed: int = 0

    def problems(self) -> list[str]:
        """Values that cannot be."""
        sizes = {
            name: getattr(self, name)
            for name in ("layers", "width", "heads", "inner", "epochs", "batch", "checkpoint_steps")
        }
        wrong = [f"{name} must be 1 or more. Got {value} instead" for name, value in sizes.items() if value < 1]
        if self.heads > 0 and self.width % self.heads:
            wrong.append(f"width must be a multiple of heads. Got {self.width} and {self.heads} instead")
        if not len(SPECIAL) < self.vocabulary < MOST_PIECES:
            wrong.append(f"vocabulary must be less than {MOST_PIECES:,}. Got {self.vocabulary:,} instead")
        if self.length < 8:
            wrong.append(f"length must be 8 or more. Got {self.length} instead")
        shares = {"masked": self.masked, "warm_up": self.warm_up, "held_out": self.held_out}
        wrong += [
            f"{name} must lie between 0 and 1. Got {value:g} instead"
            for name, value in shares.items()
            if not 0 < value < 1
        ]
        return wrong


@dataclass(frozen=True)
class Run:
    """One training: what, where, and from which texts; a run folder with a prepared corpus needs no texts."""

    config: TinyBertConfig
    folder: Path
    texts: Sequence[Path] = ()
    device: str = "auto"
    resume: bool = False
    tell: Callable[[str], None] = field(default=print)
