"""Move vectors a little: synonyms closer, antonyms apart, and words that only look alike as far as their meanings are.

What spelling alone brings together is told by the sources that know little of spelling (definitions, texts, tables of
co-occurrences): a pair of look-alikes is pushed apart until its cosine is the one that they give.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.systems.word_space.config import TuningConfig

SHARED_LETTERS = 3
"""Words with this many first letters in common are look-alikes, as are words within one edit."""
LONGEST = 24
ROWS_AT_ONCE = 2048
SCALE = 4.0
"""Weight of a pair's squared excess against a word's distance from its place."""


class Pairs(NamedTuple):
    """Pairs of rows, and for each the cosine that it must not be below or above."""

    rows: Tensor
    limits: Tensor


def tune(
    matrix: FloatArray,
    config: TuningConfig,
    *,
    free: FloatArray,
    words: Sequence[str],
    informed: BoolArray,
    synonyms: Sequence[tuple[int, int]],
    antonyms: Sequence[tuple[int, int]],
    device: str = "cpu",
) -> FloatArray:
    """Return the tuned vectors, rows of length 1.

    Args:
        matrix: The vectors of all entries, rows of length 1.
        config: The weights.
        free: Their vectors in the space of the sources that know little of spelling.
        words: The single words, which come first among the entries.
        informed: Which entries those sources know.
        synonyms: Pairs of rows.
        antonyms: Pairs of rows.
        device: The device of torch.
    """
    start = torch.from_numpy(np.ascontiguousarray(matrix)).to(device)
    alike = look_alikes(start[: len(words)], words, informed, config.neighbours)
    closer, apart = _synonym_pairs(start, synonyms, config), _antonym_pairs(start, antonyms, config)
    meant = torch.from_numpy(np.ascontiguousarray(free)).to(device)
    different = Pairs(alike, _cosines(meant, alike))
    place = start.clone().requires_grad_(True)
    optimiser = torch.optim.Adam([place], lr=config.learning_rate)
    for _ in range(config.steps):
        moved = F.normalize(place, dim=1)
        loss = config.stay * (1 - (moved * start).sum(dim=1)).sum()
        loss = loss + SCALE * config.synonyms * F.relu(closer.limits - _cosines(moved, closer.rows)).square().sum()
        loss = loss + SCALE * config.antonyms * F.relu(_cosines(moved, apart.rows) - apart.limits).square().sum()
        excess = F.relu(_cosines(moved, different.rows) - different.limits)
        loss = loss + SCALE * config.look_alikes * excess.square().sum()
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    tuned: FloatArray = F.normalize(place.detach(), dim=1).cpu().numpy()
    return tuned


def _cosines(unit: Tensor, pairs: Tensor) -> Tensor:
    return (unit[pairs[:, 0]] * unit[pairs[:, 1]]).sum(dim=1)


def _as_pairs(pairs: Sequence[tuple[int, int]], device: torch.device) -> Tensor:
    return torch.tensor(np.array(pairs, dtype=np.int64).reshape(-1, 2), device=device)


def _synonym_pairs(start: Tensor, pairs: Sequence[tuple[int, int]], config: TuningConfig) -> Pairs:
    rows = _as_pairs(pairs, start.device)
    now = _cosines(start, rows)
    return Pairs(rows, torch.maximum(now, (now + config.synonym_gain).clamp(max=config.synonym_limit)))


def _antonym_pairs(start: Tensor, pairs: Sequence[tuple[int, int]], config: TuningConfig) -> Pairs:
    rows = _as_pairs(pairs, start.device)
    return Pairs(rows, torch.full((len(rows),), config.antonym_limit, device=start.device))


def look_alikes(vectors: Tensor, words: Sequence[str], informed: BoolArray, neighbours: int) -> Tensor:
    """Return pairs of a word and one of its nearest words that looks like it; both must be informed."""
    letters = _Letters(words, vectors.device)
    knows = torch.from_numpy(informed[: len(words)]).to(vectors.device)
    found = []
    for first in range(0, len(words), ROWS_AT_ONCE):
        cosines = vectors[first : first + ROWS_AT_ONCE] @ vectors.T
        others = cosines.topk(min(neighbours + 1, len(words)), dim=1).indices
        word = torch.arange(first, first + len(others), device=vectors.device)[:, None].expand_as(others)
        pairs = torch.stack([word.reshape(-1), others.reshape(-1)], dim=1)
        pairs = pairs[(pairs[:, 0] != pairs[:, 1]) & knows[pairs[:, 0]] & knows[pairs[:, 1]]]
        found.append(pairs[letters.alike(pairs)])
    return torch.cat(found)


class _Letters:
    """The letters of words as numbers, forwards and backwards."""

    def __init__(self, words: Sequence[str], device: torch.device) -> None:
        self._forwards = torch.from_numpy(_numbers(words)).to(device)
        self._backwards = torch.from_numpy(_numbers([word[::-1] for word in words])).to(device)
        self._lengths = torch.tensor([min(len(word), LONGEST) for word in words], device=device)

    def alike(self, pairs: Tensor) -> Tensor:
        """Return which pairs share their first letters or are at most one edit apart."""
        one, other = pairs[:, 0], pairs[:, 1]
        begin, end = (_shared(letters[one], letters[other]) for letters in (self._forwards, self._backwards))
        longer = torch.maximum(self._lengths[one], self._lengths[other])
        return (begin >= SHARED_LETTERS) | (begin + end >= longer - 1)


def _numbers(words: Sequence[str]) -> IndexArray:
    numbers = np.zeros((len(words), LONGEST), dtype=np.int64)
    for row, word in enumerate(words):
        numbers[row, : min(len(word), LONGEST)] = list(map(ord, word[:LONGEST]))
    return numbers


def _shared(one: Tensor, other: Tensor) -> Tensor:
    return ((one == other) & (one > 0)).cumprod(dim=1).sum(dim=1)
