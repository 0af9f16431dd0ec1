"""Annotated texts as JSON lines: mentions in documents, semantic roles, rarified texts, and sentences of words."""

from everyword.corpus.labelled.roles import read_roles
from everyword.evaluation.probes.mentions import coreference, mentions
from everyword.evaluation.robustness.rare_texts.items import read_rare_texts
from everyword.evaluation.tasks.rare_words import ChimeraSet
from fuzz.targets.common import read_file


def read(data: bytes) -> None:
    """Read a file."""
    read_file(data, "x.jsonl", coreference, mentions, read_roles, read_rare_texts, ChimeraSet.load)
