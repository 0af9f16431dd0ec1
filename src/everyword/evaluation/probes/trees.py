"""Trees of the Penn Treebank: words, constituents by span, and the labels above each word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from everyword.corpus.rows import read_rows
from everyword.errors import InputError

Span = tuple[int, int]
"""First and last token, both included."""
TRACE = "-NONE-"
DEEPEST, MOST_WORDS = 500, 5000
"""No sentence has as many; the work on a tree grows with the product of both."""
PENN_SIGNS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
"""What the Penn Treebank writes instead of brackets and quotes."""


class Tree(NamedTuple):
    """The words of a tree, the labels of its constituents by span, and the labels above each word."""

    tokens: list[str]
    constituents: dict[Span, tuple[str, ...]]
    ancestors: list[tuple[str, ...]]
    """For each word its part of speech, then the constituents that hold it, from the lowest to the root."""


class _Open(NamedTuple):
    """A bracket that is not closed yet."""

    label: str
    first: int
    """The number of words before it."""
    is_word: bool


def read_tree(text: str) -> Tree:
    """Read a bracketed tree of the Penn Treebank, without traces, empty constituents and function tags.

    >>> tree = read_tree("(S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (NP (-NONE- *))))")
    >>> tree.constituents
    {(0, 1): ('NP',), (2, 2): ('VP',), (0, 2): ('S',)}
    >>> tree.ancestors[1]
    ('NN', 'NP', 'S')

    Raises:
        ValueError: If it is not a tree, with the reason.
    """
    tree = Tree([], {}, [])
    opened: list[_Open] = []
    parts = re.findall(r"\(|\)|[^\s()]+", text)
    place = 0
    while place < len(parts):
        if parts[place] == "(":
            if opened and opened[-1].is_word:
                raise ValueError("a part of speech holds more than a word")
            if not opened and tree.tokens:
                raise ValueError("it goes on behind its end")
            if len(opened) == DEEPEST or len(tree.tokens) == MOST_WORDS:
                raise ValueError(f"a tree may have {MOST_WORDS:,} words and be {DEEPEST} brackets deep")
            label, word = _opening(parts[place + 1 : place + 3])
            opened.append(_Open(label, len(tree.tokens), bool(word)))
            if word and label != TRACE:
                tree.tokens.append(plain_word(word))
                tree.ancestors.append((label.partition("|")[0],))
            place += 1 + bool(label) + bool(word)
            continue
        if parts[place] != ")":
            raise ValueError(f"the word {parts[place][:60]!r} has no part of speech")
        if not opened:
            raise ValueError("its brackets do not match")
        _close(tree, opened.pop())
        place += 1
    if opened:
        raise ValueError("its brackets do not match")
    if not tree.tokens:
        raise ValueError("it holds no words in brackets")
    return tree


def _opening(following: list[str]) -> tuple[str, str]:
    """Return the label behind an opening bracket, and the word behind the label; "" where there is none."""
    label = following[0] if following and following[0] not in "()" else ""
    word = following[1] if label and len(following) > 1 and following[1] not in "()" else ""
    return label, word


def _close(tree: Tree, bracket: _Open) -> None:
    """Add a constituent that is whole, unless it is a word or empty."""
    if not bracket.label or bracket.is_word or len(tree.tokens) == bracket.first:
        return
    span, plain = (bracket.first, len(tree.tokens) - 1), without_function(bracket.label)
    tree.constituents[span] = tuple(dict.fromkeys((*tree.constituents.get(span, ()), plain)))
    for place in range(bracket.first, len(tree.tokens)):
        tree.ancestors[place] += (plain,)


def plain_word(word: str) -> str:
    """Return a word of the Penn Treebank as people write it: without its signs for brackets, quotes and slashes.

    >>> plain_word("-LRB-"), plain_word("``"), plain_word(r"1\\/2"), plain_word("cat")
    ('(', '"', '1/2', 'cat')
    """
    return PENN_SIGNS.get(word) or word.replace("\\/", "/").replace("\\*", "*")


def without_function(label: str) -> str:
    """Return the label of a constituent without function tags, numbers and alternatives.

    >>> without_function("NP-SBJ-1"), without_function("ADVP|PRT"), without_function("-LRB-")
    ('NP', 'ADVP', '-LRB-')
    """
    return re.split(r"[-=|]", label)[0] or label


def read_trees(path: Path) -> list[tuple[str, Tree]]:
    """Read tab-separated file and tree; errors name path and line."""
    trees = []
    for number, (document, text) in read_rows(path, "set of trees", ("file", "tree")):
        try:
            trees.append((document, read_tree(text)))
        except ValueError as error:
            raise InputError(f"{path}:{number}: is not a tree: {error}. Got {text[:60]!r}; fix this line.") from None
    return trees
