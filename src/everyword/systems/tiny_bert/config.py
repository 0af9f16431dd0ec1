"""Size and training of a small BERT, and one run of its training."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from everyword.config import AtLeast, Count, NonNegative, OpenFraction, Range
from everyword.systems.tiny_bert.masked_corpus import MOST_PIECES
from everyword.systems.tiny_bert.tokenizer import BYTE_PAIRS, SPECIAL


@dataclass(frozen=True)
class AttributeConfig:
    """What is done with the attributes of words, if a lexicon is given."""

    embed: bool = True
    """Add the mean of the vectors of a word's attributes to its input vector."""
    predict: bool = True
    """Predict the attributes of a word together with the word."""
    target: Literal["predicted", "read"] = "predicted"
    """Whose attributes are predicted: of the word to predict, or of the word that a causal model has just read."""
    weight: NonNegative = 1.0
    """The weight of that loss beside the loss of words."""
    min_words: Count = 2
    """How many words of the vocabulary must have an attribute for it to count."""
    inflected: bool = True
    """Whether regular English forms that the lexicon lacks have the attributes of their base."""

    def problems(self) -> Iterator[str]:
        """Yield a message if attributes would not be used."""
        if not (self.embed or self.predict):
            yield "embed and predict must not both be false; train without attributes instead"


@dataclass(frozen=True)
class TinyBertConfig:
    """Size and training of a small BERT."""

    layers: Count = 4
    width: Count = 256
    heads: Count = 4
    inner: Count = 1024
    """Width of the feed-forward layers."""
    dropout: float = 0.0
    vocabulary: Annotated[int, Range(len(SPECIAL) + 1, MOST_PIECES - 1)] = 16_000
    vocabulary_sentences: int = 1_000_000
    """How many sentences, at most, the word pieces are learnt from."""
    length: Annotated[int, AtLeast(8)] = 128
    """Pieces per block, and the longest text that the model reads."""
    units: Literal["pieces", "words", "byte-pairs"] = "pieces"
    """What the vocabulary consists of: word pieces, words (all others are one unknown word), or byte pairs, with which
    the model is a small RoBERTa."""
    causal: bool = False
    """Predict each piece from those before it, instead of masked pieces from those around them."""
    masked: OpenFraction = 0.15
    """The share of pieces to predict."""
    rarity: NonNegative = 0.0
    """How much rare pieces are preferred among those to predict: their weight is count^-rarity; 0 prefers none."""
    epochs: Count = 20
    batch: Count = 256
    """Blocks per step."""
    rate: float = 1e-3
    """The highest learning rate; it rises to it and falls to 0 linearly."""
    warm_up: OpenFraction = 0.05
    weight_decay: float = 0.01
    clip: float = 1.0
    """The largest norm of a gradient."""
    held_out: OpenFraction = 0.005
    """The share of blocks, the last ones, that are not trained on."""
    checkpoint_steps: Count = 1000
    saved: Literal["float32", "bfloat16"] = "float32"
    """The precision of the saved weights; bfloat16 halves the file."""
    attributes: AttributeConfig = field(default_factory=AttributeConfig)
    seed: int = 0

    def problems(self) -> Iterator[str]:
        """Yield a message for settings that do not go together."""
        if self.heads > 0 and self.width % self.heads:
            yield f"width must be a multiple of heads. Got {self.width} and {self.heads} instead"
        if self.attributes.target == "read" and not self.causal:
            yield "attributes.target=read needs causal=true: a masked word is not read"
        if self.causal and self.units == BYTE_PAIRS:
            yield "units=byte-pairs makes a model that predicts masked pieces; leave out causal=true"
        if self.causal and self.rarity:
            yield "rarity chooses masked pieces; a causal model has none, so leave it out"


@dataclass(frozen=True)
class TinyBertRun:
    """One training: what, where, and from which texts; a run folder with a prepared corpus needs no texts."""

    config: TinyBertConfig
    folder: Path
    texts: Sequence[Path] = ()
    attributes: Path | None = None
    """A lexicon of attributes; it is copied to the run folder."""
    device: str = "auto"
    resume: bool = False
    report: Callable[[str], None] = field(default=print)
    """Gets a line of text per epoch and per step of the preparation."""
