"""Read files of sentences: JSON lines with the sentences of a word each, as `everyword contexts` writes them."""

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
    """A word and sentences that contain it.

    Attributes:
        word: The word.
        sentences: Sentences that contain it.
        count: How often the corpus mentions it, if that is known.
    """

    word: str
    sentences: list[str]
    count: int | None = None


def read_sentences(*paths: str | Path) -> dict[str, list[str]]:
    """Read the sentences of all words into memory.

    Args:
        paths: Files or folders as `stream_sentences` takes them.

    Returns:
        The sentences of each word, in the order of the files. A word on several lines has the sentences of all of
        them, each once.

    Raises:
        InputError: If a file does not exist or has another format.
    """
    found: dict[str, list[str]] = {}
    for line in chain.from_iterable(map(stream_sentences, paths)):
        sentences = found.setdefault(line.word, [])
        sentences.extend(sentence for sentence in line.sentences if sentence not in sentences)
    return found


def stream_sentences(path: str | Path) -> Iterator[WordSentences]:
    """Read the sentences of one word at a time, from a file of any size.

    Args:
        path: A file, plain or compressed, with one JSON object per line:
            `{"word": "cat", "sentences": ["A cat sat."], "count": 1}`, where the count is optional. Or a folder that
            `everyword contexts` wrote.

    Yields:
        The lines of the file.

    Raises:
        InputError: If the file does not exist or has another format.
    """
    file = _file_of(Path(path))
    for number, line in enumerate(read_text(file, WHAT), start=1):
        if line.strip():
            yield _parse(line, f"{file}:{number}")


def _file_of(path: Path) -> Path:
    if not path.is_dir():
        return path
    file = path / CONTEXTS_FILE
    if not file.is_file():
        raise InputError(f"{path} holds no {CONTEXTS_FILE}; finish the run of 'everyword contexts' that writes it.")
    return file


def _parse(line: str, position: str) -> WordSentences:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not (isinstance(found, dict) and isinstance(found.get("word"), str) and _are_texts(found.get("sentences"))):
        shown = line if len(line) <= 60 else line[:60] + " ..."
        raise InputError(
            f'{position}: an object such as {{"word": "cat", "sentences": ["A cat sat."]}} was expected. '
            f"Got {shown} instead."
        )
    count = found.get("count")
    if count is not None and (type(count) is not int or count < 0):
        raise InputError(f"{position}: the count of a word must be a whole number, 0 or more. Got {count!r} instead.")
    return WordSentences(found["word"], found["sentences"], count)


def _are_texts(found: Any) -> bool:
    return isinstance(found, list) and all(isinstance(sentence, str) for sentence in found)
