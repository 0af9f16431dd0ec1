"""What plug-ins are given: a model, however it is named, texts of words, and arguments under older names."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.load import load
from everyword.models.model import Model

WORD = re.compile(r"\w+(?:['’-]\w+)*")
"""Letters and digits, joined by apostrophes and hyphens inside: "don't" and "e-mail" are one word each."""


def given_model(model: Model | str | Path | None) -> Model:
    """Return the model itself, or load it by its name or from its folder; None is the default model."""
    if isinstance(model, Model):
        return model
    if model is None or isinstance(model, str | Path):
        return load(model)
    raise InputError(
        f"A model must be a Model, a name, a folder or None. Got {model!r}, of type {type(model).__name__}, instead."
    )


def words_of(text: str) -> list[str]:
    """Return the words of a text in order.

    >>> words_of("Don't e-mail me, please!")
    ["Don't", 'e-mail', 'me', 'please']
    """
    return WORD.findall(text)


def encode_texts(model: Model, texts: Sequence[Sequence[str]]) -> tuple[list[str], FloatArray, list[list[int]]]:
    """Encode the words of texts, each once, however many texts it is in.

    Returns the words, their vectors and, for each text, the rows of its words that have a vector.
    """
    row_of = {word: row for row, word in enumerate(dict.fromkeys(word for words in texts for word in words))}
    vectors = model.encode(row_of)
    usable: list[bool] = np.any(vectors, axis=1).tolist()
    rows = [[row for word in words if usable[row := row_of[word]]] for words in texts]
    return list(row_of), vectors, rows


def renamed_argument(vectors: Any, imputer: Any) -> Any:
    """Return the argument `vectors`, which may still be given under its old name `imputer`."""
    if imputer is None:
        return vectors
    if vectors is not None:
        raise InputError("'imputer' is the old name of 'vectors'; give only 'vectors'.")
    warnings.warn("The argument 'imputer' is now called 'vectors'.", DeprecationWarning, stacklevel=3)
    return imputer
