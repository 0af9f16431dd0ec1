"""NumPy's matrices, with words beside them."""

from fuzz.targets.common import read_as_table


def read(data: bytes) -> None:
    """Read a table; the words are the end of the bytes."""
    read_as_table(data, ".npy", "npy", words=data[-6:])
