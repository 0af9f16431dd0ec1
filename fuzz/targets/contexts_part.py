"""A part of a run of `everyword contexts`: five files, in the bytes one after the other, each with its length."""

from contextlib import suppress

from everyword.corpus.contexts.parts import TYPES, PartMerger
from everyword.errors import EverywordError
from fuzz.targets.common import a_folder

ROWS = range(2)


def read(data: bytes) -> None:
    """Merge the part with itself."""
    with a_folder() as folder, suppress(EverywordError):
        for name in (*TYPES, "text"):
            length, data = data[0] if data else 0, data[1:]
            (folder / name).write_bytes(data[:length])
            data = data[length:]
        merge = PartMerger([folder, folder], 3)
        for merged in merge.read(ROWS):
            merge.texts(merged.sentences)
