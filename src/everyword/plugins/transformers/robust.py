"""transformers: one vector for each word that a tokenizer splits, inside an encoder whose weights stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar

from torch import Tensor, nn

from everyword.errors import InputError
from everyword.language_models.language_model import longest_text
from everyword.models.model import Model
from everyword.plugins.given_model import given_model
from everyword.plugins.transformers.choices import check_words, choice_of
from everyword.plugins.transformers.own_imputer import imputer_for
from everyword.plugins.transformers.robust_input import Prepared, RobustInput
from everyword.plugins.transformers.saving import save_robust
from everyword.plugins.transformers.slots import Slots
from everyword.plugins.transformers.split_words import SplitWords
from everyword.plugins.transformers.strategies import check_strategy, make_strategy
from everyword.plugins.transformers.word_rows import check_dim, input_rows
from everyword.vectors.table import VectorTable

PART = "everyword"
"""The name of the part that makes a model robust."""

Network = TypeVar("Network", bound=nn.Module)


def robustify(
    model: Network,
    tokenizer: Any,
    imputer: Model | VectorTable | str | Path | None = None,
    strategy: str = "replace",
    *,
    words: str = "misspelt",
) -> Network:
    """Give an encoder of transformers, with any head or none, one vector for words that its tokenizer splits.

    The model itself is changed and returned; tokenizer, pipelines and training go on as before, and `make_plain` takes
    everything back. `imputer` gives the vectors: None, the default model adapted to the model's own input rows, which
    takes seconds; a Model, its name or folder; or a table, then its words and no others get a vector. `strategy` says
    what becomes of the pieces: "replace" (one vector instead of them), "linear" and "add" (the vector mixed into or
    added to each), "slash" (pieces, a slash, the vector). `words`: "misspelt" (those that are most likely a misspelling
    of a word the imputer knows), "unknown" (all that it does not know) or "split" (all, as the LOVE paper does).
    """
    check_strategy(strategy)
    check_words(words)
    rows = input_rows(model, tokenizer)
    _refuse_decoders(model)
    given = _given_imputer(model, tokenizer, imputer)
    check_dim(given.dim, rows, given.name if isinstance(given, Model) else "The table")
    robust_input = RobustInput(
        SplitWords(tokenizer, len(rows)),
        choice_of(given, words, tokenizer, rows),
        make_strategy(strategy, tokenizer, rows.shape[1]).to(rows.device),
        longest_text(model, tokenizer),
    )
    make_plain(model)
    Robust(robust_input, given, {"strategy": strategy, "words": words}).enter(model)
    return model


def make_plain(model: nn.Module) -> None:
    """Take back what `robustify` did, if it did anything."""
    if isinstance(part := getattr(model, PART, None), Robust):
        part.leave(model)


class Robust(nn.Module):
    """What `robustify` adds to a model: a forward pass around its encoder's, and a hook on its input rows.

    Words are found among the ids that the encoder gets. Its output has a vector for each piece again, so what comes
    after it (heads, labels, offsets) sees nothing new: all pieces of a replaced word have the output of that word.
    """

    def __init__(self, robust_input: RobustInput, imputer: Model | VectorTable, settings: Mapping[str, str]) -> None:
        super().__init__()
        self.robust_input = robust_input
        self.imputer = imputer
        self.settings = settings
        self._hooks: list[Any] = []
        # What the next look at the input rows is for; by thread, because one model may serve several.
        self._expected: dict[int, Prepared] = {}

    def enter(self, model: Any) -> None:
        """Become a part of a model."""
        encoder = model.base_model
        # Not a hook, because some callers go past hooks by calling `forward` itself.
        encoder.forward = wraps(encoder.forward)(partial(self._forward, encoder.forward))
        self._hooks = [encoder.get_input_embeddings().register_forward_hook(self._embed)]
        model.save_pretrained = partial(save_robust, model, self)
        setattr(model, PART, self)

    def leave(self, model: Any) -> None:
        """Undo `enter`."""
        for hook in self._hooks:
            hook.remove()
        del model.base_model.forward, model.save_pretrained
        delattr(model, PART)

    def _forward(self, plain: Callable[..., Any], *args: Any, **given: Any) -> Any:
        inputs = given | dict(zip(signature(plain).parameters, args, strict=False))
        prepared = None if inputs.get("input_ids") is None else self.robust_input.prepare(inputs)
        if prepared is None:
            return plain(**inputs)
        self._expected[get_ident()] = prepared
        try:
            output = plain(**prepared.inputs)
        finally:
            self._expected.pop(get_ident(), None)
        return _restored(output, prepared.slots)

    def _embed(self, rows: nn.Module, args: tuple[Any, ...], embedded: Tensor) -> Tensor | None:
        prepared = self._expected.pop(get_ident(), None)
        return None if prepared is None else self.robust_input.embed(prepared, embedded)


def _restored(output: Any, slots: Slots) -> Any:
    """An encoder's output with a vector for each piece; attentions stay those among the places that the encoder saw."""
    if isinstance(output, tuple):
        return (slots.restored(output[0]), *output[1:])
    output.last_hidden_state = slots.restored(output.last_hidden_state)
    if output.get("hidden_states") is not None:
        output.hidden_states = tuple(map(slots.restored, output.hidden_states))
    return output


def _given_imputer(model: Any, tokenizer: Any, imputer: Any) -> Model | VectorTable:
    if imputer is None:
        return imputer_for(model, tokenizer)
    return imputer if isinstance(imputer, VectorTable) else given_model(imputer)


def _refuse_decoders(model: Any) -> None:
    """What generates feeds ids one by one, beside what it remembers of earlier ones: words cannot change size there."""
    if model.config.is_encoder_decoder or model.can_generate():
        raise InputError(
            f"Encoders such as BERT and RoBERTa can be made robust, not models that generate text. Got "
            f"{type(model).__name__}."
        )
