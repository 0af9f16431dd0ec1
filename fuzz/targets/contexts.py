"""Sentences of words, as `everyword contexts` writes them."""

from contextlib import suppress

from everyword.corpus.contexts.sentences import read_sentences
from everyword.errors import EverywordError
from fuzz.targets.common import a_folder


def read(data: bytes) -> None:
    """Read a folder."""
    with a_folder() as folder, suppress(EverywordError):
        (folder / "contexts.jsonl").write_bytes(data)
        read_sentences(folder)
