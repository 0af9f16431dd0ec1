"""The encoder's outputs for the centre words of a prepared corpus: their mean and spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from everyword.language_models.language_model import LanguageModel
from everyword.systems.skipgram.network import centre_states
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import Batch, PartReader

MEASURED = 4096
"""Sentences whose outputs are measured."""
SENTENCES_AT_ONCE = 256
LEAST_SPREAD = 1e-6
"""A dimension that never changes is not divided by zero."""


@torch.no_grad()
def measure_states(model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Return mean and standard deviation of the encoder's outputs, from sentences drawn from the first part."""
    part = prepared.part(0)
    drawn = np.random.default_rng(0).permutation(len(part))[:MEASURED]
    by_length = drawn[np.argsort(part.lengths[drawn], kind="stable")]
    count, total, squares = 0, torch.zeros(model.dim).double(), torch.zeros(model.dim).double()
    for states, _ in read_states(model, part, by_length, layers):
        exact = states.cpu().double()
        count, total, squares = count + len(exact), total + exact.sum(dim=0), squares + (exact**2).sum(dim=0)
    mean = total / max(count, 1)
    spread = (squares / max(count, 1) - mean**2).clamp(min=0).sqrt().clamp(min=LEAST_SPREAD)
    return mean, spread


def read_states(
    model: LanguageModel, part: Part, sentences: np.ndarray, layers: Sequence[int]
) -> Iterator[tuple[Tensor, Batch]]:
    """Yield the outputs for the centres of sentences of a part in this order, batch by batch."""
    reader = PartReader(part, model.tokenizer.pad_token_id or 0)
    for start in range(0, len(sentences), SENTENCES_AT_ONCE):
        some = sentences[start : start + SENTENCES_AT_ONCE]
        batch = reader.batch(some, model.to_device, total=len(some))
        yield centre_states(model, batch, layers), batch
