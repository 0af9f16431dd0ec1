"""What the networks of extrinsic tasks read of words in their sentences: each occurrence has a vector of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from everyword.arrays import FloatArray
from everyword.corpus.labelled.sets import D, TaggedSentences, Texts
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.task import Task
from everyword.evaluation.tasks.extrinsic.inputs import Input
from everyword.learning.characters import CharacterEncoder
from everyword.learning.word_vectors import WordVectors, scale_to


@dataclass(frozen=True)
class ContextualInput:
    """The outputs of an encoder, which is not trained, over whole sentences; networks see each occurrence as a word."""

    encoder: Representation
    input: Input = "frozen"
    characters: CharacterEncoder | None = None
    scale: float = 1.0
    """What all vectors are multiplied by."""
    _vectors: dict[str, FloatArray] = field(default_factory=dict)
    """By the name of an occurrence."""

    def words(self) -> WordVectors:
        """Return the vectors of all occurrences that were read, each of which is known."""
        return WordVectors(self._encode, self.encoder.dim, known=lambda _: True)

    def read(self, data: D) -> D:
        """Return data whose tokens are names of occurrences, the same for the same sentence."""
        sentences = [sentence for sentence in dict.fromkeys(data.tokens) if _name(sentence, 0) not in self._vectors]
        found = self.encoder.tokens(sentences)
        names = (_name(sentence, place) for sentence in sentences for place in range(len(sentence)))
        self._vectors.update(zip(names, found.vectors[:, 0], strict=True))
        tokens = (tuple(_name(sentence, place) for place in range(len(sentence))) for sentence in data.tokens)
        return replace(data, tokens=tuple(tokens))

    def of_size(self, size: float, data: Texts | TaggedSentences) -> ContextualInput:
        """Return the same input, scaled so that the coordinates of data that was read have a root mean square."""
        names = [name for tokens in data.tokens for name in tokens]
        return replace(self, scale=scale_to(np.stack([self._vectors[name] for name in names]), size))

    def suits(self, task: Task) -> bool:
        """Whether the network of a task can read this input: all of them can."""
        return True

    def _encode(self, names: Sequence[str]) -> FloatArray:
        return np.stack([self._vectors[name] for name in names]) * np.float32(self.scale)


def _name(sentence: Sequence[str], place: int) -> str:
    return f"{place} {' '.join(sentence)}"
