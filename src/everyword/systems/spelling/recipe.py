"""Find recipes by name or file, apply `extends` and overrides, and insert the paths of the files they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyword import config
from everyword.errors import ConfigError, InputError, UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from everyword.systems.spelling.config import RecipeConfig

EXTENDS = "extends"
"""The key that names the recipe whose values apply where this one has none."""
REFERENCE = "@"
"""A file written as @name stands for the source of that name."""


def shipped_recipes() -> dict[str, Path]:
    """Return the recipes inside the package, by name."""
    folder = Path(str(files("everyword") / "recipes"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def check_name(name: str, others: Iterable[str] = ()) -> None:
    """Raise UnknownNameError for anything but a shipped recipe or a TOML file; `others` are suggested as well."""
    shipped = shipped_recipes()
    if name not in shipped and Path(name).suffix != ".toml":
        meant = did_you_mean(name, [*shipped, *others])
        raise UnknownNameError(f"There is no recipe {name!r}: {meant} A file must end in .toml.")


def load_recipe(name: str, overrides: Iterable[str] = ()) -> RecipeConfig:
    """Load the configuration of a recipe.

    Args:
        name: The name of a shipped recipe or the path of a TOML file.
        overrides: Assignments such as `training.epochs=3`.

    Returns:
        The resolved and checked configuration.

    Raises:
        UnknownNameError: If there is no such recipe.
        ConfigError: If the configuration has problems; the message lists all of them.
    """
    values = recipe_values(name, overrides)
    from everyword.systems.spelling.config import RecipeConfig  # needs torch, which a look at the values does not

    return config.build(RecipeConfig, values)


def recipe_values(name: str, overrides: Iterable[str] = ()) -> dict[str, Any]:
    """Return the values of a recipe and those it extends, unchecked, with overrides applied."""
    return config.override(_read(_find(name)), overrides)


def _find(name: str, folder: Path = Path()) -> Path:
    """Return the file of a recipe; one that is not shipped is relative to a folder."""
    check_name(name)
    return shipped_recipes().get(name, folder / name)


def _read(path: Path, extending: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Read a file and the recipe that it extends; `extending` are the files that led here."""
    values = config.read_toml(path)
    base = values.pop(EXTENDS, None)
    if base is None:
        return values
    if not isinstance(base, str):
        raise ConfigError(f"{path}: {EXTENDS!r} must be the name of a recipe. Got {base!r} instead.")
    if path.resolve() in extending:
        raise ConfigError(f"{path} extends itself, by way of {extending[-1].name}; one of them must stand alone.")
    return overlay(_read(_find(base, path.parent), (*extending, path.resolve())), values)


def overlay(base: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two recipes section by section; where both have a value, the second one's applies.

    >>> overlay({"store": {"words": 9, "precision": "int8"}}, {"name": "mine", "store": {"words": 5}})
    {'store': {'words': 5, 'precision': 'int8'}, 'name': 'mine'}
    """
    result = dict(base)
    for key, value in values.items():
        below = result.get(key)
        both_sections = isinstance(below, Mapping) and isinstance(value, Mapping)
        result[key] = overlay(below, value) if both_sections else value  # type: ignore[arg-type]
    return result


def read_sources(given: Iterable[str]) -> dict[str, Path]:
    """Parse sources written as NAME=PATH, and check that each path exists."""
    sources = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise InputError(f"A source must read NAME=PATH. Got {text!r} instead.")
        sources[name] = Path(path)
        if not sources[name].exists():
            raise InputError(f"There is nothing at {path}, given as source {name!r}; check the path.")
    return sources


def needed_sources(recipe: RecipeConfig, of_teacher: Iterable[str] = ()) -> list[str]:
    """Return the names of the sources without which the recipe cannot run, each once; those of its teacher first."""
    paths = (recipe.synonyms.file, *recipe.blend.files)
    of_training = [path.removeprefix(REFERENCE) for path in paths if path is not None and path.startswith(REFERENCE)]
    return list(dict.fromkeys([*of_teacher, *of_training]))


def check_sources(needed: Iterable[str], sources: Mapping[str, Path]) -> None:
    """Raise InputError with the options that are missing."""
    missing = " ".join(f"--source {name}=PATH" for name in needed if name not in sources)
    if missing:
        raise InputError(f"The recipe needs sources that were not given; add {missing}")


def with_sources(recipe: RecipeConfig, sources: Mapping[str, Path]) -> RecipeConfig:
    """Return the recipe with the paths of its sources in place of their names."""
    check_sources(needed_sources(recipe), sources)

    def path_of(file: str) -> str:
        return str(sources[file.removeprefix(REFERENCE)]) if file.startswith(REFERENCE) else file

    return replace(
        recipe,
        synonyms=replace(recipe.synonyms, file=recipe.synonyms.file and path_of(recipe.synonyms.file)),
        blend=recipe.blend.with_files(path_of),
    )
