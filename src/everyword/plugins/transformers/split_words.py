"""From the pieces of texts back to the words that a tokenizer has split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from everyword.arrays import BoolArray, IndexArray
from everyword.errors import InputError

WORD_PIECE, BYTE_PAIR, SENTENCE_PIECE = "##", "Ġ", "▁"
"""How a vocabulary writes that a piece goes on with a word (the first), or that it begins one (the others)."""


class SplitWord(NamedTuple):
    """A word of several pieces in a batch of texts."""

    row: int
    start: int
    stop: int
    pieces: tuple[int, ...]


class SplitWords:
    """Finds the words of several pieces among ids; it needs no text, so it works wherever ids arrive."""

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
        """The split words of a batch of ids (texts, pieces), in its order."""
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
        """How a word is spelt."""
        tokens = self.tokenizer.convert_ids_to_tokens(list(pieces))
        return str(self.tokenizer.convert_tokens_to_string(tokens)).strip()


def _marker(tokens: Sequence[str], kind: str) -> str:
    """The one that most pieces carry; a few may carry another by chance."""
    counts = {
        marker: sum(token.startswith(marker) and token != marker for token in tokens)
        for marker in (WORD_PIECE, BYTE_PAIR, SENTENCE_PIECE)
    }
    marker = max(counts, key=lambda one: counts[one])
    if not counts[marker]:
        raise InputError(
            f"The pieces of {kind} do not tell where a word begins ({WORD_PIECE}, {BYTE_PAIR} or {SENTENCE_PIECE}); "
            "use a model with word pieces or byte pairs, such as BERT or RoBERTa."
        )
    return marker


def _is_of_a_word(token: str, marker: str) -> bool:
    """Whether a piece is of letters; a word-piece tokenizer joins letters and digits, the others do not."""
    spelt = token.removeprefix(marker)
    if marker == WORD_PIECE:
        return spelt.isalnum()
    if marker == BYTE_PAIR and not spelt.isascii():
        return True  # bytes of a letter beyond English, perhaps not all of them
    return not spelt or spelt.isalpha()  # a blank that is a piece by itself begins a word too
