"""Sentences with a tag for each token, in columns (.conll)."""

from functools import partial

from everyword.corpus.labelled.sets import read_tagged
from everyword.corpus.labelled.treebanks import read_any_tagged
from everyword.evaluation.probes import parts_of_speech, span_data
from fuzz.targets.common import read_file

MOST = 100
READERS = (
    read_tagged,
    partial(read_tagged, scheme="plain", column=1),
    read_any_tagged,
    partial(parts_of_speech.read_tagged, most=MOST),
    lambda path: span_data.entities({split: [path] for split in span_data.SPLITS}),
)


def read(data: bytes) -> None:
    """Read a file."""
    read_file(data, "x.conll", *READERS)
