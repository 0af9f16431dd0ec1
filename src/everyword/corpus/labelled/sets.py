"""Labelled texts and tagged sentences: reading them, and train, dev and test splits.

A set without a test or dev part is split by a fixed seed, which is part of the task rather than of a run.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from everyword.corpus.labelled.bio import first_break
from everyword.errors import InputError
from everyword.files import read_lines

SPLIT_SEED = 0
TEXT_COLUMNS = ["label", "text"]
Scheme = Literal["bio", "plain"]
"""bio: tags mark spans and are scored as spans; plain: each tag is scored by itself, such as a part of speech."""


@dataclass(frozen=True)
class Texts:
    """Texts as tokens, and the label of each."""

    name: str
    tokens: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True)
class TaggedSentences:
    """Sentences as tokens, and the tag of each token."""

    name: str
    tokens: tuple[tuple[str, ...], ...]
    tags: tuple[tuple[str, ...], ...]
    scheme: Scheme = "bio"

    def __len__(self) -> int:
        return len(self.tokens)


D = TypeVar("D", bound=Texts | TaggedSentences)


@dataclass(frozen=True)
class Splits(Generic[D]):
    """Data to train on, to choose by and to score on."""

    train: D
    dev: D
    test: D
    home: Path | None = None
    """The folder that it was read from, which may contain noisy copies."""


def read_texts(path: Path, labels: Collection[str] | None = None) -> Texts:
    """Read label and text between tabs, with one header line; blanks separate tokens.

    With `labels`, any other label is an error.
    """
    lines = read_lines(path, "file of labelled texts")
    if lines[0].split("\t") != TEXT_COLUMNS:
        raise InputError(f"{path}:1: the first line must read label<TAB>text. Got {lines[0][:60]!r}.")
    tokens, found = [], []
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(TEXT_COLUMNS) or not all(cell.strip() for cell in cells):
            raise InputError(f"{path}:{number}: needs a label and a text between tabs. Got {line[:60]!r}.")
        label, text = cells
        if labels is not None and label not in labels:
            raise InputError(
                f"{path}:{number}: the label must be one of {', '.join(sorted(labels))}. Got {label[:60]!r} instead."
            )
        tokens.append(tuple(text.split()))
        found.append(label)
    if not tokens:
        raise InputError(f"{path} holds no texts below its first line; one or more are needed.")
    return Texts(path.name.partition(".")[0], tuple(tokens), tuple(found))


def text_splits(path: Path, number: int = 0, *, labels: Collection[str] | None = None) -> Splits[Texts]:
    """Read train, dev and test from a folder, or ten folds from a single file, of which one is the test set."""
    if path.is_file():
        return fold(read_texts(path, labels), number, seed=SPLIT_SEED)
    train, dev, test = (read_texts(path / f"{split}.tsv", labels) for split in ("train", "dev", "test"))
    return Splits(train, dev, test, home=path)


def read_tagged(
    path: Path,
    *,
    column: int = -1,
    token_column: int = 0,
    scheme: Scheme = "bio",
    tags: Collection[str] | None = None,
) -> TaggedSentences:
    """Read a CoNLL file: one token per line, columns between tabs or blanks, an empty line after each sentence.

    `column` is the tag's, counted from 0, or from the end if negative. With `tags`, any other tag is an error.
    """
    found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    rows: list[tuple[int, str, str]] = []
    for number, line in enumerate([*read_lines(path, "CoNLL file"), ""], start=1):
        if line.strip():
            rows.append((number, *_cells(path, number, line, (token_column, column))))
            if tags is not None and rows[-1][2] not in tags:
                raise InputError(
                    f"{path}:{number}: the tag must be one of {', '.join(sorted(tags))}. Got {rows[-1][2]!r} instead."
                )
        elif rows:
            found.append(_sentence(path, rows, scheme))
            rows = []
    if not found:
        raise InputError(f"{path} holds no sentences; one or more are needed.")
    return TaggedSentences(path.name.partition(".")[0], tuple(t for t, _ in found), tuple(t for _, t in found), scheme)


def _cells(path: Path, number: int, line: str, columns: Sequence[int]) -> tuple[str, str]:
    cells = line.split("\t") if "\t" in line else line.split()
    for column in columns:
        if not -len(cells) <= column < len(cells):
            raise InputError(
                f"{path}:{number}: has no column {column}; it has {len(cells)} columns. Got {line[:60]!r}."
            )
    token, tag = (cells[column] for column in columns)
    same = len({column % len(cells) for column in columns}) < len(columns)
    if same or not token.strip() or not tag.strip():
        raise InputError(f"{path}:{number}: needs a token and a tag, neither empty. Got {line[:60]!r}.")
    return token, tag


def _sentence(
    path: Path, rows: Sequence[tuple[int, str, str]], scheme: Scheme
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    tags = tuple(tag for _, _, tag in rows)
    if scheme == "bio" and (index := first_break(tags)) is not None:
        raise InputError(
            f"{path}:{rows[index][0]}: the tag {tags[index]!r} is not valid BIO here: use O, B-type, or I-type after B "
            f"or I of that type. For tags that mark no spans, read the file with scheme='plain'."
        )
    return tuple(token for _, token, _ in rows), tags


def tag_splits(path: Path, *, column: int = -1, scheme: Scheme = "bio") -> Splits[TaggedSentences]:
    """Read train, dev and test from a folder; without dev, a tenth of train becomes dev."""

    def split(part: str) -> TaggedSentences:
        return read_tagged(path / f"{part}.conll.gz", column=column, scheme=scheme)

    train, test = split("train"), split("test")
    if (path / "dev.conll.gz").exists():
        return Splits(train, split("dev"), test)
    return Splits(*cut_dev(train, seed=SPLIT_SEED), test)


def chosen(data: D, rows: Sequence[int], name: str) -> D:
    """Return some of the items, in the order of the rows."""
    what = "labels" if isinstance(data, Texts) else "tags"
    parts: dict[str, Any] = {part: tuple(getattr(data, part)[row] for row in rows) for part in ("tokens", what)}
    return replace(data, name=name, **parts)


def cut_to(data: D, items: int | None, seed: int = 0) -> D:
    """Sample this many items by seed and keep their order; all items for None or a larger number."""
    if items is None or items >= len(data):
        return data
    order = np.random.default_rng(seed).permutation(len(data))
    return chosen(data, sorted(int(row) for row in order[:items]), data.name)


def cut_dev(train: D, share: float = 0.1, seed: int = 0) -> tuple[D, D]:
    """Split train into train and dev; the same seed gives the same dev set, whatever is trained on it."""
    if not 0 < share < 1:
        raise InputError(f"The share of train that becomes dev must lie between 0 and 1. Got {share} instead.")
    order = [int(row) for row in np.random.default_rng(seed).permutation(len(train))]
    held = round(share * len(order))
    if not 0 < held < len(order):
        raise InputError(f"{train.name} holds {len(order)} items, too few to cut {share:.0%} of them off as dev.")
    return chosen(train, sorted(order[held:]), train.name), chosen(train, sorted(order[:held]), f"{train.name}-dev")


def fold(data: D, number: int = 0, folds: int = 10, seed: int = 0, dev: float = 0.1) -> Splits[D]:
    """Return one fold of a cross-validation as the test set, with dev cut from the rest."""
    if not 0 <= number < folds <= len(data):
        raise InputError(
            f"The fold must be one of 0 to {folds - 1}, and each fold needs an item. "
            f"Got fold {number} of {folds} over {len(data)} items."
        )
    order = [int(row) for row in np.random.default_rng([seed, folds]).permutation(len(data))]
    held = set(order[number::folds])
    rest = chosen(data, [row for row in range(len(data)) if row not in held], data.name)
    train, held_for_dev = cut_dev(rest, dev, seed)
    return Splits(train, held_for_dev, chosen(data, sorted(held), f"{data.name}-{number}"))


def labels_of(data: Texts | TaggedSentences) -> Sequence[tuple[str, ...]]:
    """Return the targets of each item: the label of a text, or a tag per token."""
    return [(label,) for label in data.labels] if isinstance(data, Texts) else data.tags


def check(train: D, others: Sequence[D]) -> list[str]:
    """Return the sorted labels of train; items that cannot be trained on or scored are errors.

    Each label of the others must be one of train's; for BIO tags, its type must be.
    """
    splits: list[D] = [train, *others]
    for data in splits:
        if not len(data):
            raise InputError(f"The split {data.name!r} is empty; one item or more is needed.")
        for number, (tokens, labels) in enumerate(zip(data.tokens, labels_of(data), strict=True), start=1):
            expected = 1 if isinstance(data, Texts) else len(tokens)
            if not tokens or len(labels) != expected:
                raise InputError(
                    f"Item {number} of {data.name!r} has {len(tokens)} tokens and {len(labels)} labels; "
                    f"{'a text needs tokens' if isinstance(data, Texts) else 'each token needs a tag'}."
                )
    known = {label for labels in labels_of(train) for label in labels}
    # CoNLL-2000's test set has one I-LST and train only B-LST: never predicted, counted as wrong, but no mistake.
    is_bio = isinstance(train, TaggedSentences) and train.scheme == "bio"
    also = {f"{mark}-{label[2:]}" for label in known for mark in "BI" if label != "O"} | {"O"} if is_bio else set()
    for data in others:
        for number, labels in enumerate(labels_of(data), start=1):
            if new := set(labels) - known - also:
                raise InputError(
                    f"Item {number} of {data.name!r} has the label {min(new)!r}, which {train.name!r} never has; "
                    f"it has {', '.join(sorted(known)[:20])}."
                )
    if len(known) < 2:
        raise InputError(f"The split {train.name!r} has only one label, {min(known)!r}; two or more are needed.")
    return sorted(known)
