"""Parsed sentences of a treebank in CoNLL-U, with lemmas, tags and features; wrong trees give path and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from everyword.errors import InputError
from everyword.files import read_lines

COLUMNS = 10
LONGEST_NUMBER = 9
"""Digits; Python refuses to read thousands of them."""
ROOT = -1
"""The head of a token without a head."""


@dataclass(frozen=True)
class Token:
    """A line of a treebank."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: dict[str, str]
    head: int
    """The place of its head among the tokens, or `ROOT`."""
    relation: str

    @property
    def base(self) -> str:
        """The relation without its subtype: nsubj for nsubj:pass."""
        return self.relation.partition(":")[0]


@dataclass(frozen=True)
class ParsedSentence:
    """The tokens of a sentence, whose heads form a tree."""

    tokens: tuple[Token, ...]

    @property
    def forms(self) -> list[str]:
        """The words as they are written."""
        return [token.form for token in self.tokens]

    @cached_property
    def children(self) -> list[list[int]]:
        """The places of the dependents of each token."""
        found: list[list[int]] = [[] for _ in self.tokens]
        for place, token in enumerate(self.tokens):
            if token.head != ROOT:
                found[token.head].append(place)
        return found

    @cached_property
    def depths(self) -> list[int]:
        """The number of arcs between each token and its root; ValueError if there is no root above one."""
        found: dict[int, int] = {ROOT: -1}
        for start in range(len(self.tokens)):
            place, below = start, dict[int, None]()
            while place not in found:
                if place in below:
                    raise ValueError("its heads form a circle")
                below[place] = None
                place = self.tokens[place].head
            for arcs, token in enumerate(reversed(below), start=1):
                found[token] = found[place] + arcs
        return [found[place] for place in range(len(self.tokens))]

    def ancestors(self, place: int) -> list[int]:
        """Return the heads above a token, the nearest first."""
        found: list[int] = []
        while (place := self.tokens[place].head) != ROOT:
            found.append(place)
            if len(found) > len(self.tokens):
                raise ValueError("its heads form a circle")
        return found


def read_treebank(paths: Sequence[Path]) -> list[ParsedSentence]:
    """Read all sentences of files in CoNLL-U.

    Args:
        paths: The files, which may be gzipped.

    Returns:
        The sentences; empty nodes and lines for several words together are left out.

    Raises:
        InputError: If a line is malformed, or the heads of a sentence do not form a tree; it names path and line.
    """
    return [sentence for path in paths for sentence in _sentences(path)]


def _sentences(path: Path) -> Iterator[ParsedSentence]:
    tokens: list[Token] = []
    for number, line in enumerate([*read_lines(path, "treebank"), ""], start=1):
        if line.startswith("#"):
            continue
        if line.strip():
            cells = line.split("\t")
            if len(cells) != COLUMNS:
                raise InputError(f"{path}:{number}: a word has {COLUMNS} columns between tabs. Got {line[:60]!r}.")
            if cells[0].isdigit():
                tokens.append(_token(cells, len(tokens) + 1, f"{path}:{number}"))
        elif tokens:
            yield _checked(tokens, f"{path}:{number}")
            tokens = []


def _token(cells: Sequence[str], expected: int, where: str) -> Token:
    index, form, lemma, upos, xpos, feats, head, relation, *_ = cells
    if index != str(expected):
        raise InputError(f"{where}: the word number {expected} was expected. Got {index[:60]!r}.")
    if not (head.isascii() and head.isdigit() and len(head) <= LONGEST_NUMBER):
        raise InputError(f"{where}: the seventh column must be the number of the head, or 0. Got {head[:60]!r}.")
    values = dict(pair.split("=", 1) for pair in feats.split("|") if "=" in pair)
    return Token(form, lemma, upos, xpos, values, int(head) - 1, relation)


def _checked(tokens: Sequence[Token], where: str) -> ParsedSentence:
    sentence = ParsedSentence(tuple(tokens))
    outside = next((token for token in tokens if token.head >= len(tokens)), None)
    if outside is not None:
        raise InputError(
            f"{where}: in the sentence that ends here, the head of {outside.form[:60]!r} is number {outside.head + 1}, "
            f"but there are only {len(tokens)} words."
        )
    try:
        _ = sentence.depths
    except ValueError as error:
        raise InputError(f"{where}: the sentence that ends here is not a tree: {error}.") from None
    return sentence
