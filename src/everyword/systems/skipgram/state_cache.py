"""The encoder's outputs for all centre words of a prepared corpus, read once for several trainings.

On a GPU they stay in its memory. On a CPU, where reading a corpus takes an hour rather than a minute, they are a file
beside the corpus, which later commands use too; a reading that was stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from everyword.arrays import IndexArray
from everyword.atomic import partial_path
from everyword.errors import InputError
from everyword.extras import require
from everyword.files import fingerprint
from everyword.language_models.language_model import LanguageModel
from everyword.systems.skipgram.parts import Part
from everyword.systems.skipgram.prepared import STATES, PreparedCorpus
from everyword.systems.skipgram.states import read_states

BLOCK = 8192
"""Sentences that are sorted by length and read together; a stopped reading goes on with the next ones."""
AT_ONCE = 65_536
"""Outputs that are turned into full precision together."""


@dataclass(frozen=True)
class StateCache:
    """The encoder's outputs for all centres of a corpus, in half precision: 42 million with 384 numbers are 32 GB."""

    states: Tensor
    """(centres, dim), in the order of the corpus."""

    @classmethod
    def read(
        cls, model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int], *, show_progress: bool = False
    ) -> StateCache:
        """Read the whole corpus, or on a CPU what no earlier command has read."""
        reader = _Reader(model, prepared, tuple(layers), show_progress)
        return cls(reader.into_file() if model.device.type == "cpu" else reader.into_memory())

    def with_rows(self, prepared: PreparedCorpus) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield the outputs of all centres with their words' rows."""
        reached = 0
        for part in prepared.parts():
            rows = torch.from_numpy(part.rows[part.sizes > 0].astype(np.int64)).to(self.states.device)
            for some in torch.split(rows, AT_ONCE):
                yield self.states[reached : reached + len(some)].float(), some
                reached += len(some)

    def of_sentences(self, part: Part, sentences: IndexArray) -> Iterator[Tensor]:
        """Yield the outputs of some sentences of the first part."""
        counts = _centres_per_sentence(part)
        places = _places(np.cumsum(counts) - counts, counts, sentences)
        for some in torch.split(torch.from_numpy(places).to(self.states.device), AT_ONCE):
            yield self.states[some].float()


@dataclass(frozen=True)
class _Reader:
    """An encoder and a corpus to read."""

    model: LanguageModel
    prepared: PreparedCorpus
    layers: tuple[int, ...]
    show_progress: bool

    @property
    def path(self) -> Path:
        """The file beside the corpus."""
        read = [self.model.weights_fingerprint(), self.prepared.fingerprint, self.prepared.sizes, list(self.layers)]
        return self.prepared.folder / f"{STATES}{fingerprint(read)[:12]}.f16"

    @cached_property
    def total(self) -> int:
        """How many centres the corpus has."""
        return sum(int(_centres_per_sentence(part).sum()) for part in self.prepared.parts())

    @property
    def bytes_each(self) -> int:
        """The size of one output."""
        return 2 * self.model.dim

    def into_memory(self) -> Tensor:
        """Return all outputs, on the encoder's device."""
        try:
            states = torch.empty(self.total, self.model.dim, dtype=torch.float16, device=self.model.device)
        except RuntimeError:
            raise InputError(f"{self._needed} on {self.model.device}; {ADVICE}") from None
        reached = 0
        for block in self._blocks(0):
            states[reached : reached + len(block)] = block
            reached += len(block)
        return states

    def into_file(self) -> Tensor:
        """Return all outputs as a view of the file, which is completed first."""
        if not self.path.exists() or self.path.stat().st_size != self.total * self.bytes_each:
            self._complete()
        flat = np.memmap(self.path, dtype=np.float16, mode="c")  # writes, of which there are none, would stay private
        return torch.from_numpy(flat).view(-1, self.model.dim)

    def _complete(self) -> None:
        partial = partial_path(self.path)
        try:
            with partial.open("ab") as file:
                blocks, kept = self._blocks_in(file.tell() // self.bytes_each)
                file.truncate(kept * self.bytes_each)
                for block in self._blocks(blocks):
                    file.write(block.numpy().data)
                    file.flush()
            partial.replace(self.path)
        except OSError as error:
            raise InputError(
                f"{self._needed} in {self.prepared.folder}, which cannot be written ({error.strerror or error}); "
                f"{ADVICE}"
            ) from None

    @property
    def _needed(self) -> str:
        size = self.total * self.bytes_each / 1e9
        return f"The outputs of {self.model.name} for {self.total:,} words need {size:.1f} GB"

    def _blocks_in(self, centres: int) -> tuple[int, int]:
        """Return how many whole blocks the first centres are, and how many centres those have."""
        blocks = reached = 0
        for part in self.prepared.parts():
            counts = _centres_per_sentence(part)
            for start in range(0, len(part), BLOCK):
                size = int(counts[start : start + BLOCK].sum())
                if reached + size > centres:
                    return blocks, reached
                blocks, reached = blocks + 1, reached + size
        return blocks, reached

    @torch.no_grad()
    def _blocks(self, first: int) -> Iterator[Tensor]:
        """Yield the outputs of block after block, from a block on; the encoder gets sentences of like length."""
        number = 0
        with require("tqdm", "The progress bar").tqdm(
            total=sum(self.prepared.sizes), desc="read", unit=" sentences", disable=not self.show_progress
        ) as bar:
            for part in self.prepared.parts():
                counts = _centres_per_sentence(part)
                for start in range(0, len(part), BLOCK):
                    sentences = np.arange(start, min(start + BLOCK, len(part)))
                    number += 1
                    if number > first:
                        yield self._block(part, counts, sentences, bar)
                    else:
                        bar.update(len(sentences))

    def _block(self, part: Part, counts: IndexArray, sentences: IndexArray, bar: Any) -> Tensor:
        by_length, done = sentences[np.argsort(part.lengths[sentences], kind="stable")], 0
        of_block = counts[sentences]
        block = torch.empty(int(of_block.sum()), self.model.dim, dtype=torch.float16, device=self.model.device)
        first = np.cumsum(of_block) - of_block
        for outputs, batch in read_states(self.model, part, by_length, self.layers):
            places = _places(first, of_block, by_length[done : done + batch.total] - sentences[0])
            block[self.model.to_device(torch.from_numpy(places))] = outputs.to(block.dtype)
            done += batch.total
            bar.update(batch.total)
        return block


ADVICE = "train without cache_states, or on fewer sentences."


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


def cached_states(
    model: LanguageModel, prepared: PreparedCorpus, layers: Sequence[int], *, show_progress: bool = False
) -> StateCache:
    """Return the outputs of an encoder; the last ones are kept for the next training in the same process."""
    global _last  # noqa: PLW0603 (reading once is the purpose)
    files = (prepared.fingerprint, tuple(prepared.sizes))
    key = (model.weights_fingerprint(), str(model.device), *files, tuple(layers))
    if _last is None or _last[0] != key:
        _last = None  # the memory of two would not be there
        _last = (key, StateCache.read(model, prepared, layers, show_progress=show_progress))
    return _last[1]
