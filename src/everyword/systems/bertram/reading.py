"""What a frozen encoder says of a hidden word."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import batches_by_length
from everyword.systems.bertram.layout import EncoderInput


def freeze(model: LanguageModel) -> None:
    """No gradient for the encoder; it stays in inference mode because it is part of no module that is trained."""
    model.network.requires_grad_(False).eval()


def vectors_at_masks(model: LanguageModel, inputs: Sequence[EncoderInput], forms: Tensor | None = None) -> Tensor:
    """The encoder's last vector at each mask (inputs, dim), with row after row of `forms` where they belong.

    Gradients flow to the form vectors, if they want any; otherwise call this under `torch.no_grad`.
    """
    order: list[int] = []
    vectors = []
    for batch in batches_by_length([len(item.ids) for item in inputs], model.pieces_per_batch):
        places = torch.tensor(batch, device=model.device)
        some = [inputs[place] for place in batch]
        vectors.append(_of_batch(model, some, None if forms is None else forms[places]))
        order += batch
    back = torch.empty(len(order), dtype=torch.int64, device=model.device)
    back[torch.tensor(order, device=model.device)] = torch.arange(len(order), device=model.device)
    return torch.cat(vectors)[back]


def _of_batch(model: LanguageModel, inputs: Sequence[EncoderInput], forms: Tensor | None) -> Tensor:
    ids, present = model.padded([item.ids for item in inputs])
    given = {"input_ids": ids} if forms is None else {"inputs_embeds": input_rows(model, ids, inputs, forms)}
    outputs = model.network(**given, attention_mask=present.long()).last_hidden_state
    masks = torch.tensor([item.mask for item in inputs], device=model.device)
    at_masks: Tensor = outputs[torch.arange(len(inputs), device=model.device), masks].float()
    return at_masks


def input_rows(model: LanguageModel, ids: Tensor, inputs: Sequence[EncoderInput], forms: Tensor) -> Tensor:
    """The input vectors of all pieces, with the form vector in its place."""
    rows = model.network.get_input_embeddings()(ids)
    places = torch.tensor([-1 if item.form is None else item.form for item in inputs], device=ids.device)
    here = torch.arange(ids.shape[1], device=ids.device) == places[:, None]
    # Not written in place: the rows are views of a parameter's vectors, and the form vectors may want a gradient.
    return torch.where(here[..., None], forms[:, None].to(rows.dtype), rows)
