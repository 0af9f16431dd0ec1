"""A part of a corpus that was prepared for skip-grams."""

from contextlib import suppress

from everyword.errors import EverywordError
from everyword.systems.skipgram.parts import Part
from fuzz.targets.common import a_folder


def read(data: bytes) -> None:
    """Read a part."""
    with a_folder() as folder, suppress(EverywordError):
        path = folder / "part-00000.npz"
        path.write_bytes(data)
        part = Part.load(path)
        if len(part.pieces):
            assert len(part.first_pieces()) == len(part.sizes)
