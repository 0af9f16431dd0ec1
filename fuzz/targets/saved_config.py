"""The configuration of a saved model."""

from fuzz.targets.common import read_as_model


def read(data: bytes) -> None:
    """Read a model that says this of itself."""
    read_as_model({"config.json": data}, signed=False)
