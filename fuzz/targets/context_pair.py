"""What is kept beside context vectors: counts and biases."""

from pathlib import Path

from everyword.vectors.context_pair import ContextPair, description_of
from fuzz.targets.common import read_folder

TABLE = b"2 2\na 1 2\nb 3 4\n"


def read(data: bytes) -> None:
    """Read a pair of tables with this description."""
    name = description_of(Path("x.context.vec")).name
    read_folder(
        {"x.vec": TABLE, "x.context.vec": TABLE, name: data},
        lambda folder: ContextPair.load(folder / "x.vec", folder / "x.context.vec"),
    )
