"""The probabilities that a teacher gives labels, in an .npz file."""

from everyword.corpus.labelled.documents import SoftLabels
from fuzz.targets.common import read_file


def read(data: bytes) -> None:
    """Read a file, and the labels that it finds most probable."""
    read_file(data, "x.npz", lambda path: SoftLabels.load(path).chosen(several=True))
