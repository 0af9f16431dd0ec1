"""The sentences of words, as they are kept: JSON lines, alone or in the folder of `everyword contexts`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from everyword.corpus.text_file import read_text
from everyword.errors import InputError

CONTEXTS_FILE = "contexts.jsonl"
WHAT = "file of sentences"


@dataclass(frozen=True)
class WordSentences:
    """A word, sentences in which it stands, and how often it was seen if that is known."""

    word: str
    sentences: list[str]
    count: int | None = None


def read_sentences(*paths: str | Path) -> dict[str, list[str]]:
    """The sentences of each word of files, in their order; a word on several lines has the sentences of all of them."""
    found: dict[str, list[str]] = {}
    for line in chain.from_iterable(map(stream_sentences, paths)):
        sentences = found.setdefault(line.word, [])
        sentences.extend(sentence for sentence in line.sentences if sentence not in sentences)
    return found


def stream_sentences(path: str | Path) -> Iterator[WordSentences]:
    """The lines of a file, one word at a time, whatever its size.

    The file, plain or compressed, has an object a line: `{"word": "cat", "sentences": ["A cat sat."], "count": 1}`,
    without the count if it is not known. A folder is one that `everyword contexts` wrote.
    """
    file = _file_of(Path(path))
    for number, line in enumerate(read_text(file, WHAT), start=1):
        if line.strip():
            yield _parsed(line, f"{file}:{number}")


def _file_of(path: Path) -> Path:
    if not path.is_dir():
        return path
    file = path / CONTEXTS_FILE
    if not file.is_file():
        raise InputError(f"{path} holds no {CONTEXTS_FILE}; finish the run of 'everyword contexts' that writes it.")
    return file


def _parsed(line: str, place: str) -> WordSentences:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not (isinstance(found, dict) and isinstance(found.get("word"), str) and _are_texts(found.get("sentences"))):
        raise InputError(
            f'{place}: an object such as {{"word": "cat", "sentences": ["A cat sat."]}} was expected. '
            f"Got {_shortened(line)} instead."
        )
    count = found.get("count")
    if count is not None and (type(count) is not int or count < 0):
        raise InputError(f"{place}: the count of a word is a whole number, 0 or more. Got {count!r} instead.")
    return WordSentences(found["word"], found["sentences"], count)


def _are_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(sentence, str) for sentence in found)


def _shortened(line: str, width: int = 60) -> str:
    return line if len(line) <= width else line[:width] + " ..."
