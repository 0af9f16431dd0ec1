"""The settings of a tagger."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from everyword.config import Count, Natural, NonNegative, OpenFraction, Positive, Share
from everyword.learning.characters import CharacterNetwork
from everyword.learning.schedules import Fall
from everyword.space.combination import CombinerConfig


@dataclass(frozen=True)
class TaggerConfig:
    """A tagger over sources of vectors, and how it is trained."""

    combiner: CombinerConfig = field(default_factory=CombinerConfig)
    characters: Natural = 25
    """States of an LSTM over the characters of a word, in each direction; 0 for none."""
    character_network: CharacterNetwork = "lstm"
    """lstm, or cnn: twice as many filters over three characters."""
    lookup: Natural = 0
    """Length of vectors that are learnt of the words of train beside those of the sources; 0 for none."""
    shapes: Natural = 0
    """Length of vectors that are learnt of the shapes of words: lower case, capitals, digits; 0 for none."""
    hidden_words: Share = 0.0
    """The share of words that have no vector of `lookup` in a step, so that it learns to do without."""
    tuned: bool = False
    """Whether it learns what to add to the vectors of the words of train."""
    states: Count = 200
    """Of the LSTM over words, in each direction."""
    layers: Count = 1
    dropout: OpenFraction = 0.3
    locked: bool = False
    """Whether dropout hides the same coordinates at all words of a sentence."""
    marks: Literal["bio", "bioes"] = "bio"
    """Whether the ends of spans have marks of their own inside the tagger; what it gives is BIO."""
    crf: bool = True
    spelling: Literal["none", "features", "categories", "whole"] = "none"
    """Spell tags symbol by symbol, so that it can give tags that train lacks: features, or categories with slashes.
    With "whole" it gives whole tags one after the other."""
    history: bool = True
    """Whether a tagger that spells remembers the tags of the words before."""
    beam: Count = 5
    """How many spellings of a sentence it follows at once when it tags."""
    experts: Natural = 0
    """The length of the output of an expert for each category of entities; 0 for none."""
    entity_task: bool = False
    """Whether it also learns which tokens are entities, of whatever kind."""
    adversarial: NonNegative = 0.0
    """Learn under the worst change of the input vectors, this large beside their coordinates; 0 for none."""
    prune: Share = 0.0
    """The share of each weight matrix that becomes zero during the first half of training."""
    epochs: Count = 20
    patience: Count | None = 5
    """Training stops after this many epochs without a better score on dev."""
    batch: Count = 32
    learning_rate: Positive = 2e-3
    decay: NonNegative = 0.0
    """The learning rate of epoch n is divided by 1 + decay · n."""
    schedule: Fall = "decay"
    """By `decay`, or by a cosine that falls to almost nothing over all epochs."""
    averaged: Share = 0.0
    """How much of an average of the weights a step keeps, such as 0.999; 0 for the weights as they are."""
    clip: Positive = 5.0
    """The largest norm of a gradient."""
    seed: Natural = 0

    def problems(self) -> list[str]:
        found = []
        if self.entity_task and not self.crf:
            found.append("entity_task needs crf = true: both tasks are scored by sequence")
        if self.spelling != "none" and (self.experts or self.entity_task or self.adversarial):
            found.append("spelling excludes experts, entity_task and adversarial: tags that are spelt have no list")
        if self.averaged and self.prune:
            found.append("averaged and prune exclude each other: an average of weights has no zeros")
        return found
