"""Text vectors by hand, as one made them before `encode_texts`: a weighted mean of the vectors of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray
from everyword.models.model import Model
from text_parts.sets import columns

WORD = re.compile(r"\w+(?:['’-]\w+)*")
CONSTANT = 1e-3
"""Words of this frequency count half."""

Weight = Callable[[str], float]


def weighted_mean(model: Model, weight: Weight, texts: Sequence[str]) -> FloatArray:
    """Return the weighted means of the words' vectors; zeros for a text without words."""
    cut = [WORD.findall(text.lower()) for text in texts]
    row_of = {word: row for row, word in enumerate(dict.fromkeys(word for words in cut for word in words))}
    vectors = model.encode(row_of)
    usable = np.any(vectors, axis=1).tolist()
    rows_of_texts = [[row for word in words if usable[row := row_of[word]]] for words in cut]
    weighted = vectors * np.array([weight(word) for word in row_of], dtype=np.float32)[:, None]
    found = np.zeros((len(texts), model.dim), dtype=np.float32)
    for at, rows in enumerate(rows_of_texts):
        if rows:
            found[at] = weighted[rows].mean(axis=0)
    return found


def sif(data: Path) -> Weight:
    """Return weights by smooth inverse frequency (Arora et al. 2017); a word without a frequency counts in full."""
    frequencies = _frequencies(data / "lexical" / "word_frequency_en.tsv.gz")
    return lambda word: CONSTANT / (CONSTANT + frequencies.get(word, 0.0))


def equal(word: str) -> float:
    """Return the same weight for every word."""
    return 1.0


@cache
def _frequencies(path: Path) -> dict[str, float]:
    words, zipf = columns(path, "word", "zipf")
    return {word: 10.0 ** (float(value) - 9) for word, value in zip(words, zipf, strict=True)}
