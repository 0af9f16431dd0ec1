"""The JSON of wink."""

from fuzz.targets.common import read_as_table


def read(data: bytes) -> None:
    """Read a table."""
    read_as_table(data, ".json", "wink")
