"""The lexicon of a space: words, phrases, foreign words, definitions, inflections and relations."""

from pathlib import Path

from everyword.systems.word_space.lexicon import Lexicon
from fuzz.targets.common import read_folder

FILES = ("words.tsv", "phrases.tsv", "foreign.tsv", "definitions.tsv", "inflections.tsv", "relations.tsv")


def _everything(folder: Path) -> None:
    lexicon = Lexicon(folder)
    lexicon.foreign()
    list(lexicon.definitions())
    lexicon.meanings()
    lexicon.relations(("synonym",), 10)


def read(data: bytes) -> None:
    """Read all six files, which zero bytes separate."""
    read_folder(dict(zip(FILES, [*data.split(b"\0"), *[b""] * 5], strict=False)), _everything)
