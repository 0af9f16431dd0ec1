"""What a study was given to learn from, by name and checksum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from everyword.errors import EverywordError
from everyword.files import checksum, checksum_of_all

INPUTS = ("teacher", "model_name", "vectors", "encoder", "corpus", "contexts", "rare", "counts", "probe", "frequencies")
"""The options of `everyword reproduce` that name what vectors are learnt or read from."""
NAMES = {"model_name": "model"}
Inputs = Mapping[str, Mapping[str, str | None]]
"""By option: the checksum of each file, folder or model by its name; None for what is not on this machine."""


def describe_inputs(options: Mapping[str, Any]) -> Inputs:
    """Return the inputs among the options of a command.

    Args:
        options: The options by name: paths, names of models, NAME=FILE, or several of these.
    """
    given = {name: options[name] for name in INPUTS if name in options}
    found = {NAMES.get(name, name): dict(_described(name, value)) for name, value in given.items()}
    return {name: described for name, described in found.items() if described}


def _described(option: str, value: Any) -> Iterator[tuple[str, str | None]]:
    if isinstance(value, tuple):
        for one in value:
            yield from _described(option, one)
    elif option == "model_name":
        yield _model(value)
    elif value is not None:
        path = Path(str(value).partition("=")[2] or str(value))
        yield path.name, _checksum(path)


def _model(name: str | None) -> tuple[str, str | None]:
    from everyword.evaluation.evaluated_model import model_fingerprint
    from everyword.models.load import find_model
    from everyword.models.saved.config_schema import read_description

    try:
        folder = find_model(name)
        return str(read_description(folder)["name"]), model_fingerprint(folder)
    except EverywordError:  # a vector file or a name that only the study itself understands
        path = Path(str(name))
        return path.name, _checksum(path)


def _checksum(path: Path) -> str | None:
    """Return the checksum of a file, or of all files of a folder in order."""
    if path.is_dir():
        return checksum_of_all(sorted(file for file in path.rglob("*") if file.is_file()))
    return checksum(path) if path.is_file() else None
