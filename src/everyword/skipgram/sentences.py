"""The sentences of text files that are neither too short nor too long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from everyword.errors import InputError
from everyword.skipgram.configuration import SentencesConfig
from everyword.teachers.text_file import check_is_file, read_text
from everyword.text.runs import RUN_OF_LETTERS

WHAT = "text file"


def check_corpus(corpus: Sequence[Path]) -> None:
    """Refuse files that cannot be read before anything is."""
    if not corpus:
        raise InputError("A corpus of at least one text file is needed. Got none.")
    for path in corpus:
        check_is_file(path, WHAT)


def sentences_of(corpus: Sequence[Path], wanted: SentencesConfig) -> Iterator[str]:
    """Lines with a wanted number of words, of all files in order; empty and gigantic ones are passed over."""
    found = False
    for path in corpus:
        for line in read_text(path, WHAT):
            # Not counted to the end: a line may be megabytes long.
            words = sum(1 for _ in islice(RUN_OF_LETTERS.finditer(line), wanted.longest + 1))
            if wanted.shortest <= words <= wanted.longest:
                found = True
                yield line
    if not found:
        raise InputError(
            f"No line of {', '.join(path.name for path in corpus)} has {wanted.shortest} to {wanted.longest} words; "
            "give a sentence a line, or change sentences.shortest and sentences.longest."
        )
