"""How a context is laid out for the encoder: where the mask stands, and where the form vector goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.systems.bertram.config import BertramConfig, Variant
from everyword.systems.bertram.masking import Masked

QUOTED = "roberta"
"""Kinds of models, by a part of their name, whose added form vector stands between quotes."""


class EncoderInput(NamedTuple):
    """One context as the encoder reads it."""

    ids: list[int]
    mask: int
    """The place of the hidden word, whose output is the context vector."""
    form: int | None
    """The place whose input vector is overwritten with the form vector."""


class Layout:
    """Makes inputs of one variant for one encoder."""

    def __init__(self, model: LanguageModel, variant: Variant, config: BertramConfig) -> None:
        if model.tokenizer.mask_token is None:
            raise InputError(
                f"{model.name} has no mask token, which has to stand in the place of a word; use a masked language "
                "model such as BERT or RoBERTa."
            )
        self.model, self.variant = model, variant
        self.mask: str = model.tokenizer.mask_token
        self._before, self._after = model.frame()
        self._form: int | None = None
        if variant == "add":
            self._add_prefix(_prefix_texts(model, config.prefix))
        self._room = min(config.max_length, model.longest) - len(self._before) - len(self._after)

    def _add_prefix(self, texts: tuple[str, str]) -> None:
        """Pieces before and after the form vector, behind the special pieces that begin every text."""
        opening, closing = (encoding.ids for encoding in self.model.tokenise(texts, bare=True))
        tokenizer = self.model.tokenizer
        # Which piece stands there does not matter: its vector is never read.
        slot = tokenizer.mask_token_id if tokenizer.sep_token_id is None else tokenizer.sep_token_id
        self._form = len(self._before) + len(opening)
        self._before = [*self._before, *opening, slot, *closing]

    def inputs(self, contexts: Sequence[Masked]) -> list[EncoderInput]:
        """Each context around its first mask, between the special pieces."""
        if not contexts:
            return []
        encodings = self.model.tokenise([context.text for context in contexts], bare=True)
        return [
            self._input(encoding.ids, encoding.char_to_token(context.place))
            for encoding, context in zip(encodings, contexts, strict=True)
        ]

    def _input(self, pieces: list[int], mask: int) -> EncoderInput:
        start = window_start(len(pieces), mask, self._room)
        place = len(self._before) + mask - start
        ids = [*self._before, *pieces[start : start + self._room], *self._after]
        return EncoderInput(ids, place, place if self.variant == "replace" else self._form)


def window_start(length: int, centre: int, room: int) -> int:
    """Where to begin so that `room` of `length` pieces are kept with the centre in their middle, as far as can be.

    >>> [window_start(10, centre, 4) for centre in (0, 5, 9)]
    [0, 3, 6]
    """
    return max(0, min(centre - room // 2, length - room))


def _prefix_texts(model: LanguageModel, prefix: str) -> tuple[str, str]:
    quotes = prefix == "quotes" or (prefix == "auto" and QUOTED in model.network.config.model_type)
    return ('"', '":') if quotes else ("", ":")
