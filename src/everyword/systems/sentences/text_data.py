"""Texts as bags of stored words, ready for training, and pairs of texts to choose by."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from everyword.arrays import FloatArray, IndexArray
from everyword.models.load import load
from everyword.sentences.bags import Bag
from everyword.sentences.encoder import TextEncoder
from everyword.sentences.weights import TextWeights

TEXTS_AT_ONCE = 4096


@dataclass(frozen=True)
class Bags:
    """What texts stand for: the pairs of the first text, then those of the second, …"""

    starts: IndexArray
    """Where the pairs of each text begin, and where the last ones end."""
    rows: IndexArray
    """Rows of stored words; behind the last stored word come the vectors that were made."""
    shares: FloatArray
    made: NDArray[np.float16]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(cls, bags: Sequence[tuple[Bag, int]], words: int) -> Bags:
        """Join bags, each of some number of texts, of a model with so many stored words."""
        counts, rows, shares, made, behind = [], [], [], [], words
        for bag, texts in bags:
            text = np.concatenate([bag.token, bag.made_token])
            order = np.argsort(text, kind="stable")
            counts.append(np.bincount(text, minlength=texts))
            rows.append(np.concatenate([bag.row, behind + np.arange(len(bag.made))])[order].astype(np.int32))
            shares.append(np.concatenate([bag.share, bag.made_share])[order])
            made.append(bag.made.astype(np.float16))
            behind += len(bag.made)
        starts = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
        return cls(starts, np.concatenate(rows).astype(np.int64), np.concatenate(shares), np.concatenate(made))

    def first(self, count: int) -> tuple[Bags, Bags]:
        """Return the first texts and the others; both keep all vectors that were made."""
        end = self.starts[count]
        one = Bags(self.starts[: count + 1], self.rows[:end], self.shares[:end], self.made)
        return one, Bags(self.starts[count:] - end, self.rows[end:], self.shares[end:], self.made)


@dataclass(frozen=True)
class BagTensors:
    """Bags on a device, where batches of them are put together."""

    starts: Tensor
    rows: Tensor
    shares: Tensor

    @classmethod
    def of(cls, bags: Bags, device: str) -> BagTensors:
        """Copy bags to a device."""
        return cls(*(torch.from_numpy(array).to(device) for array in (bags.starts, bags.rows, bags.shares)))

    def batch(self, texts: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return rows, shares and offsets of some texts."""
        begin = self.starts[texts]
        counts = self.starts[texts + 1] - begin
        offsets = counts.cumsum(0) - counts
        places = torch.arange(int(counts.sum()), device=begin.device)
        places += torch.repeat_interleave(begin - offsets, counts)
        return self.rows[places], self.shares[places], offsets


def read_bags(model: Path | str, texts: Sequence[str], *, processes: int = 1) -> Bags:
    """Read texts by a saved model, in several processes."""
    parts = [texts[first : first + TEXTS_AT_ONCE] for first in range(0, len(texts), TEXTS_AT_ONCE)]
    if processes == 1:
        _start(model)
        bags = list(map(_read, parts))
    else:
        with ProcessPoolExecutor(processes, get_context("spawn"), partial(_start, model)) as pool:
            bags = list(pool.map(_read, parts))
    return Bags.of(bags, len(load(model)))


_encoder: TextEncoder


def _start(model: Path | str) -> None:
    global _encoder  # noqa: PLW0603 (a process reads with one model)
    loaded = load(model)
    _encoder = TextEncoder(loaded, TextWeights.by_rank(loaded.known_words, terms=True))


def _read(texts: Sequence[str]) -> tuple[Bag, int]:
    return _encoder.words_of(texts), len(texts)
