"""Vectors of all words of trees: static ones, random ones, and the last layer of a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from everyword.arrays import FloatArray
from everyword.evaluation.probes.labelled_words import words_before
from everyword.evaluation.probes.layers import piece_ids
from everyword.language_models.language_model import LanguageModel
from everyword.studies.kinds.spans import layers_of_text


def static_vectors(
    texts: Sequence[Sequence[str]], encode: Callable[[Sequence[str]], FloatArray], before: int = 0
) -> FloatArray:
    """Return the vector of each word, wherever it stands, and beside it those of some words before it."""
    words = [word for text in texts for word in text]
    row_of = {word: row for row, word in enumerate(dict.fromkeys(words))}
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
    return words_before(encode(list(row_of))[[row_of[word] for word in words]], starts, before)


def random_vectors(count: int, dim: int) -> FloatArray:
    """Return vectors that say which word it is, and nothing else."""
    return np.random.default_rng(0).normal(size=(count, dim)).astype(np.float32)


def last_layer(model: LanguageModel, texts: Sequence[Sequence[str]]) -> FloatArray:
    """Return the last layer of a language model at the last piece of each word."""
    found = []
    for text in texts:
        pieces = piece_ids(model, text)
        ends = np.cumsum([len(word) for word in pieces]) - 1
        found.append(layers_of_text(model, pieces)[ends, -1].astype(np.float32))
    return np.concatenate(found)
