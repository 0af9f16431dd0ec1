"""The words and units of a saved model, under checksums that are right."""

from fuzz.targets.common import read_as_model


def read(data: bytes) -> None:
    """Read a model with these words and units, of which a zero byte separates them."""
    words, _, units = data.partition(b"\0")
    read_as_model({"words.txt": words, "units.txt": units})
