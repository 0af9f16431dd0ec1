"""The encoder's outputs for the centre words of a prepared corpus: measured, cached, and pooled over each word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import AnyArray, IndexArray
from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import prefetch
from everyword.systems.skipgram.network import centre_states
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import PreparedCorpus
from everyword.systems.skipgram.sampling import NO_WORD, SORTED_TOGETHER, Batch, PartReader

StatePool = Literal["mean", "max"]
MEASURED = 4096
"""Sentences whose outputs are measured."""
SENTENCES_AT_ONCE = {"cpu": 256, "cuda": 2048}
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
    reader, size = PartReader(part, model.tokenizer.pad_token_id or 0), _at_once(model)
    chosen = (sentences[start : start + size] for start in range(0, len(sentences), size))
    for batch in prefetch(reader.batch(some, model.to_device, total=len(some)) for some in chosen):
        yield centre_states(model, batch, layers), batch


def _at_once(model: LanguageModel) -> int:
    return SENTENCES_AT_ONCE.get(model.device.type, SENTENCES_AT_ONCE["cpu"])


class StateCache:
    """The encoder's outputs for all centres of a corpus in half precision, and the sentences, on the device.

    A pass over the corpus then takes seconds, and several trainings share one encoding. 42 million centres with 384
    dimensions are 32 GB.
    """

    @torch.no_grad()
    def __init__(self, model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int]) -> None:
        """Read the corpus once; the encoder gets sentences of like length together."""
        sentences = [_Sentences.of(part, prepared.longest) for part in prepared.parts()]
        self.lengths: IndexArray = np.concatenate([some.lengths for some in sentences])
        self._seen: AnyArray = np.concatenate([some.seen for some in sentences])
        self._counts: IndexArray = self._seen.sum(axis=1)
        self._first: IndexArray = np.cumsum(self._counts) - self._counts
        self._send = model.to_device
        self._rows = self._send(torch.from_numpy(np.concatenate([some.rows for some in sentences])))
        self.states = _half_tensor(int(self._counts.sum()), model)
        """(centres, dim), sentence by sentence."""
        reached = 0
        for part in prepared.parts():
            by_length, done = np.argsort(part.lengths, kind="stable"), 0
            for outputs, batch in read_states(model, part, by_length, layers):
                places = self.batch(reached + by_length[done : done + batch.total]).places
                self.states[places] = outputs.to(self.states.dtype)
                done += batch.total
            reached += len(part)

    def __len__(self) -> int:
        return len(self.lengths)

    def steps(self, batch: int) -> int:
        """Batches per epoch."""
        return -(-len(self) // batch)

    def epoch(self, number: int, first_step: int, seed: int, batch: int) -> Iterator[Batch]:
        """Yield all sentences in batches of like length and random order, from a step on."""
        rng = np.random.default_rng([seed, number])
        order, pool, found = rng.permutation(len(self)), batch * SORTED_TOGETHER, []
        for start in range(0, len(order), pool):
            some = order[start : start + pool]
            by_length = some[np.argsort(self.lengths[some], kind="stable")]
            found += [by_length[first : first + batch] for first in range(0, len(by_length), batch)]
        for index in rng.permutation(len(found))[first_step:].tolist():
            yield self.batch(found[index])

    def batch(self, sentences: IndexArray) -> Batch:
        """Return some sentences."""
        # What a GPU would have to be asked for is computed here, so that nothing waits for it.
        words = int(self.lengths[sentences].max(initial=0))
        centres = np.flatnonzero(self._seen[sentences, :words])
        counts = self._counts[sentences]
        shift = self._first[sentences] - (np.cumsum(counts) - counts)
        places = np.repeat(shift, counts) + np.arange(len(centres))
        chosen, centre, place = (self._send(torch.from_numpy(array)) for array in (sentences, centres, places))
        rows = self._rows[chosen, :words].long()
        none = rows.new_zeros(0)
        return Batch(len(sentences), none, none, rows, centre, none, none, none, place)

    def take(self, batch: Batch) -> Tensor:
        """Return the outputs for the centres of a batch in float32."""
        return self.states[batch.places].float()


@dataclass(frozen=True)
class _Sentences:
    """Sentences of a part as rows of equal length."""

    rows: AnyArray
    seen: AnyArray
    """Which words the encoder sees."""
    lengths: IndexArray

    @classmethod
    def of(cls, part: Part, longest: int) -> _Sentences:
        there = np.arange(longest) < part.words.astype(np.int64)[:, None]
        rows, seen = np.full(there.shape, NO_WORD, dtype=np.int32), np.zeros(there.shape, dtype=bool)
        rows[there], seen[there] = part.rows, part.sizes > 0
        return cls(rows, seen, part.words.astype(np.int64))


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
    if _last is not None and _last[0] == _key(model, prepared, layers):
        cache = _last[1]
        for start in range(0, len(cache), _at_once(model)):
            some = np.arange(start, min(start + _at_once(model), len(cache)))
            batch = cache.batch(some)
            yield cache.take(batch), batch.rows.flatten()[batch.centres]
        return
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
