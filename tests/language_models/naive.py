"""The same vectors the slow way: one text at a time, no padding, each piece looked at by itself."""

from __future__ import annotations

import numpy as np
import torch

from everyword.arrays import FloatArray
from everyword.language_models.language_model import LanguageModel


def all_outputs(model: LanguageModel, text: str, layer: int = -1) -> FloatArray:
    """The vector of each piece of a text, special ones too."""
    with torch.inference_mode():
        result = model.network(**model.tokenizer(text, return_tensors="pt"), output_hidden_states=True)
    outputs: FloatArray = result.hidden_states[layer][0].numpy()
    return outputs


def word_vector(model: LanguageModel, text: str, start: int, stop: int, layer: int = -1) -> FloatArray:
    """The mean of the pieces that share a letter with text[start:stop]."""
    encoded = model.tokenizer(text, return_offsets_mapping=True)
    chosen = [
        place for place, (first, after) in enumerate(encoded["offset_mapping"]) if max(first, start) < min(after, stop)
    ]
    vector: FloatArray = np.mean(all_outputs(model, text, layer)[chosen], axis=0)
    return vector
