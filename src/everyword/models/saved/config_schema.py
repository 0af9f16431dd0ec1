"""Schema of a saved model's config.json, checked before any other file is read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from everyword import config
from everyword.errors import DamagedModelError
from everyword.files import read_object
from everyword.models.saved import layout


@dataclass(frozen=True)
class UnitsConfig:
    """The unit vocabulary."""

    name: str
    config: dict[str, Any]


@dataclass(frozen=True)
class EncoderConfig:
    """The forward pass."""

    name: str
    config: dict[str, Any]
    norm: float | None


@dataclass(frozen=True)
class ModelConfig:
    """The parts of a configuration that a model is made from."""

    name: str
    normalise: dict[str, Any]
    units: UnitsConfig
    encoder: EncoderConfig
    training: dict[str, Any]
    files: dict[str, str]


@dataclass(frozen=True)
class AdaptedModelConfig(ModelConfig):
    """The same parts for an adapted model."""

    map: dict[str, Any]


def read_description(folder: Path) -> dict[str, Any]:
    """Read the configuration of a saved model, without its vectors."""
    path = folder / layout.CONFIG
    try:
        return checked_description(path)
    except FileNotFoundError:
        raise DamagedModelError(f"{folder} is not a saved model: {layout.CONFIG} is missing.") from None


def checked_description(path: Path) -> dict[str, Any]:
    """Read and check a configuration from a file of any name."""
    try:
        described = read_object(path)
        if "format" not in described:
            raise ValueError("the key 'format' is missing")
    except ValueError as error:
        raise DamagedModelError(f"{path} is not the configuration of a saved model: {error}.") from None
    if described["format"] not in layout.READABLE:
        raise DamagedModelError(
            f"{path.parent} has model format {described['format']!r:.40}, and this version of everyword reads formats "
            f"up to {max(layout.READABLE)}: run  pip install -U everyword"
        )
    _check(path, described)
    return described


def _check(path: Path, described: dict[str, Any]) -> None:
    kind, checked = (
        (AdaptedModelConfig, layout.ADAPTED_CHECKED) if "map" in described else (ModelConfig, layout.CHECKED)
    )
    names = {field.name for field in fields(kind)}
    if missing := names - described.keys():
        raise DamagedModelError(f"{path} lacks the keys {', '.join(sorted(missing))}.")
    if problems := config.problems_of(kind, {name: described[name] for name in names}):
        raise DamagedModelError(f"{path} is not the configuration of a saved model: {'; '.join(problems)}.")
    if set(described["files"]) != set(checked):
        raise DamagedModelError(
            f"{path} must have the checksums of {', '.join(checked)} and of nothing else; download or save it again."
        )
