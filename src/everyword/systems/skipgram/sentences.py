"""The sentences of text files, parsed or not, that are neither too short nor too long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from everyword.corpus.text_file import check_is_file, read_text
from everyword.errors import InputError
from everyword.systems.skipgram.config import SentencesConfig
from everyword.systems.skipgram.conllu import is_parsed, read_conllu
from everyword.text.word_pattern import WORD_PATTERN

WHAT = "text file"
LONG_LINE = 10_000
"""Characters; the words of a shorter line are counted at once."""


def check_corpus(corpus: Sequence[Path]) -> None:
    """Refuse files that cannot be read before anything is."""
    if not corpus:
        raise InputError("A corpus of at least one text file is needed. Got none.")
    for path in corpus:
        check_is_file(path, WHAT)


def sentences_of(corpus: Sequence[Path], wanted: SentencesConfig) -> Iterator[str]:
    """Lines with a wanted number of words, of all files in order; empty and gigantic ones are passed over.

    Of a file in CoNLL-U they are the texts of its sentences.
    """
    found = False
    for path in corpus:
        for line in (tree.text for tree in read_conllu(path)) if is_parsed(path) else read_text(path, WHAT):
            if is_wanted(line, wanted):
                found = True
                yield line
    if not found:
        raise InputError(
            f"No line of {', '.join(path.name for path in corpus)} has {wanted.shortest} to {wanted.longest} words; "
            "give a sentence a line, or change sentences.shortest and sentences.longest."
        )


def is_wanted(line: str, wanted: SentencesConfig) -> bool:
    """Whether a line is neither too short nor too long."""
    if len(line) <= LONG_LINE:
        words = len(WORD_PATTERN.findall(line))
    else:  # not counted to the end: a line may be megabytes long
        words = sum(1 for _ in islice(WORD_PATTERN.finditer(line), wanted.longest + 1))
    return wanted.shortest <= words <= wanted.longest
