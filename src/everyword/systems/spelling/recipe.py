"""Find recipes by name or file, apply `extends` and overrides, and insert the paths of the files they name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyword import config
from everyword.errors import ConfigError, UnknownNameError, did_you_mean

if TYPE_CHECKING:
    from everyword.systems.spelling.config import RecipeConfig
from dataclasses import replace
from typing import TYPE_CHECKING

from everyword.errors import InputError

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


def load_recipe(name: str, overrides: Iterable[str] = ()) -> RecipeConfig:
    """The resolved configuration of a shipped recipe or of a TOML file, with overrides laid over it."""
    values = recipe_values(name, overrides)
    from everyword.systems.spelling.config import RecipeConfig  # needs torch, which a look at the values does not

    return config.build(RecipeConfig, values)


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
    return overlay(_read(_find(base, path.parent), (*extending, path.resolve())), values)


def overlay(base: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Both, section by section; where both have a value, that of the second.

    >>> overlay({"store": {"words": 9, "precision": "int8"}}, {"name": "mine", "store": {"words": 5}})
    {'store': {'words': 5, 'precision': 'int8'}, 'name': 'mine'}
    """
    result = dict(base)
    for key, value in values.items():
        below = result.get(key)
        both_sections = isinstance(below, Mapping) and isinstance(value, Mapping)
        result[key] = overlay(below, value) if both_sections else value  # type: ignore[arg-type]
    return result


MARK = "@"
"""A file written as @name stands for the source of that name."""


def read_sources(given: Iterable[str]) -> dict[str, Path]:
    """Sources from NAME=PATH; each must be there."""
    sources = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise InputError(f"A source must read NAME=PATH. Got {text!r} instead.")
        sources[name] = Path(path)
        if not sources[name].exists():
            raise InputError(f"There is nothing at {path}, given as source {name!r}; check the path.")
    return sources


def needed_sources(recipe: RecipeConfig, *, makes_teacher: bool) -> list[str]:
    """The names of the sources without which the recipe cannot run, each once."""
    of_teacher = recipe.merged.sources if makes_teacher else []
    files = (recipe.synonyms.file, recipe.blend.misspellings)
    of_training = [file.removeprefix(MARK) for file in files if file is not None and file.startswith(MARK)]
    return list(dict.fromkeys([*of_teacher, *of_training]))


def check_sources(needed: Iterable[str], sources: Mapping[str, Path]) -> None:
    """Name all sources that are missing, as the options that give them."""
    missing = " ".join(f"--source {name}=PATH" for name in needed if name not in sources)
    if missing:
        raise InputError(f"The recipe needs sources that were not given; add {missing}")


def with_sources(recipe: RecipeConfig, sources: Mapping[str, Path]) -> RecipeConfig:
    """The recipe with the paths of its sources in place of their names."""
    check_sources(needed_sources(recipe, makes_teacher=False), sources)
    return replace(
        recipe,
        synonyms=replace(recipe.synonyms, file=_resolve(recipe.synonyms.file, sources)),
        blend=replace(recipe.blend, misspellings=_resolve(recipe.blend.misspellings, sources)),
    )


def _resolve(file: str | None, sources: Mapping[str, Path]) -> str | None:
    if file is None or not file.startswith(MARK):
        return file
    return str(sources[file.removeprefix(MARK)])
