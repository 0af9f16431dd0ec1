"""The command of each study, by the kind of study."""

from __future__ import annotations

from pathlib import Path

import click

from everyword.cli.common.group import named_copy
from everyword.cli.reproduce.adversarial import adversarial
from everyword.cli.reproduce.attention import attention
from everyword.cli.reproduce.attributes import attributes
from everyword.cli.reproduce.codes import codes
from everyword.cli.reproduce.compositionality import compositionality
from everyword.cli.reproduce.distillation import distillation
from everyword.cli.reproduce.encoders import encoders
from everyword.cli.reproduce.features import features
from everyword.cli.reproduce.inference import inference
from everyword.cli.reproduce.languages import languages
from everyword.cli.reproduce.lexicons import lexicons
from everyword.cli.reproduce.metric import metric
from everyword.cli.reproduce.models import models
from everyword.cli.reproduce.names import names
from everyword.cli.reproduce.pairs import pairs
from everyword.cli.reproduce.profiles import profiles
from everyword.cli.reproduce.pruning import pruning
from everyword.cli.reproduce.rare_words import rare_words
from everyword.cli.reproduce.resources import resources
from everyword.cli.reproduce.spaces import spaces
from everyword.cli.reproduce.spans import spans
from everyword.cli.reproduce.tables import tables
from everyword.cli.reproduce.taggers import taggers
from everyword.cli.reproduce.texts import texts
from everyword.cli.reproduce.transfer import transfer
from everyword.cli.reproduce.trees import trees
from everyword.errors import EverywordError

COMMANDS = {
    "models": models,
    "rare-words": rare_words,
    "tables": tables,
    "texts": texts,
    "spans": spans,
    "trees": trees,
    "profiles": profiles,
    "pairs": pairs,
    "languages": languages,
    "lexicons": lexicons,
    "transfer": transfer,
    "spaces": spaces,
    "features": features,
    "resources": resources,
    "codes": codes,
    "attention": attention,
    "attributes": attributes,
    "compositionality": compositionality,
    "names": names,
    "adversarial": adversarial,
    "pruning": pruning,
    "metric": metric,
    "inference": inference,
    "taggers": taggers,
    "distillation": distillation,
    "encoders": encoders,
}
"""By the kind of study."""


def study_command(name: str, path: Path) -> click.Command:
    """Return the command that reproduces a study, a published one or a TOML file."""
    from everyword.config import read_toml
    from everyword.studies.config import kind_of

    try:
        kind, title = kind_of(path), str(read_toml(path).get("title", ""))
    except (EverywordError, OSError):  # Python 3.10 reads TOML only with an extra; a file may be missing
        kind, title = path.parent.name, ""
    return named_copy(COMMANDS.get(kind, models), name, title)
