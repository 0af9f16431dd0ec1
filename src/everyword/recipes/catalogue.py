"""Recipes by name or by file."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from everyword import config
from everyword.errors import UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from everyword.recipes.configuration import MimickConfig


def shipped_recipes() -> dict[str, Path]:
    """The recipes inside the package, by name."""
    home = Path(str(files("everyword") / "recipes"))
    return {path.stem: path for path in sorted(home.glob("*.toml"))}


def load_recipe(name: str, overrides: Iterable[str] = ()) -> MimickConfig:
    """The resolved configuration of a shipped recipe or of a TOML file, with overrides laid over it."""
    shipped = shipped_recipes()
    path = shipped.get(name, Path(name))
    if name not in shipped and path.suffix != ".toml":
        raise UnknownNameError(f"There is no recipe {name!r}: {did_you_mean(name, shipped)} A file must end in .toml.")
    from everyword.recipes.configuration import MimickConfig  # needs torch, which a look at the names does not

    return config.build(MimickConfig, config.override(config.read_toml(path), overrides))
