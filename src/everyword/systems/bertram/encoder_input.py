"""Inputs of the encoder: where the mask and the form vector go, and the output vector at the mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from everyword.errors import InputError
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import batches_by_length
from everyword.systems.bertram.config import BertramConfig, Variant
from everyword.systems.bertram.masking import MaskedSentence

QUOTED = "roberta"
"""Model types, by a part of their name, for which an added form vector is put between quotes."""


class EncoderInput(NamedTuple):
    """One context as the encoder reads it."""

    ids: list[int]
    mask: int
    """Position of the hidden word; the output there is the context vector."""
    form: int | None
    """Position of the input vector that the form vector replaces."""


class InputLayout:
    """Makes the inputs of one variant for one encoder."""

    def __init__(self, model: LanguageModel, variant: Variant, config: BertramConfig) -> None:
        if model.tokenizer.mask_token is None:
            raise InputError(
                f"{model.name} has no mask token, which BERTRAM puts in place of a word; use a masked language "
                "model such as BERT or RoBERTa."
            )
        self.model, self.variant = model, variant
        self.mask: str = model.tokenizer.mask_token
        self._before, self._after = model.special_pieces()
        self._form: int | None = None
        if variant == "add":
            self._add_prefix(_prefix_texts(model, config.prefix))
        self._room = min(config.max_length, model.longest) - len(self._before) - len(self._after)

    def _add_prefix(self, texts: tuple[str, str]) -> None:
        """Put pieces before and after the form vector, behind the special pieces that begin every text."""
        opening, closing = (encoding.ids for encoding in self.model.tokenize(texts, bare=True))
        tokenizer = self.model.tokenizer
        # Which piece stands there does not matter: its vector is never read.
        slot = tokenizer.mask_token_id if tokenizer.sep_token_id is None else tokenizer.sep_token_id
        self._form = len(self._before) + len(opening)
        self._before = [*self._before, *opening, slot, *closing]

    def inputs(self, contexts: Sequence[MaskedSentence]) -> list[EncoderInput]:
        """Return each context, cut around its first mask, between the special pieces."""
        if not contexts:
            return []
        encodings = self.model.tokenize([context.text for context in contexts], bare=True)
        return [
            self._input(encoding.ids, encoding.char_to_token(context.start))
            for encoding, context in zip(encodings, contexts, strict=True)
        ]

    def _input(self, pieces: list[int], mask: int) -> EncoderInput:
        start = window_start(len(pieces), mask, self._room)
        position = len(self._before) + mask - start
        ids = [*self._before, *pieces[start : start + self._room], *self._after]
        return EncoderInput(ids, position, position if self.variant == "replace" else self._form)


def window_start(length: int, centre: int, room: int) -> int:
    """Return where a window of `room` out of `length` pieces begins, with the centre in its middle if possible.

    >>> [window_start(10, centre, 4) for centre in (0, 5, 9)]
    [0, 3, 6]
    """
    return max(0, min(centre - room // 2, length - room))


def _prefix_texts(model: LanguageModel, prefix: str) -> tuple[str, str]:
    quotes = prefix == "quotes" or (prefix == "auto" and QUOTED in model.network.config.model_type)
    return ('"', '":') if quotes else ("", ":")


def vectors_at_masks(model: LanguageModel, inputs: Sequence[EncoderInput], forms: Tensor | None = None) -> Tensor:
    """Return the encoder's last vector at each mask (inputs, dim), with one row of `forms` per input as form vector.

    Gradients flow to the form vectors if they require any; otherwise call this under `torch.no_grad`.
    """
    order: list[int] = []
    vectors = []
    for batch in batches_by_length([len(item.ids) for item in inputs], model.pieces_per_batch):
        rows = torch.tensor(batch, device=model.device)
        vectors.append(_of_batch(model, [inputs[row] for row in batch], None if forms is None else forms[rows]))
        order += batch
    back = torch.empty(len(order), dtype=torch.int64, device=model.device)
    back[torch.tensor(order, device=model.device)] = torch.arange(len(order), device=model.device)
    return torch.cat(vectors)[back]


def _of_batch(model: LanguageModel, inputs: Sequence[EncoderInput], forms: Tensor | None) -> Tensor:
    ids, present = model.pad([item.ids for item in inputs])
    given = {"input_ids": ids} if forms is None else {"inputs_embeds": input_rows(model, ids, inputs, forms)}
    outputs = model.network(**given, attention_mask=present.long()).last_hidden_state
    masks = torch.tensor([item.mask for item in inputs], device=model.device)
    at_masks: Tensor = outputs[torch.arange(len(inputs), device=model.device), masks].float()
    return at_masks


def input_rows(model: LanguageModel, ids: Tensor, inputs: Sequence[EncoderInput], forms: Tensor) -> Tensor:
    """Return the input vectors of all pieces, with the form vector at its position."""
    rows = model.network.get_input_embeddings()(ids)
    positions = torch.tensor([-1 if item.form is None else item.form for item in inputs], device=ids.device)
    here = torch.arange(ids.shape[1], device=ids.device) == positions[:, None]
    # Not written in place: the rows are views of a parameter's vectors, and the form vectors may want a gradient.
    return torch.where(here[..., None], forms[:, None].to(rows.dtype), rows)
