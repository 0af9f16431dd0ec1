"""The arrays of a saved model, under a checksum that is right."""

from fuzz.targets.common import read_as_model


def read(data: bytes) -> None:
    """Read a model with these arrays."""
    read_as_model({"model.safetensors": data})
