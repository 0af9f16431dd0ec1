"""The model a plug-in works with, however it was named."""

from __future__ import annotations

from pathlib import Path

from everyword.errors import InputError
from everyword.models.load import load
from everyword.models.model import Model


def given_model(model: Model | str | Path | None) -> Model:
    """The model itself, or the one that `everyword.load` finds under a name or in a folder; the default for None."""
    if isinstance(model, Model):
        return model
    if model is None or isinstance(model, str | Path):
        return load(model)
    raise InputError(
        f"A model must be a Model, a name, a folder or None. Got {model!r}, of type {type(model).__name__}, instead."
    )
