"""Other trained networks in one file: codes, combinations of sources, word operators, texts' networks, attributes."""

from pathlib import Path

from everyword.language_models.attribute_vectors import LEXICON, VECTORS, SavedAttributes
from everyword.sentences.operators import WordOperators
from everyword.space.combination import Combination
from everyword.systems.codes.trained import TrainedCode
from everyword.systems.operators.trained import load_network
from fuzz.targets.common import read_file, read_folder

LISTED = b"cat\tanimal\n"


def _attributes(folder: Path) -> None:
    SavedAttributes.load(folder).vectors_of(["cat", "xyz"])


def read(data: bytes) -> None:
    """Read the file as each of them."""
    read_file(data, "x.safetensors", TrainedCode.load, Combination.load, WordOperators.load, load_network)
    read_folder({VECTORS: data, LEXICON: LISTED}, _attributes)
