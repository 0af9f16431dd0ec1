"""The n-grams and networks of a model that tell what a misspelt word was meant to be."""

from everyword.sentences.context.saved import KNOWN, NAME, PART, UNKNOWN
from fuzz.targets.common import read_as_part

DESCRIBED = {"name": NAME, "thresholds": {KNOWN: 0.8, UNKNOWN: 0.5}}


def read(data: bytes) -> None:
    """Read texts."""
    read_as_part(PART, data, DESCRIBED)
