"""A part-of-speech tagger in closed form: ridge regression from the vectors of a word and its neighbours to tags.

It is the cheapest question whether vectors know parts of speech, the same for every language, and has no seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError

RIDGE = 1.0
SIDES = 1
"""Neighbours on each side whose vectors are read."""

Sentence = Sequence[tuple[str, str]]
"""Words and their tags."""
Encode = Callable[[Sequence[str]], FloatArray]


def read_tagged(path: Path) -> list[Sentence]:
    """Read words and universal tags from a file in CoNLL-U; parts of joined words are left out."""
    from everyword.corpus.text_file import read_text

    sentences: list[list[tuple[str, str]]] = [[]]
    for number, line in enumerate(read_text(path, "treebank"), start=1):
        cells = line.split("\t")
        if not line.strip():
            sentences.append([])
        elif not line.startswith("#") and cells[0].isdigit():
            if len(cells) < 4:
                raise InputError(f"{path}:{number}: needs the ten columns of CoNLL-U. Got {line[:60]!r}.")
            sentences[-1].append((cells[1], cells[3]))
    found: list[Sentence] = [sentence for sentence in sentences if sentence]
    if not found:
        raise InputError(f"{path} holds no sentences in CoNLL-U.")
    return found


def first_tokens(sentences: Sequence[Sentence], count: int) -> Iterator[Sentence]:
    """Yield the first sentences until they have so many tokens."""
    seen = 0
    for sentence in sentences:
        if seen >= count:
            return
        seen += len(sentence)
        yield sentence


def tagging_accuracy(train: Sequence[Sentence], test: Sequence[Sentence], encode: Encode) -> float:
    """Return the share of test tokens whose tag is right, in percent."""
    tags = sorted({tag for sentence in train for _, tag in sentence})
    number = {tag: place for place, tag in enumerate(tags)}
    inputs = _windows(train, encode)
    targets = np.zeros((len(inputs), len(tags)))
    targets[np.arange(len(inputs)), [number[tag] for sentence in train for _, tag in sentence]] = 1
    products = inputs.T @ inputs
    strength = RIDGE * np.trace(products) / len(products) / 100
    weights = np.linalg.solve(products + strength * np.eye(len(products)), inputs.T @ targets)
    guessed = (_windows(test, encode) @ weights).argmax(axis=1)
    right = np.array([number.get(tag, -1) for sentence in test for _, tag in sentence])
    return 100 * float((guessed == right).mean())


def _windows(sentences: Sequence[Sentence], encode: Encode) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return for each token the vectors of itself and its neighbours, side by side, and a constant."""
    words = list(dict.fromkeys(word for sentence in sentences for word, _ in sentence))
    row = {word: place for place, word in enumerate(words)}
    vectors = np.concatenate([encode(words).astype(np.float64), np.zeros((1, encode(words[:1]).shape[1]))])
    padded: list[list[int]] = []
    for sentence in sentences:
        rows = [-1] * SIDES + [row[word] for word, _ in sentence] + [-1] * SIDES
        padded += [rows[place : place + 2 * SIDES + 1] for place in range(len(sentence))]
    windows = vectors[np.array(padded)].reshape(len(padded), -1)
    return np.column_stack([windows, np.ones(len(windows))])
