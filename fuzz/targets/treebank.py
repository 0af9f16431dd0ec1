"""Parsed sentences in CoNLL-U."""

from functools import partial

from everyword.corpus.labelled.treebanks import read_any_tagged
from everyword.evaluation.probes import linear_tagger, parsed
from everyword.systems.skipgram.conllu import read_conllu
from fuzz.targets.common import read_file

READERS = (
    read_any_tagged,
    partial(read_any_tagged, full=True),
    lambda path: parsed.read_treebank([path]),
    linear_tagger.read_tagged,
    read_conllu,
)


def read(data: bytes) -> None:
    """Read a file."""
    read_file(data, "x.conllu", *READERS)
