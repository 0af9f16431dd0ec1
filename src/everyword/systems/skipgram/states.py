"""The encoder's outputs for the centre words of a prepared corpus: measured, cached, and pooled over each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import IndexArray
from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import prefetch
from everyword.systems.skipgram.network import centre_states
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import Batch, PartReader

TINY = 1e-6
StatePool = Literal["mean", "max"]
MEASURED = 4096
"""Sentences whose outputs are measured."""
SENTENCES_AT_ONCE = {"cpu": 256, "cuda": 2048}
LEAST_SPREAD = 0.1
"""As a share of the usual spread. Some encoders have dimensions that never change but for rounding: divided by their
own spread, these would be errors that all centres share."""


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


class StateCache:
    """The encoder's outputs for all centres of a corpus, in half precision on the device.

    Several trainings share one encoding. 42 million centres with 384 dimensions are 32 GB.
    """

    @torch.no_grad()
    def __init__(self, model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int]) -> None:
        """Read the corpus once; the encoder gets sentences of like length together."""
        counts = [_centres_per_sentence(part) for part in prepared.parts()]
        self.states = _half_tensor(sum(int(some.sum()) for some in counts), model)
        """(centres, dim), in the order of the corpus."""
        reached = 0
        for part, of_part in zip(prepared.parts(), counts, strict=True):
            first = reached + np.cumsum(of_part) - of_part
            by_length, done = np.argsort(part.lengths, kind="stable"), 0
            for outputs, batch in read_states(model, part, by_length, layers):
                places = _places(first, of_part, by_length[done : done + batch.total])
                self.states[model.to_device(torch.from_numpy(places))] = outputs.to(self.states.dtype)
                done += batch.total
            reached += int(of_part.sum())


def _centres_per_sentence(part: Part) -> IndexArray:
    owners = np.repeat(np.arange(len(part)), part.words)
    return np.bincount(owners[part.sizes > 0], minlength=len(part))


def _places(first: IndexArray, counts: IndexArray, sentences: IndexArray) -> IndexArray:
    """Return the places of all centres of some sentences, in order.

    >>> _places(np.array([0, 2]), np.array([2, 3]), np.array([1, 0])).tolist()
    [2, 3, 4, 0, 1]
    """
    some = counts[sentences]
    shift = first[sentences] - (np.cumsum(some) - some)
    places: IndexArray = np.repeat(shift, some) + np.arange(int(some.sum()))
    return places


_last: tuple[object, StateCache] | None = None


def cached_states(model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int]) -> StateCache:
    """Return the outputs of an encoder; the last ones are kept for the next training in the same process."""
    global _last  # noqa: PLW0603 (encoding once is the purpose)
    key = _key(model, prepared, layers)
    if _last is None or _last[0] != key:
        _last = None  # the memory of two would not be there
        _last = (key, StateCache(model, prepared, layers))
    return _last[1]


def _key(model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int]) -> object:
    files = (prepared.fingerprint, tuple(prepared.sizes))
    return (model.weights_fingerprint(), str(model.device), *files, tuple(layers))


def _half_tensor(centres: int, model: LanguageModel) -> Tensor:
    try:
        return torch.empty(int(centres), model.dim, dtype=torch.float16, device=model.device)
    except RuntimeError:
        needed = 2 * int(centres) * model.dim / 1e9
        raise InputError(
            f"The outputs of {model.name} for {centres:,} words need {needed:.1f} GB on {model.device}; train without "
            "cache_states, or on fewer sentences."
        ) from None


@torch.no_grad()
def pooled_states(
    model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int], pool: StatePool = "mean"
) -> Tensor:
    """Return the mean or the maximum of the outputs over all occurrences of each word (words, dim)."""
    words = len(prepared.vocabulary.words)
    start = 0.0 if pool == "mean" else -torch.inf
    pooled = torch.full((words, model.dim), start, device=model.device)
    seen = torch.zeros(words, device=model.device)
    for states, rows in _all_states(model, prepared, layers):
        seen += torch.bincount(rows, minlength=words)
        if pool == "mean":
            pooled.index_add_(0, rows, states)
        else:
            pooled.scatter_reduce_(0, rows[:, None].expand_as(states), states, "amax")
    unseen = (seen == 0)[:, None]
    return (pooled / seen.clamp(min=1)[:, None] if pool == "mean" else pooled).masked_fill(unseen, 0.0)


def _all_states(
    model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int]
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield the outputs of all centres with their words' rows, from the cache if it has them."""
    cache = _last[1] if _last is not None and _last[0] == _key(model, prepared, layers) else None
    reached = 0
    for part in prepared.parts():
        if cache is not None:
            rows = model.to_device(torch.from_numpy(part.rows[part.sizes > 0].astype(np.int64)))
            yield cache.states[reached : reached + len(rows)].float(), rows
            reached += len(rows)
            continue
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
