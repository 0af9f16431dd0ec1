"""transformers: one vector for each word that a tokenizer splits, inside an encoder whose weights stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from threading import get_ident
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from everyword.errors import InputError
from everyword.extras import require
from everyword.language_models.language_model import longest_text
from everyword.models.model import Model
from everyword.plugins.inputs import given_model, renamed_argument
from everyword.plugins.transformers.choices import adapt_to, check_words, choice_of
from everyword.plugins.transformers.robust_input import PreparedInput, RobustInput, SplitWords
from everyword.plugins.transformers.saving import save_robust
from everyword.plugins.transformers.strategies import Slots, check_strategy, make_strategy
from everyword.plugins.transformers.word_tokens import as_array, check_dim, input_rows
from everyword.vectors.table import VectorTable

PART = "everyword"
"""The name of the part that makes a model robust."""

Network = TypeVar("Network", bound=nn.Module)


def robustify(
    model: Network,
    tokenizer: Any,
    vectors: Model | VectorTable | str | Path | None = None,
    strategy: str = "replace",
    *,
    words: str = "misspelt",
    progress: bool = False,
    imputer: Any = None,
) -> Network:
    """Give an encoder of transformers one vector for each word that its tokenizer splits.

    The model is changed in place. Its weights, the tokenizer, pipelines and training go on as before, and `make_plain`
    takes everything back.

    Args:
        model: An encoder such as BERT or RoBERTa, with any head or none.
        tokenizer: Its tokenizer.
        vectors: Where the vectors come from. None adapts the default model to the input rows of `model`, which takes
            seconds; a Model, its name or its folder must give vectors in the space of these rows; of a table, only
            its words get a vector.
        strategy: What becomes of the pieces of a word: "replace" (one vector instead of them), "linear" or "add" (the
            vector is mixed into or added to each) or "slash" (the pieces, a slash, the vector).
        words: Which split words get a vector: "misspelt" (those most likely a misspelling of a word that `vectors`
            knows), "unknown" (all that it does not know) or "split" (all, as in the LOVE paper).
        progress: Show a progress bar.
        imputer: The old name of `vectors`.

    Returns:
        The model itself.

    Raises:
        InputError: If the model is not an encoder, the tokenizer is not its own, or an argument is not one of these.
    """
    vectors = renamed_argument(vectors, imputer)
    check_strategy(strategy)
    check_words(words)
    rows = input_rows(model, tokenizer)
    _refuse_decoders(model)
    with require("tqdm", "The progress bar").tqdm(total=3, disable=not progress, desc="Adapting vectors") as bar:
        given = _given_vectors(model, tokenizer, vectors)
        check_dim(given.dim, rows, given.name if isinstance(given, Model) else "The table")
        bar.update()
        bar.set_description("Choosing words")
        choice = choice_of(given, words, tokenizer, as_array(rows).copy())  # as they are now, whatever training does
        bar.update()
        bar.set_description("Changing the model")
        robust_input = RobustInput(
            SplitWords(tokenizer, len(rows)),
            choice,
            make_strategy(strategy, tokenizer, rows.shape[1]).to(rows.device),
            longest_text(model, tokenizer),
        )
        make_plain(model)
        Robust(robust_input, given, {"strategy": strategy, "words": words}).enter(model)
        bar.update()
    return model


def make_plain(model: nn.Module) -> None:
    """Take back what `robustify` did; a plain model stays as it is.

    Args:
        model: A model that may be robust.
    """
    if isinstance(part := getattr(model, PART, None), Robust):
        part.leave(model)


class Robust(nn.Module):
    """What `robustify` adds to a model: a forward pass around its encoder's, and a hook on its input rows.

    Words are found among the ids that the encoder gets. Its output has a vector for each piece again, so what comes
    after it (heads, labels, offsets) sees nothing new: all pieces of a replaced word have the output of that word.
    """

    def __init__(self, robust_input: RobustInput, vectors: Model | VectorTable, settings: Mapping[str, str]) -> None:
        super().__init__()
        self.robust_input = robust_input
        self.vectors = vectors
        self.settings = settings
        self._hooks: list[Any] = []
        # What the next look at the input rows is for; by thread, because one model may serve several.
        self._expected: dict[int, PreparedInput] = {}

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
        _refuse_export()
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
    """Give each piece a vector in an encoder's output; attentions stay those among the slots that the encoder saw."""
    if isinstance(output, tuple):
        return (slots.restored(output[0]), *output[1:])
    output.last_hidden_state = slots.restored(output.last_hidden_state)
    if output.get("hidden_states") is not None:
        output.hidden_states = tuple(map(slots.restored, output.hidden_states))
    return output


def _given_vectors(model: Any, tokenizer: Any, vectors: Any) -> Model | VectorTable:
    if vectors is None:
        return adapt_to(model, tokenizer)
    return vectors if isinstance(vectors, VectorTable) else given_model(vectors)


def _refuse_decoders(model: Any) -> None:
    """Refuse what generates: it feeds ids one by one beside a cache of earlier ones, so words cannot change size."""
    if model.config.is_encoder_decoder or model.can_generate():
        raise InputError(
            f"Encoders such as BERT and RoBERTa can be made robust, not models that generate text. Got "
            f"{type(model).__name__}."
        )


def _refuse_export() -> None:
    """Refuse to be recorded: words are looked up in Python, so a graph would hold those of the example for ever."""
    exporting = getattr(torch.compiler, "is_exporting", torch.onnx.is_in_onnx_export)  # new in torch 2.7
    tracing: bool = torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
    if tracing or exporting() or torch.onnx.is_in_onnx_export():
        raise InputError(
            "A robust model cannot be traced or exported, because the words of the example would be fixed in the "
            "result; export the plain model (make_plain), or correct the texts before it."
        )
