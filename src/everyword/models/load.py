"""Find a model by name and read it: embedded, a folder, or on the hub."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.models.model import Model
from everyword.models.saved.read import read_model

DEFAULT = "everyword-en"
"""The model that is part of the package and used when none is named."""


def embedded_models() -> dict[str, Path]:
    """Return the models inside the installed package, by name."""
    home = Path(str(files("everyword") / "data"))
    if not home.is_dir():
        return {}
    return {folder.name: folder for folder in sorted(home.iterdir()) if (folder / "config.json").is_file()}


def load(name: str | Path | None = None) -> Model:
    """Load a model.

    Args:
        name: The name of an embedded model, a folder, or a hub id such as "user/model"; None for the default.

    Returns:
        The model.

    Raises:
        UnknownNameError: If there is no such model.
        DamagedModelError: If files of the model are missing or altered.
    """
    return read_model(find_model(name))


def find_model(name: str | Path | None = None) -> Path:
    """Return the folder of a model; a hub id is downloaded first."""
    embedded = embedded_models()
    if name is None:
        name = DEFAULT
    if str(name) in embedded:
        return embedded[str(name)]
    folder = Path(name)
    if folder.is_dir():
        return folder
    if folder.is_file():
        raise InputError(f"{folder} is a file; a model is a folder. For a table of vectors use VectorTable.load.")
    if isinstance(name, str) and _is_hub_id(name):
        from everyword.models.saved.hub import fetch

        return fetch(name)
    raise UnknownNameError(
        f"There is no model {str(name)!r}, neither embedded nor a folder: {did_you_mean(str(name), embedded)}"
    )


def _is_hub_id(name: str) -> bool:
    owner, slash, model = name.partition("/")
    if not (owner and slash and model) or "/" in model or name.startswith((".", "~")):
        return False
    return not Path(owner).exists()  # "runs/modle" beside a folder "runs" is a mistyped path, no question for the hub
