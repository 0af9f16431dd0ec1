"""Trees in brackets: those of the Penn Treebank, behind the name of a document, and those labelled by sentiment."""

from everyword.evaluation.probes.sentiment_trees import read_sentiment_trees, weighted_node_switching
from everyword.evaluation.probes.span_data import constituent_labels, constituents
from everyword.evaluation.probes.trees import read_trees
from fuzz.targets.common import read_file


def read(data: bytes) -> None:
    """Read a file."""
    read_file(data, "x.tsv", read_trees, constituent_labels, constituents)
    read_file(data, "x.txt", lambda path: map(weighted_node_switching, read_sentiment_trees(path)))
