"""Texts with labels, and pairs of texts, in a tab-separated file whose first line names the columns."""

from everyword.corpus.labelled.documents import read_documents
from everyword.corpus.labelled.pairs import read_pairs
from everyword.corpus.labelled.sets import read_texts
from everyword.evaluation.probes.polarity import read_rewrites, read_sentiments
from everyword.evaluation.tasks.knn import read_labelled
from everyword.systems.operators.pairs import read_paraphrases, read_scored_pairs
from fuzz.targets.common import read_file

READERS = (
    read_documents,
    read_pairs,
    read_texts,
    read_labelled,
    read_rewrites,
    read_sentiments,
    read_scored_pairs,
    lambda path: read_paraphrases([path]),
)


def read(data: bytes) -> None:
    """Read a file."""
    read_file(data, "x.tsv", *READERS)
