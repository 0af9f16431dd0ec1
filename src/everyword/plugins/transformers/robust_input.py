"""The part that stands before a language model and gives split words their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.plugins.transformers.choices import Choice
from everyword.plugins.transformers.slots import Slots
from everyword.plugins.transformers.split_words import SplitWord, SplitWords
from everyword.plugins.transformers.strategies import Places, Strategy

REMEMBERED = 100_000
"""Words whose vector, or that they get none, is kept for the next batch; then all are forgotten."""


@dataclass(frozen=True)
class Prepared:
    """A batch as the model is to see it."""

    inputs: dict[str, Any]
    slots: Slots
    places: Places
    vectors: Tensor
    """One for each place."""


class RobustInput(nn.Module):
    """Ids → ids and vectors: which pieces are a word, whether it gets a vector, and where that goes."""

    def __init__(self, split_words: SplitWords, choose: Choice, strategy: Strategy, longest: int) -> None:
        super().__init__()
        self.split_words, self.choose, self.strategy, self.longest = split_words, choose, strategy, longest
        self._remembered: dict[tuple[int, ...], FloatArray | None] = {}

    def prepare(self, inputs: dict[str, Any]) -> Prepared | None:
        """The inputs of a model's forward pass, changed where they hold words that get a vector; None if none does."""
        _check(inputs)
        ids = inputs["input_ids"]
        words, vectors = self._words_with_vectors(inputs)
        if not words:
            return None
        slots = Slots(self.strategy.counts(words, tuple(ids.shape)), self.split_words.pads_left)
        places = self.strategy.places(words, slots)
        for_places = torch.from_numpy(np.stack(vectors)[places.words]).to(ids.device)
        return Prepared(self._moved(inputs, slots, places), slots, places, for_places)

    def one_place_a_word(self, inputs: dict[str, Any]) -> Tensor:
        """The attention mask without pieces that stand for no place of their own any more."""
        mask: Tensor = inputs["attention_mask"]
        counts = self.strategy.counts(self._words_with_vectors(inputs)[0], (len(mask), mask.shape[1]))
        return mask * torch.from_numpy(counts > 0).to(mask)

    def embed(self, prepared: Prepared, embedded: Tensor) -> Tensor:
        """The input vectors of a prepared batch with those of words put in; all others stay bit for bit."""
        rows, columns = torch.tensor(prepared.places.rows), torch.tensor(prepared.places.columns)
        where = (rows.to(embedded.device), columns.to(embedded.device))
        new = self.strategy.combine(embedded[where], prepared.vectors.to(embedded))
        return embedded.index_put(where, new.to(embedded.dtype))

    def _words_with_vectors(self, inputs: dict[str, Any]) -> tuple[list[SplitWord], list[FloatArray]]:
        seen = inputs["input_ids"].cpu().numpy()
        found = self.split_words.find(seen)
        pairs = [(word, vector) for word, vector in zip(found, self._vectors(found), strict=True) if vector is not None]
        if self.strategy.growth:
            room = self.longest - _lengths(seen, inputs.get("attention_mask"))
            pairs = _that_fit(pairs, room // self.strategy.growth)
        return [word for word, _ in pairs], [vector for _, vector in pairs]

    def _vectors(self, words: Sequence[SplitWord]) -> list[FloatArray | None]:
        # Threads may ask for the same word twice; each goes on with the memory that it found.
        remembered = self._remembered
        new = list({word.pieces for word in words if word.pieces not in remembered})
        if len(remembered) + len(new) > REMEMBERED:
            self._remembered = remembered = {}
            new = list({word.pieces for word in words})
        if new:
            vectors, used = self.choose([self.split_words.spelling(pieces) for pieces in new])
            used &= vectors.any(axis=1)  # zeros say that nothing is known
            for pieces, vector, use in zip(new, vectors, used.tolist(), strict=True):
                remembered[pieces] = vector.copy() if use else None  # a view would keep the whole batch
        return [remembered[word.pieces] for word in words]

    def _moved(self, inputs: dict[str, Any], slots: Slots, places: Places) -> dict[str, Any]:
        """Ids, mask and the like with as many columns as there are slots."""
        ids, mask = inputs["input_ids"], inputs.get("attention_mask")
        # Texts of one length may have several afterwards, so there must be a mask even if none was given.
        mask = torch.ones_like(ids) if mask is None else mask
        moved = {"input_ids": slots.moved(ids, self.split_words.padding), "attention_mask": slots.moved(mask, 0)}
        self.strategy.rewrite(moved["input_ids"], places)
        if inputs.get("token_type_ids") is not None:
            moved["token_type_ids"] = slots.moved(inputs["token_type_ids"], 0)
        return inputs | moved


def _check(inputs: dict[str, Any]) -> None:
    mask = inputs.get("attention_mask")
    if mask is not None and mask.ndim != 2:
        raise InputError(f"The attention mask must be of shape (texts, pieces). Got {tuple(mask.shape)} instead.")
    if inputs.get("position_ids") is not None:
        raise InputError("A robust model counts positions itself, after words have got their vectors; leave them out.")


def _lengths(ids: Any, mask: Any) -> Any:
    return np.full(len(ids), ids.shape[1]) if mask is None else mask.sum(dim=1).cpu().numpy()


def _that_fit(pairs: list[tuple[SplitWord, FloatArray]], room: Any) -> list[tuple[SplitWord, FloatArray]]:
    """The first so many of each text: what would make it longer than the model reads stays as it is."""
    left = room.tolist()
    fitting = []
    for word, vector in pairs:
        left[word.row] -= 1
        if left[word.row] >= 0:
            fitting.append((word, vector))
    return fitting
