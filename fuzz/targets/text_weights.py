"""The weights of words in texts that a model has in a file of their own."""

from everyword.sentences.weights import NAME
from fuzz.targets.common import read_as_part


def read(data: bytes) -> None:
    """Encode texts."""
    read_as_part("texts", data, {"name": NAME})
