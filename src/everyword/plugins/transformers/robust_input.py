"""The part in front of a language model that finds split words among ids and gives them vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.errors import InputError
from everyword.plugins.transformers.choices import Choice
from everyword.plugins.transformers.strategies import Places, Slots, SplitWord, Strategy

WORD_PIECE, BYTE_PAIR, SENTENCE_PIECE = "##", "Ġ", "▁"
"""How a vocabulary marks a piece that continues a word (the first), or one that begins a word (the others)."""
REMEMBERED = 100_000
"""How many words are kept for the next batch, with their vector or without one; then all are forgotten."""


class SplitWords:
    """Finds words of several pieces among ids; it needs no text, so it works wherever ids arrive."""

    def __init__(self, tokenizer: Any, rows: int) -> None:
        """`rows` is how many ids the model accepts, which may be more than the tokenizer gives."""
        tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
        special = {*tokenizer.all_special_ids, *tokenizer.added_tokens_decoder}
        self.tokenizer = tokenizer
        self.padding: int = tokenizer.pad_token_id or 0
        self.pads_left = tokenizer.padding_side == "left"
        self._in_words: BoolArray = np.zeros(rows, dtype=np.bool_)
        """Pieces that a word may be made of."""
        self._going_on: BoolArray = np.zeros(rows, dtype=np.bool_)
        """Pieces that go on with a word, if one stands before them."""
        marker = _marker(tokens, type(tokenizer).__name__)
        for piece, token in enumerate(tokens):
            if piece not in special:
                self._in_words[piece] = _is_of_a_word(token, marker)
                self._going_on[piece] = self._in_words[piece] and token.startswith(marker) == (marker == WORD_PIECE)

    def find(self, ids: IndexArray) -> list[SplitWord]:
        """Return the split words of a batch of ids (texts, pieces), in its order."""
        joins = self._going_on[ids]
        joins[:, 1:] &= self._in_words[ids[:, :-1]]
        joins[:, :1] = False  # so no run of pieces goes on from one text into the next
        steps = np.diff(joins.ravel().astype(np.int8), prepend=0, append=0)
        starts, stops = np.flatnonzero(steps == 1) - 1, np.flatnonzero(steps == -1)
        width, flat = ids.shape[1], ids.ravel()
        return [
            SplitWord(start // width, start % width, start % width + stop - start, tuple(flat[start:stop].tolist()))
            for start, stop in zip(starts.tolist(), stops.tolist(), strict=True)
        ]

    def spelling(self, pieces: Sequence[int]) -> str:
        """Return the spelling of a word."""
        tokens = self.tokenizer.convert_ids_to_tokens(list(pieces))
        return str(self.tokenizer.convert_tokens_to_string(tokens)).strip()


@dataclass(frozen=True)
class PreparedInput:
    """A batch as the model receives it."""

    inputs: dict[str, Any]
    slots: Slots
    places: Places
    vectors: Tensor
    """One for each position."""


class RobustInput(nn.Module):
    """Ids → ids and vectors: which pieces are a word, whether it gets a vector, and where that goes."""

    def __init__(self, split_words: SplitWords, choose: Choice, strategy: Strategy, longest: int) -> None:
        super().__init__()
        self.split_words, self.choose, self.strategy, self.longest = split_words, choose, strategy, longest
        self._remembered: dict[tuple[int, ...], FloatArray | None] = {}

    def prepare(self, inputs: dict[str, Any]) -> PreparedInput | None:
        """Change the inputs of a forward pass where words get a vector; return None if no word does."""
        _check(inputs)
        ids = inputs["input_ids"]
        words, vectors = self._words_with_vectors(inputs)
        if not words:
            return None
        slots = Slots(self.strategy.counts(words, tuple(ids.shape)), self.split_words.pads_left)
        places = self.strategy.places(words, slots)
        for_places = torch.from_numpy(np.stack(vectors)[places.words]).to(ids.device)
        return PreparedInput(self._moved(inputs, slots, places), slots, places, for_places)

    def one_slot_per_word(self, inputs: dict[str, Any]) -> Tensor:
        """Return the attention mask without pieces that have no slot of their own any more."""
        mask: Tensor = inputs["attention_mask"]
        counts = self.strategy.counts(self._words_with_vectors(inputs)[0], (len(mask), mask.shape[1]))
        return mask * torch.from_numpy(counts > 0).to(mask)

    def embed(self, prepared: PreparedInput, embedded: Tensor) -> Tensor:
        """Put the vectors of words into the input vectors of a prepared batch; all others stay bit for bit."""
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
        """Return ids, mask and token types with as many columns as there are slots."""
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
        raise InputError(
            "A robust model counts positions itself, after words got their vectors; leave position_ids out."
        )


def _lengths(ids: Any, mask: Any) -> Any:
    return np.full(len(ids), ids.shape[1]) if mask is None else mask.sum(dim=1).cpu().numpy()


def _that_fit(pairs: list[tuple[SplitWord, FloatArray]], room: Any) -> list[tuple[SplitWord, FloatArray]]:
    """Return the first words of each text, as many as fit: others would make it longer than the model reads."""
    left = room.tolist()
    fitting = []
    for word, vector in pairs:
        left[word.row] -= 1
        if left[word.row] >= 0:
            fitting.append((word, vector))
    return fitting


def _marker(tokens: Sequence[str], kind: str) -> str:
    """Return the mark that most pieces carry; a few may carry another by chance."""
    counts = {
        marker: sum(token.startswith(marker) and token != marker for token in tokens)
        for marker in (WORD_PIECE, BYTE_PAIR, SENTENCE_PIECE)
    }
    marker = max(counts, key=lambda one: counts[one])
    if not counts[marker]:
        raise InputError(
            f"The pieces of {kind} do not mark where a word begins ({WORD_PIECE}, {BYTE_PAIR} or {SENTENCE_PIECE}); "
            "use a model with word pieces or byte pairs, such as BERT or RoBERTa."
        )
    return marker


def _is_of_a_word(token: str, marker: str) -> bool:
    """Return whether a piece can be part of a word; a word-piece tokenizer joins letters and digits, others do not."""
    spelt = token.removeprefix(marker)
    if marker == WORD_PIECE:
        return spelt.isalnum()
    if marker == BYTE_PAIR and not spelt.isascii():
        return True  # bytes of a letter beyond English, perhaps not all of them
    return not spelt or spelt.isalpha()  # a blank that is a piece by itself begins a word too
