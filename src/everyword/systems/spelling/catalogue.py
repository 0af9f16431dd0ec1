"""Recipes by name or by file, each perhaps laid over another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyword import config
from everyword.errors import ConfigError, UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from everyword.systems.spelling.config import MimickConfig

EXTENDS = "extends"
"""The key that names the recipe whose values hold where a recipe says nothing else."""


def shipped_recipes() -> dict[str, Path]:
    """The recipes inside the package, by name."""
    home = Path(str(files("everyword") / "recipes"))
    return {path.stem: path for path in sorted(home.glob("*.toml"))}


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Refuse what is neither a shipped recipe nor a TOML file; `others` may have been meant as well."""
    shipped = shipped_recipes()
    if name not in shipped and Path(name).suffix != ".toml":
        meant = did_you_mean(name, [*shipped, *others])
        raise UnknownNameError(f"There is no recipe {name!r}: {meant} A file must end in .toml.")


def load_recipe(name: str, overrides: Iterable[str] = ()) -> MimickConfig:
    """The resolved configuration of a shipped recipe or of a TOML file, with overrides laid over it."""
    values = recipe_values(name, overrides)
    from everyword.systems.spelling.config import MimickConfig  # needs torch, which a look at the values does not

    return config.build(MimickConfig, values)


def recipe_values(name: str, overrides: Iterable[str] = ()) -> dict[str, Any]:
    """What a recipe and the ones that it extends say, unchecked, with overrides laid over it."""
    return config.override(_read(_find(name)), overrides)


def _find(name: str, beside: Path = Path()) -> Path:
    """The file of a recipe; that of one which is not shipped is looked for in the folder `beside`."""
    check_name(name)
    return shipped_recipes().get(name, beside / name)


def _read(path: Path, extending: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The values of a file over those of the recipe that it extends; `extending` are the files that led here."""
    values = config.read_toml(path)
    base = values.pop(EXTENDS, None)
    if base is None:
        return values
    if not isinstance(base, str):
        raise ConfigError(f"{path}: {EXTENDS!r} must be the name of a recipe. Got {base!r} instead.")
    if path.resolve() in extending:
        raise ConfigError(f"{path} extends itself, by way of {extending[-1].name}; one of them must stand alone.")
    return laid_over(_read(_find(base, path.parent), (*extending, path.resolve())), values)


def laid_over(base: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Both, section by section; where both have a value, that of the second.

    >>> laid_over({"store": {"words": 9, "precision": "int8"}}, {"name": "mine", "store": {"words": 5}})
    {'store': {'words': 5, 'precision': 'int8'}, 'name': 'mine'}
    """
    result = dict(base)
    for key, value in values.items():
        below = result.get(key)
        both_sections = isinstance(below, Mapping) and isinstance(value, Mapping)
        result[key] = laid_over(below, value) if both_sections else value  # type: ignore[arg-type]
    return result
