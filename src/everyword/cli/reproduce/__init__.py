"""everyword reproduce: published tables, made again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from everyword.cli.common.group import LazyGroup, Sections
from everyword.cli.reproduce.studies import study_command

TITLES = {
    "models": "Models of spelling, trained on --teacher",
    "rare-words": "Rare words in a language model, --encoder",
    "tables": "Word vectors from a corpus",
    "texts": "Measures of texts",
    "spans": "Vectors of spans",
    "trees": "Labels above words in trees",
    "profiles": "What vectors say about sentences",
    "pairs": "Word and context vectors from a corpus",
    "languages": "Vectors of other languages in a tagger",
    "lexicons": "Alignment of vectors of several languages, --vectors",
    "transfer": "Transfer between languages",
    "spaces": "Changes of a space",
    "features": "Words as feature tuples",
    "resources": "Scores by the size of a resource",
    "codes": "Discrete codes",
    "attention": "Attention as explanation",
    "attributes": "Attributes of words in a language model",
    "compositionality": "Vectors of texts and their parts",
    "names": "Attacks on predictions",
    "adversarial": "Training under attack",
    "pruning": "Pruned encoders, --encoder",
    "metric": "Losses of classifiers",
    "inference": "Inference between texts",
    "taggers": "Taggers of entities and of full tags",
    "distillation": "Small classifiers that learn from larger ones",
    "encoders": "Models of spelling inside a language model, --encoder",
}
"""By the kind of study."""


def _sections() -> Sections:
    from everyword.studies.config import published_studies

    return {
        title: {name: partial(study_command, name, path) for name, path in published_studies(kind).items()}
        for kind, title in TITLES.items()
    }


def _find(name: str) -> click.Command | None:
    return study_command(name, Path(name)) if Path(name).suffix == ".toml" else None


@click.group(cls=LazyGroup, what="study", sections=_sections, find=_find, hint=" A file must end in .toml.")
def reproduce() -> None:
    """Reproduce a published table.

    A study trains or makes the models of a table, scores them, and prints our scores beside the published ones. Then it
    lists the claims of the paper: each holds, does not hold, is too close to tell, or was not tested. Name a study
    below, or a .toml file of your own. Each has its own options:  everyword reproduce NAME --help

    \b
    Examples:
      everyword reproduce love-ablation --teacher vectors.vec --data DATA
      everyword reproduce bertram-contexts --encoder my-bert --contexts frequent --data DATA
      everyword reproduce dynamic-static --encoder my-bert --corpus wiki.txt.xz --data DATA
    """
