"""Dictionaries of other programs: Hunspell's words and affixes, with a zero byte between them, and GCIDE."""

from everyword.corpus.lexicons.gcide import read_gcide
from everyword.corpus.lexicons.spelling_lists import read_hunspell
from fuzz.targets.common import read_file, read_folder


def read(data: bytes) -> None:
    """Read both."""
    words, _, affixes = data.partition(b"\0")
    read_folder({"x.dic": words, "x.aff": affixes}, lambda folder: read_hunspell(folder / "x.dic"))
    read_file(data, "gcide.dict", read_gcide)
