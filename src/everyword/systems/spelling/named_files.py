"""Files that a recipe needs beside the teacher: named in the recipe, found where the person who runs it has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from everyword.errors import InputError

if TYPE_CHECKING:
    from everyword.systems.spelling.config import MimickConfig

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


def needed_sources(recipe: MimickConfig, *, makes_teacher: bool) -> list[str]:
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


def with_sources(recipe: MimickConfig, sources: Mapping[str, Path]) -> MimickConfig:
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
