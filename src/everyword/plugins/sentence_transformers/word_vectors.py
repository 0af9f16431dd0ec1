"""everyword's text vectors as a sentence encoder, without a neural network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from everyword.extras import require
from everyword.models.load import load
from everyword.models.model import Model
from everyword.plugins.inputs import given_model

modules: Any = require("sentence_transformers.base.modules", "everyword as a sentence encoder")

FOLDER = "everyword"
FROM_HUB = ("token", "cache_folder", "revision", "local_files_only")
"""Options of `load` that say how to download."""


class WordVectors(modules.InputModule):  # type: ignore[misc]
    """Texts → the vectors of `Model.encode_texts`: `SentenceTransformer(modules=[WordVectors()])`.

    A text without words becomes zeros.

    Args:
        model: A Model, a name, a folder, or None for the default model.
    """

    def __init__(self, model: Model | str | Path | None = None) -> None:
        super().__init__()
        self.words = given_model(model)
        self.max_seq_length = None  # texts are read to their end

    def preprocess(self, inputs: Sequence[str], prompt: str | None = None, **options: Any) -> dict[str, Any]:
        """Return the vectors of texts, each with the prompt in front."""
        vectors = self.words.encode_texts([(prompt or "") + text for text in inputs], progress=False)
        return {"text_vectors": torch.from_numpy(vectors)}

    def forward(self, features: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Call the vectors what further modules expect."""
        return {**features, "sentence_embedding": features["text_vectors"]}

    def get_embedding_dimension(self) -> int:
        return self.words.dim

    def save(self, output_path: str, *args: Any, **options: Any) -> None:
        """Save the model to a folder of its own beside what sentence-transformers writes."""
        self.words.save_pretrained(Path(output_path) / FOLDER)

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **options: Any) -> WordVectors:
        """Load the module from what `save` wrote, here or on the hub."""
        folder = cls.load_dir_path(
            model_name_or_path,
            subfolder=str(Path(subfolder) / FOLDER),
            **{key: options[key] for key in FROM_HUB if key in options},
        )
        return cls(load(folder))
