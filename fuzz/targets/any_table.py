"""Vectors in any wrapping (gzip, xz, Zstandard, zip, tar) and of a format that has to be guessed."""

from fuzz.targets.common import read_as_table


def read(data: bytes) -> None:
    """Read a table."""
    read_as_table(data, "", None)
