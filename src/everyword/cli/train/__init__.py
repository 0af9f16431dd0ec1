"""everyword train: recipes for models of spelling, and programs that train something else."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from everyword.cli.common.group import LazyGroup, Sections
from everyword.cli.train.recipe import recipe_command

PROGRAMS = {
    "average": "everyword.cli.train.average:average",
    "classifier": "everyword.cli.train.classifier:classifier",
    "codes": "everyword.cli.train.codes:codes",
    "context": "everyword.cli.train.context:context",
    "language": "everyword.cli.train.language:language",
    "operators": "everyword.cli.train.operators:operators",
    "skipgram": "everyword.cli.train.skipgram:skipgram",
    "skipgram-words": "everyword.cli.train.skipgram:skipgram_words",
    "static": "everyword.cli.train.static:static",
    "tagger": "everyword.cli.train.tagger:tagger",
    "texts": "everyword.cli.train.texts:texts",
    "tiny-bert": "everyword.cli.train.tiny_bert:tiny_bert",
}


def _sections() -> Sections:
    from everyword.systems.spelling.recipe import shipped_recipes

    return {
        "Recipes (models of spelling, trained on --teacher)": {
            name: partial(recipe_command, name) for name in shipped_recipes() if name not in PROGRAMS
        },
        "Other programs": PROGRAMS,
    }


def _find(name: str) -> click.Command | None:
    return recipe_command(name) if Path(name).suffix == ".toml" else None


@click.group(cls=LazyGroup, what="recipe", sections=_sections, find=_find, hint=" A file must end in .toml.")
def train() -> None:
    """Train a model, word vectors or a small BERT.

    A recipe trains a model that gives every word a vector in the space of a teacher, from the spelling alone. Name one
    of those below, or a .toml file of your own. The other programs make vector files from a corpus, or a language
    model. Each has its own options:  everyword train NAME --help

    \b
    Examples:
      everyword train love --teacher vectors.vec --output my-model
      everyword train my-recipe.toml --teacher vectors.vec --output my-model
      everyword train language --code de --corpus de.txt.xz --dictionary en-de.tsv --output everyword-de
      everyword train static fasttext --corpus wiki.txt.xz --output fasttext.npy
      everyword train skipgram --encoder my-bert --corpus wiki.txt.xz --output words.npy
    """
