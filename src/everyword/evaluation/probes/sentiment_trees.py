"""Trees whose nodes are labelled by sentiment, 0 to 4, and how much the sentiment changes on the way to the root."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from everyword.errors import InputError
from everyword.evaluation.probes.trees import plain_word
from everyword.files import read_lines

MOST_LABEL = 4
Weight = Literal["height", "normalised"]


@dataclass(frozen=True)
class SentimentTree:
    """A tree: its words, and its nodes in an order in which children come before their parent."""

    tokens: tuple[str, ...]
    labels: tuple[int, ...]
    """From 0, very negative, to 4, very positive; the last one is that of the root."""
    children: tuple[tuple[int, ...], ...]
    """The nodes below each node; the nodes without any are the words, in their order."""

    @cached_property
    def heights(self) -> list[int]:
        """The longest way from each node down to a word."""
        heights: list[int] = []
        for below in self.children:
            heights.append(1 + max(heights[child] for child in below) if below else 0)
        return heights

    @property
    def text(self) -> str:
        """The words with blanks between them."""
        return " ".join(self.tokens)


def read_sentiment_tree(text: str) -> SentimentTree:
    """Read a tree in brackets, with a label at every node.

    >>> tree = read_sentiment_tree("(3 (2 It) (4 (2 is) (4 great)))")
    >>> tree.tokens, tree.labels, tree.children[-1], tree.heights
    (('It', 'is', 'great'), (2, 2, 4, 4, 3), (0, 3), [0, 0, 0, 1, 2])

    Raises:
        ValueError: If brackets do not match, or a label is not a digit from 0 to 4.
    """
    tokens: list[str] = []
    labels: list[int] = []
    children: list[tuple[int, ...]] = []
    open_nodes: list[tuple[int, list[int], list[str]]] = []
    roots: list[int] = []
    for part in re.findall(r"\(\s*[^\s()]*|\)|[^\s()]+", text):
        if part[0] == "(":
            open_nodes.append((_label(part[1:].strip()), [], []))
        elif part != ")":
            if not open_nodes:
                raise ValueError(f"{part[:60]!r} stands outside of all brackets")
            open_nodes[-1][2].append(plain_word(part))
        elif not open_nodes:
            raise ValueError("its brackets do not match")
        else:
            label, below, words = open_nodes.pop()
            if bool(words) == bool(below):
                raise ValueError("a node must hold a word, or other nodes")
            tokens += [" ".join(words)] if words else []  # a number such as 8 1/2 is one word
            labels.append(label)
            children.append(tuple(below))
            (open_nodes[-1][1] if open_nodes else roots).append(len(labels) - 1)
    if open_nodes or len(roots) != 1:
        raise ValueError("its brackets do not match")
    return SentimentTree(tuple(tokens), tuple(labels), tuple(children))


def _label(text: str) -> int:
    if text not in map(str, range(MOST_LABEL + 1)):
        raise ValueError(f"its labels must be 0 to {MOST_LABEL}. Got {text[:60]!r} instead")
    return int(text)


def read_sentiment_trees(path: Path) -> list[SentimentTree]:
    """Read a tree per line; errors name path and line."""
    trees = []
    for number, line in enumerate(read_lines(path, "file of trees"), start=1):
        try:
            trees.append(read_sentiment_tree(line))
        except ValueError as error:
            raise InputError(f"{path}:{number}: is not a tree: {error}. Got {line[:60]!r}; fix this line.") from None
    return trees


def tree_impurity(tree: SentimentTree) -> float:
    """Return how far the label of the root is from the mean of all labels, its own included.

    >>> round(tree_impurity(read_sentiment_tree("(3 (3 Cool) (2 ?))")), 2)
    0.33
    """
    return float(abs(tree.labels[-1] - np.mean(tree.labels)))


def weighted_node_switching(tree: SentimentTree, weight: Weight = "height") -> float:
    """Return the mean change of label from the children of a node to the node, which counts more nearer the root.

    Args:
        tree: The tree.
        weight: "height" of the node above words, or "normalised" by the height of the root.

    >>> weighted_node_switching(read_sentiment_tree("(0 (2 not) (4 (2 so) (4 good)))"))
    3.5
    """
    nodes = [node for node, below in enumerate(tree.children) if below]
    if not nodes:
        return 0.0
    whole = tree.heights[-1] if weight == "normalised" else 1
    switches = [abs(tree.labels[node] - _mean_label(tree, tree.children[node])) for node in nodes]
    return float(np.mean([tree.heights[node] / whole * switch for node, switch in zip(nodes, switches, strict=True)]))


def _mean_label(tree: SentimentTree, nodes: Sequence[int]) -> float:
    return float(np.mean([tree.labels[node] for node in nodes]))
