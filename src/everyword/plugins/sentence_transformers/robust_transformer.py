"""A sentence encoder that a typo does not throw off, without any training."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from torch import nn

from everyword.errors import InputError
from everyword.extras import require
from everyword.models.model import Model
from everyword.plugins.transformers.robust import PART
from everyword.plugins.transformers.robust import robustify as robustify_encoder
from everyword.plugins.transformers.saving import make_as_saved
from everyword.vectors.table import VectorTable

Encoder = TypeVar("Encoder")

modules: Any = require("sentence_transformers.sentence_transformer.modules", "A robust sentence encoder")


class RobustTransformer(modules.Transformer):  # type: ignore[misc]
    """The first module of a robust sentence encoder. A word that is one vector to the encoder counts once in a mean."""

    def forward(self, features: dict[str, Any], **options: Any) -> dict[str, Any]:
        """As the plain module does it; pieces whose word stands in their place are taken from the mask."""
        done: dict[str, Any] = super().forward(features, **options)
        done["attention_mask"] = getattr(self.model, PART).robust_input.one_place_a_word(done)
        return done

    @classmethod
    def load(cls, model_name_or_path: str, **options: Any) -> RobustTransformer:
        """The module from a folder that `save_pretrained` of a robust encoder wrote."""
        module: RobustTransformer = super().load(model_name_or_path, **options)
        make_as_saved(module.model, module.tokenizer, model_name_or_path)
        return module


def robustify(
    encoder: Encoder,
    imputer: Model | VectorTable | str | Path | None = None,
    strategy: str = "replace",
    *,
    words: str = "misspelt",
) -> Encoder:
    """Make a SentenceTransformer robust: the encoder itself is changed and returned, its weights stay as they are.

    The arguments are those of `everyword.plugins.transformers.robustify`. What its `save_pretrained` writes is read by
    `SentenceTransformer(folder, trust_remote_code=True)`, because the package asks for that with modules of others.
    """
    first = encoder[0] if isinstance(encoder, nn.Sequential) else None
    if not isinstance(first, modules.Transformer):
        raise InputError(
            "A SentenceTransformer whose first module is a Transformer can be made robust. Got "
            f"{type(encoder if first is None else first).__name__}."
        )
    robustify_encoder(first.model, first.tokenizer, imputer, strategy, words=words)
    first.__class__ = RobustTransformer
    return encoder
