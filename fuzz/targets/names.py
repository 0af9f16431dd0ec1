"""Lists of names: people with their kind and share, and companies."""

from functools import partial

from everyword.evaluation.robustness.names import FILES, Names
from fuzz.targets.common import read_folder

KINDS = ("people", "companies")


def read(data: bytes) -> None:
    """Read both kinds of list."""
    files = {FILES[kind][0].removesuffix(".gz"): data for kind in KINDS}
    read_folder(files, *(partial(Names.load, kind) for kind in KINDS))
