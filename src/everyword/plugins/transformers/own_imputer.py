"""A model that gives every word a vector in the space of a language model's own input rows."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from everyword.models.adapted import AdaptedModel
from everyword.models.adapting import adapt


def imputer_for(model: Any, tokenizer: Any) -> AdaptedModel:
    """The default model adapted to the rows of `model` for words that are one piece; it takes seconds.

    Neither the language model, which may have a head, nor its tokenizer is changed.
    """
    from everyword.language_models.input_embeddings import input_table
    from everyword.language_models.language_model import LanguageModel

    name = getattr(model, "name_or_path", "") or "the language model"
    with _modes_kept(model):
        # A copy, because reading pieces sets how the tokenizer pads and cuts off.
        table = input_table(LanguageModel(model, copy.deepcopy(tokenizer), name=name))
    return adapt(table)


@contextmanager
def _modes_kept(model: Any) -> Iterator[None]:
    """Whatever part of a network was in training mode is so afterwards."""
    training = [part for part in model.modules() if part.training]
    try:
        yield
    finally:
        for part in training:
            part.training = True
