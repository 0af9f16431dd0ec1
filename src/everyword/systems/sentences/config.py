"""How the weights of words in texts are learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from everyword.config import AtLeast, Count


@dataclass(frozen=True)
class TextWeightsConfig:
    """How the weights of words in texts are learnt."""

    corrected_words: Annotated[int, AtLeast(0)] = 60_000
    """How many of the most frequent words get a correction."""
    correction_size: Annotated[int, AtLeast(0)] = 64
    """Numbers of a correction; 0 learns none."""
    correction_bytes: Annotated[int, AtLeast(0)] = 0
    """Bytes that a correction is stored in, by product quantisation; 0 stores a byte for each number."""
    misspelt: float = 0.25
    """The share of the texts that the network also sees with typos, with the vector of the text without them."""
    typos: float = 0.3
    """The share of the words of such a text that get a typo."""
    pair_weight: float = 4.0
    """How much the cosines of pairs of texts count beside those of texts with their targets."""
    temperature: float = 0.05
    """Of the distribution over the other texts of a batch."""
    decay: float = 1e-5
    """Weight decay of corrections and of the differences of gains."""
    epochs: Count = 4
    batch_size: Count = 1024
    learning_rate: float = 2e-3
    held_out: Count = 2000
    """Texts that only judge: by the correlation of their cosines with the encoder's."""
    seed: int = 1
