"""What a BERTRAM learns from, and the training that its stages share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import FloatArray, IndexArray
from everyword.learning.processes import Processes
from everyword.systems.bertram.loop import Place
from everyword.systems.bertram.masking import MaskedSentence
from everyword.systems.bertram.model import Bertram


@dataclass(frozen=True)
class TrainingData:
    """Words, the vectors they should get, and sentences in which they are hidden."""

    words: Sequence[str]
    targets: FloatArray
    contexts: Sequence[Sequence[MaskedSentence]]

    @cached_property
    def flat(self) -> list[MaskedSentence]:
        """The contexts of all words, one after the other."""
        return [context for of_word in self.contexts for context in of_word]

    @cached_property
    def counts(self) -> IndexArray:
        """How many contexts each word has."""
        return np.array([len(of_word) for of_word in self.contexts], dtype=np.int64)

    @cached_property
    def owners(self) -> IndexArray:
        """The row of the word of each context."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def stamp(self) -> str:
        """What tells these data from others."""
        digest = hashlib.sha256(json.dumps([list(self.words), self.flat, self.counts.tolist()]).encode())
        digest.update(np.ascontiguousarray(self.targets).tobytes())
        return digest.hexdigest()


class Training:
    """A BERTRAM, what it learns from, and where its state is kept."""

    def __init__(
        self,
        bertram: Bertram,
        data: TrainingData,
        folder: Path,
        *,
        resume: bool = False,
        show_progress: bool = False,
        processes: Processes | None = None,
    ) -> None:
        self.bertram, self.data, self.folder = bertram, data, folder
        self.place = Place(folder, resume, show_progress, processes or Processes())
        self.targets = torch.from_numpy(data.targets).to(bertram.encoder.device)
        self.encoder_fingerprint = bertram.encoder.weights_fingerprint()
        self.form_mark = bertram.network.form.fingerprint(data.words)

    def stamp(self, *parts: Any) -> str:
        """A mark of the encoder, the form part, the data and whatever else decides the numbers."""
        return stamp_of(self.encoder_fingerprint, self.form_mark, self.data.stamp, *parts)

    def words(self, rows: IndexArray) -> list[str]:
        """The words of some rows."""
        return [self.data.words[row] for row in rows]

    def distance(self, vectors: Tensor, rows: IndexArray) -> Tensor:
        """The sum of the squared distances of vectors from the targets of some rows."""
        return (vectors - self.targets[torch.from_numpy(rows).to(self.targets.device)]).square().sum()


def stamp_of(*marks: Any) -> str:
    """One mark of several."""
    return hashlib.sha256(json.dumps(marks, sort_keys=True).encode()).hexdigest()
