"""Encode texts with a sentence encoder: the mean of the outputs of a text, of length 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from everyword.arrays import FloatArray
from everyword.extras import require
from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pieces import batches_by_length, prefetch
from everyword.language_models.pooling import mean_of_text

TEXTS_AT_ONCE = 32_768
"""Texts that are sorted by length together, so that little is padded."""


def text_vectors(
    model: LanguageModel, texts: Sequence[str], *, show_progress: bool = False, label: str | None = None
) -> FloatArray:
    """Return the vector of each text.

    Args:
        model: The sentence encoder.
        texts: The texts; what is longer than the model reads is cut off.
        show_progress: Show a progress bar.
        label: What the progress bar is called.

    Returns:
        float32 of shape (texts, dim), rows of length 1.
    """
    vectors = np.empty((len(texts), model.dim), dtype=np.float32)
    bar = require("tqdm", "The progress bar").tqdm(total=len(texts), disable=not show_progress, unit="text", desc=label)
    with bar:
        for start, ids in prefetch(_tokenized(model, texts)):
            vectors[start : start + len(ids)] = _block(model, ids)
            bar.update(len(ids))
    return vectors


def _tokenized(model: LanguageModel, texts: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        yield start, [encoding.ids for encoding in model.tokenize(texts[start : start + TEXTS_AT_ONCE])]


def _block(model: LanguageModel, ids: list[Any]) -> FloatArray:
    order, vectors = [], []
    for batch in batches_by_length(list(map(len, ids)), model.pieces_per_batch):
        outputs, mask = model.outputs([ids[index] for index in batch])
        vectors.append(torch.nn.functional.normalize(mean_of_text(outputs, mask, ()), dim=1))
        order += batch
    in_order = np.empty((len(ids), model.dim), dtype=np.float32)
    in_order[order] = torch.cat(vectors).cpu().numpy()
    return in_order
