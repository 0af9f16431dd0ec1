"""A study and a recipe, which are TOML files."""

from everyword.studies.config import load_study
from everyword.systems.spelling.recipe import load_recipe
from fuzz.targets.common import read_file


def read(data: bytes) -> None:
    """Read the file as both."""
    read_file(data, "x.toml", lambda path: load_study(str(path)), lambda path: load_recipe(str(path)))
