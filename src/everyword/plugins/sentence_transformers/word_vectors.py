"""everyword's vectors as a sentence encoder: the mean of the words, without a neural network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from everyword.extras import require
from everyword.models.load import load
from everyword.models.model import Model
from everyword.plugins.inputs import encode_texts, given_model, words_of

modules: Any = require("sentence_transformers.base.modules", "everyword as a sentence encoder")

FOLDER = "everyword"
FROM_HUB = ("token", "cache_folder", "revision", "local_files_only")
"""Options of `load` that say how to download."""


class WordVectors(modules.InputModule):  # type: ignore[misc]
    """Texts → the means of their words' vectors: `SentenceTransformer(modules=[WordVectors()])`.

    A text without words becomes zeros.

    Args:
        model: A Model, a name, a folder, or None for the default model.
    """

    def __init__(self, model: Model | str | Path | None = None) -> None:
        super().__init__()
        self.words = given_model(model)
        self.max_seq_length = None  # texts are read to their end

    def preprocess(self, inputs: Sequence[str], prompt: str | None = None, **options: Any) -> dict[str, Any]:
        """Return the vectors of all words, each once, and which of them each text has."""
        _, vectors, rows = encode_texts(self.words, [words_of((prompt or "") + text) for text in inputs])
        return {
            "word_vectors": torch.from_numpy(vectors),
            "input_ids": torch.tensor([row for text in rows for row in text], dtype=torch.long),
            "offsets": torch.from_numpy(np.cumsum([0, *map(len, rows)])[:-1]),
        }

    def forward(self, features: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Add the mean of each text."""
        vectors = features["word_vectors"]
        if not len(vectors):
            vectors = vectors.new_zeros((1, self.words.dim))  # an empty table has no rows to take means of
        features["sentence_embedding"] = torch.nn.functional.embedding_bag(
            features["input_ids"], vectors, features["offsets"], mode="mean"
        )
        return features

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
