"""Arrays in a safetensors file, of which zeros may have been left out."""

from contextlib import suppress

from everyword.arrays import read_tensors
from fuzz.targets.common import a_folder


def read(data: bytes) -> None:
    """Read all arrays."""
    with a_folder() as folder, suppress(ValueError):
        (folder / "x.safetensors").write_bytes(data)
        read_tensors(folder / "x.safetensors", mapped=True)
