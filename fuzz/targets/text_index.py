"""The index of `everyword search`, and of a list of texts."""

from pathlib import Path

from everyword.corpus.search import SUFFIX, FileSearch
from everyword.sentences.index import TextIndex
from fuzz.targets.common import read_folder, sound_model

TEXTS = b"ban belo\ngrin\n"


def _search(folder: Path) -> None:
    found = FileSearch.open(folder / "x.txt", sound_model()).search(["ban"], 2)
    # An index that was altered may point into a line, but not out of the file.
    assert all(text in TEXTS.decode() for _, _, text in found[0])


def read(data: bytes) -> None:
    """Search by a file with this index beside it, which is made again if it cannot be used; load it as an index."""
    index = f"x.txt{SUFFIX}"
    query = sound_model().encode("ban")
    read_folder({"x.txt": TEXTS, index: data}, _search)
    read_folder({index: data}, lambda folder: TextIndex.load(folder / index, sound_model()).search(query))
