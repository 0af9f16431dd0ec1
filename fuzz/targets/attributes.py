"""Lexicons of attributes, and tables of senses that they are made from."""

from everyword.corpus.lexicons.attributes import AttributeLexicon, read_wordnet_rows
from everyword.evaluation.probes.word_properties import read_kinds
from fuzz.targets.common import read_file


def read(data: bytes) -> None:
    """Read a file."""
    read_file(data, "x.tsv", AttributeLexicon.read, read_wordnet_rows, read_kinds)
