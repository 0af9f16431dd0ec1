"""What plug-ins are given: a model, however it is named, and arguments under older names."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from everyword.errors import InputError
from everyword.models.load import load
from everyword.models.model import Model


def given_model(model: Model | str | Path | None) -> Model:
    """Return the model itself, or load it by its name or from its folder; None is the default model."""
    if isinstance(model, Model):
        return model
    if model is None or isinstance(model, str | Path):
        return load(model)
    raise InputError(
        f"A model must be a Model, a name, a folder or None. Got {model!r}, of type {type(model).__name__}, instead."
    )


def renamed_argument(vectors: Any, imputer: Any) -> Any:
    """Return the argument `vectors`, which may still be given under its old name `imputer`."""
    if imputer is None:
        return vectors
    if vectors is not None:
        raise InputError("'imputer' is the old name of 'vectors'; give only 'vectors'.")
    warnings.warn("The argument 'imputer' is now called 'vectors'.", DeprecationWarning, stacklevel=3)
    return imputer
