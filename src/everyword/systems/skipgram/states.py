"""The encoder's outputs for the centre words of a prepared corpus: read, measured, and pooled over each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch
from torch import Tensor

from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import prefetch
from everyword.systems.skipgram.network import centre_states
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import Batch, PartReader

if TYPE_CHECKING:
    from everyword.systems.skipgram.state_cache import StateCache

TINY = 1e-6
StatePool = Literal["mean", "max"]
MEASURED = 4096
"""Sentences whose outputs are measured."""
SENTENCES_AT_ONCE = {"cpu": 256, "cuda": 2048}
LEAST_SPREAD = 0.1
"""As a share of the usual spread. Some encoders have dimensions that never change but for rounding: divided by their
own spread, these would be errors that all centres share."""


@torch.no_grad()
def measure_states(
    model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int], cache: StateCache | None = None
) -> tuple[Tensor, Tensor]:
    """Return mean and standard deviation of the encoder's outputs, from sentences drawn from the first part."""
    part = prepared.part(0)
    drawn = np.random.default_rng(0).permutation(len(part))[:MEASURED]
    by_length = drawn[np.argsort(part.lengths[drawn], kind="stable")]
    count, total, squares = 0, torch.zeros(model.dim).double(), torch.zeros(model.dim).double()
    read = (states for states, _ in read_states(model, part, by_length, layers))
    for states in read if cache is None else cache.of_sentences(part, by_length):
        exact = states.cpu().double()
        count, total, squares = count + len(exact), total + exact.sum(dim=0), squares + (exact**2).sum(dim=0)
    mean = total / max(count, 1)
    spread = (squares / max(count, 1) - mean**2).clamp(min=0).sqrt()
    return mean, spread.clamp(min=max(LEAST_SPREAD * float(spread.median()), TINY))


def read_states(
    model: LanguageModel, part: Part, sentences: np.ndarray, layers: Sequence[int]
) -> Iterator[tuple[Tensor, Batch]]:
    """Yield the outputs for the centres of sentences of a part in this order, batch by batch."""
    reader, size = PartReader(part, model.tokenizer.pad_token_id or 0), _at_once(model)
    chosen = (sentences[start : start + size] for start in range(0, len(sentences), size))
    for batch in prefetch(reader.batch(some, model.to_device, total=len(some)) for some in chosen):
        yield centre_states(model, batch, layers), batch


def _at_once(model: LanguageModel) -> int:
    return SENTENCES_AT_ONCE.get(model.device.type, SENTENCES_AT_ONCE["cpu"])


@torch.no_grad()
def pooled_states(
    model: LanguageModel,
    prepared: PreparedCorpus,
    layers: Sequence[int],
    pool: StatePool = "mean",
    cache: StateCache | None = None,
) -> Tensor:
    """Return the mean or the maximum of the outputs over all occurrences of each word (words, dim).

    With a cache of them, the encoder reads nothing.
    """
    words = len(prepared.vocabulary.words)
    start = 0.0 if pool == "mean" else -torch.inf
    pooled = torch.full((words, model.dim), start, device=model.device)
    seen = torch.zeros(words, device=model.device)
    for states, rows in _read_all(model, prepared, layers) if cache is None else cache.with_rows(prepared):
        seen += torch.bincount(rows, minlength=words)
        if pool == "mean":
            pooled.index_add_(0, rows, states)
        else:
            pooled.scatter_reduce_(0, rows[:, None].expand_as(states), states, "amax")
    unseen = (seen == 0)[:, None]
    return (pooled / seen.clamp(min=1)[:, None] if pool == "mean" else pooled).masked_fill(unseen, 0.0)


def _read_all(model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int]) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield the outputs of all centres with their words' rows."""
    for part in prepared.parts():
        by_length = np.argsort(part.lengths, kind="stable")
        for states, batch in read_states(model, part, by_length, layers):
            yield states, batch.rows.flatten()[batch.centres]


def principal_components(vectors: Tensor, dim: int) -> Tensor:
    """Return the projections of centred vectors on their first principal components."""
    if dim > vectors.shape[1]:
        raise InputError(f"dim must not be above the {vectors.shape[1]} dimensions of the encoder. Got {dim} instead.")
    centred = (vectors - vectors.mean(dim=0)).double()
    _, directions = torch.linalg.eigh(centred.T @ centred)  # in ascending order
    projected: Tensor = centred @ directions[:, -dim:].flip(1)
    return projected.float()
