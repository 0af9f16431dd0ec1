"""Sentence encoders that are robust to typos, without training."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from torch import nn

from everyword.errors import InputError
from everyword.extras import require
from everyword.models.model import Model
from everyword.plugins.inputs import renamed_argument
from everyword.plugins.transformers.robust import PART
from everyword.plugins.transformers.robust import robustify as robustify_encoder
from everyword.plugins.transformers.saving import make_as_saved
from everyword.vectors.table import VectorTable

Encoder = TypeVar("Encoder")

modules: Any = require("sentence_transformers.sentence_transformer.modules", "A robust sentence encoder")


class RobustTransformer(modules.Transformer):  # type: ignore[misc]
    """The first module of a robust sentence encoder. A word that became one vector counts once in a mean."""

    def forward(self, features: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Call the plain module, then take pieces that were replaced by a word's vector from the attention mask."""
        output: dict[str, Any] = super().forward(features, **options)
        output["attention_mask"] = getattr(self.model, PART).robust_input.one_slot_per_word(output)
        return output

    @classmethod
    def load(cls, model_name_or_path: str, **options: Any) -> RobustTransformer:
        """Load the module from a folder that `save_pretrained` of a robust encoder wrote."""
        module: RobustTransformer = super().load(model_name_or_path, **options)
        make_as_saved(module.model, module.tokenizer, model_name_or_path)
        return module


def robustify(
    encoder: Encoder,
    vectors: Model | VectorTable | str | Path | None = None,
    strategy: str = "replace",
    *,
    words: str = "misspelt",
    progress: bool = False,
    imputer: Any = None,
) -> Encoder:
    """Make a SentenceTransformer robust to typos, in place; its weights stay as they are.

    `SentenceTransformer(folder, trust_remote_code=True)` loads what its `save_pretrained` writes, because
    sentence-transformers asks for that with modules of other packages.

    Args:
        encoder: A SentenceTransformer whose first module is a Transformer.
        vectors: As for `everyword.plugins.transformers.robustify`, and so are the other arguments.
        strategy: What becomes of the pieces of a word.
        words: Which split words get a vector.
        progress: Show a progress bar.
        imputer: The old name of `vectors`.

    Returns:
        The encoder itself.

    Raises:
        InputError: If it is not such an encoder, or an argument cannot be used.
    """
    vectors = renamed_argument(vectors, imputer)
    first = encoder[0] if isinstance(encoder, nn.Sequential) else None
    if not isinstance(first, modules.Transformer):
        raise InputError(
            "A SentenceTransformer whose first module is a Transformer can be made robust. Got "
            f"{type(encoder if first is None else first).__name__}."
        )
    robustify_encoder(first.model, first.tokenizer, vectors, strategy, words=words, progress=progress)
    first.__class__ = RobustTransformer
    return encoder
