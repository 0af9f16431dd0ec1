"""Tree reconstruction error: how well can the vector of a whole be rebuilt from vectors of its parts by a fixed rule?

Each word gets a vector of its own, the rule composes them up the tree, and the words' vectors are fitted so that the
roots point where the given vectors do (Andreas, 2019). What remains is the error: 1 − cosine. A vector per word can
learn many wholes by heart, so two more numbers belong to an error: that of other trees with the same words (`apply`),
and that of trees that were given the vectors of other trees.

The rules: "sum" is blind to the shape of the tree and to order; "weighted-sum" takes less of the left part than of the
right; "tanh" turns both parts by different fixed rotations, adds them and bends the sum. Everything is NumPy: each node
has one parent, so gradients flow down level by level.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.config import Count, Natural, Positive
from everyword.errors import InputError
from everyword.models.retrieval.runs import run_sums
from everyword.vectors.neighbours import unit_rows

Rule = Literal["sum", "weighted-sum", "tanh"]
DECAY, EPSILON = 0.99, 1e-8
"""Of RMSProp."""
TINY = 1e-12


class Tree(Protocol):
    """Words, and nodes of which children come before their parent; nodes without children are the words in order."""

    @property
    def tokens(self) -> Sequence[str]:
        """The words."""

    @property
    def children(self) -> Sequence[Sequence[int]]:
        """The nodes below each node."""


@dataclass(frozen=True)
class Chain:
    """A tree without a given shape: each part is joined to all that follow it, such as the morphemes of a word.

    >>> Chain(("un", "break", "able")).children
    ((), (), (), (1, 2), (0, 3))
    """

    tokens: tuple[str, ...]

    @property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The nodes below each node."""
        count = len(self.tokens)
        joined = [(count - 1 - place, count + place - 2 if place > 1 else count - 1) for place in range(1, count)]
        return ((),) * count + tuple(joined)


@dataclass(frozen=True)
class ReconstructionConfig:
    """How wholes are composed, and how vectors of words are fitted."""

    rule: Rule = "sum"
    left: Positive = 0.8
    right: Positive = 1.2
    """How much of either part a weighted sum takes."""
    steps: Count = 400
    rate: Positive = 0.01
    """Of the first step; it falls linearly to 0."""
    start: Positive = 0.1
    """Standard deviation of the first vectors: at zero, a cosine is undefined."""
    seed: Natural = 0


class Level(NamedTuple):
    """Nodes whose parts are all below them, with the nodes of either part."""

    nodes: IndexArray
    left: IndexArray
    right: IndexArray


@dataclass(frozen=True)
class Forest:
    """Trees of two parts per node, ready to be composed together; a node with more parts begins with its first."""

    nodes: int
    leaves: IndexArray
    words: IndexArray
    """The word of each leaf; -1 for a word that was not fitted."""
    levels: Sequence[Level]
    roots: IndexArray

    @classmethod
    def of(cls, trees: Sequence[Tree], words: dict[str, int], *, grow: bool) -> Forest:
        """Lay out trees; with `grow`, new words are added to `words`."""
        leaves, ids, roots = [], [], []
        joined: list[tuple[int, int, int, int]] = []
        count = 0
        for tree in trees:
            tokens, place, heights = iter(tree.tokens), [0] * len(tree.children), {}
            for node, below in enumerate(tree.children):
                if not below:
                    word = next(tokens)
                    leaves.append(count)
                    ids.append(words.setdefault(word, len(words)) if grow else words.get(word, -1))
                    place[node], heights[count], count = count, 0, count + 1
                    continue
                right = place[below[-1]]
                for child in reversed(below[:-1]):
                    heights[count] = 1 + max(heights[place[child]], heights[right])
                    joined.append((heights[count], count, place[child], right))
                    right, count = count, count + 1
                place[node] = right
            roots.append(place[-1])
        return cls(count, np.array(leaves), np.array(ids), _levels(joined), np.array(roots))


def _levels(joined: list[tuple[int, int, int, int]]) -> list[Level]:
    rows = np.array(sorted(joined), dtype=np.int64).reshape(-1, 4)
    parts = np.split(rows, np.flatnonzero(np.diff(rows[:, 0])) + 1) if len(rows) else []
    return [Level(*part[:, 1:].T) for part in parts]


@dataclass(frozen=True)
class Turn:
    """A rotation that is cheap: coordinates move on by some places, and change signs."""

    shift: int
    signs: FloatArray

    @classmethod
    def drawn(cls, dim: int, rng: np.random.Generator) -> Turn:
        """Draw a rotation at random."""
        return cls(int(rng.integers(dim)), rng.choice(np.array([-1, 1], dtype=np.float32), dim))

    def __call__(self, rows: FloatArray) -> FloatArray:
        """Turn rows."""
        turned: FloatArray = np.roll(rows, self.shift, axis=1) * self.signs
        return turned

    def undone(self, rows: FloatArray) -> FloatArray:
        """Turn rows back, as gradients are."""
        turned: FloatArray = np.roll(rows * self.signs, -self.shift, axis=1)
        return turned


class Composer:
    """Composes a forest by a rule, and brings gradients of its roots down to words."""

    def __init__(self, forest: Forest, config: ReconstructionConfig, dim: int) -> None:
        rng = np.random.default_rng(config.seed)
        self.forest, self.bends, self._turns = (
            forest,
            config.rule == "tanh",
            (Turn.drawn(dim, rng), Turn.drawn(dim, rng)),
        )
        self._fitted = np.flatnonzero(forest.words >= 0)
        self._states = np.zeros((0, dim), dtype=np.float32)
        self._dim = dim
        if not self.bends:
            shares = (1.0, 1.0) if config.rule == "sum" else (config.left, config.right)
            self._weights, self._tree = _linear(forest, *shares)

    def up(self, vectors: FloatArray) -> FloatArray:
        """Return the vectors of the roots; words that were not fitted count as zeros."""
        some, rows = self._fitted, vectors[self.forest.words[self._fitted]]
        if not self.bends:
            return _added(self._weights[some, None] * rows, self._tree[some], len(self.forest.roots))
        self._states = np.zeros((self.forest.nodes, self._dim), dtype=np.float32)
        self._states[self.forest.leaves[some]] = rows
        for level in self.forest.levels:
            turned = self._turns[0](self._states[level.left]) + self._turns[1](self._states[level.right])
            self._states[level.nodes] = np.tanh(turned)
        return self._states[self.forest.roots]

    def down(self, slopes: FloatArray, words: int) -> FloatArray:
        """Return the gradient of the words' vectors, given that of the roots, after `up`."""
        if not self.bends:
            return _added(self._weights[:, None] * slopes[self._tree], self.forest.words, words)
        given = np.zeros_like(self._states)
        given[self.forest.roots] = slopes
        for level in reversed(self.forest.levels):
            above = given[level.nodes] * (1 - self._states[level.nodes] ** 2)
            given[level.left], given[level.right] = (turn.undone(above) for turn in self._turns)
        return _added(given[self.forest.leaves], self.forest.words, words)


def _linear(forest: Forest, left: float, right: float) -> tuple[FloatArray, IndexArray]:
    """Return how much each leaf counts in the sum that is its root, and which root that is."""
    weights, tree = np.zeros(forest.nodes), np.zeros(forest.nodes, dtype=np.int64)
    weights[forest.roots], tree[forest.roots] = 1.0, np.arange(len(forest.roots))
    for level in reversed(forest.levels):
        for part, share in ((level.left, left), (level.right, right)):
            weights[part], tree[part] = share * weights[level.nodes], tree[level.nodes]
    return weights[forest.leaves].astype(np.float32), tree[forest.leaves]


def _added(rows: FloatArray, groups: IndexArray, count: int) -> FloatArray:
    """Return the sum of the rows of each group."""
    order = np.argsort(groups, kind="stable")
    found, firsts = np.unique(groups[order], return_index=True)
    sums = np.zeros((count, rows.shape[1]), dtype=np.float32)
    if len(found):
        sums[found] = run_sums(rows[order], firsts)
    return sums


@dataclass(frozen=True)
class Reconstruction:
    """Fitted vectors of words and the rule that composes them."""

    config: ReconstructionConfig
    words: dict[str, int]
    vectors: FloatArray
    errors: FloatArray
    """1 − cosine of each tree that it was fitted to."""

    def compose(self, trees: Sequence[Tree]) -> FloatArray:
        """Return the composed vectors of trees; words that were not fitted count as zeros."""
        forest = Forest.of(trees, dict(self.words), grow=False)
        return Composer(forest, self.config, self.vectors.shape[1]).up(self.vectors)

    def apply(self, trees: Sequence[Tree], wanted: FloatArray) -> FloatArray:
        """Return the errors of other trees."""
        return _errors(self.compose(trees), unit_rows(wanted))


def reconstruct(
    trees: Sequence[Tree],
    wanted: FloatArray,
    config: ReconstructionConfig | None = None,
    *,
    progress: Callable[[int], object] = lambda step: None,
) -> Reconstruction:
    """Fit vectors of words so that trees, composed by a rule, point where the given vectors do.

    Args:
        trees: A tree for each vector.
        wanted: What is to be rebuilt, a row per tree.
        config: The rule, and how vectors are fitted.
        progress: Called after each step with its number.

    Returns:
        The fitted vectors, with the error of each tree.

    Raises:
        InputError: If there is not a vector for each tree.
    """
    if len(trees) != len(wanted) or not trees:
        raise InputError(f"Each tree needs a vector. Got {len(trees)} trees and {len(wanted)} vectors.")
    options, words = config or ReconstructionConfig(), dict[str, int]()
    forest = Forest.of(trees, words, grow=True)
    composer, targets = Composer(forest, options, wanted.shape[1]), unit_rows(wanted)
    rng = np.random.default_rng([options.seed, 1])
    vectors = rng.normal(scale=options.start, size=(len(words), wanted.shape[1])).astype(np.float32)
    squares = np.zeros_like(vectors)
    for step in range(options.steps):
        slope = composer.down(_slopes(composer.up(vectors), targets), len(words))
        squares *= np.float32(DECAY)
        squares += np.float32(1 - DECAY) * slope**2
        rate = np.float32(options.rate * (1 - step / options.steps))
        vectors -= rate * slope / (np.sqrt(squares) + np.float32(EPSILON))
        progress(step)
    return Reconstruction(options, words, vectors, _errors(composer.up(vectors), targets))


def _errors(roots: FloatArray, targets: FloatArray) -> FloatArray:
    errors: FloatArray = 1 - np.einsum("ij,ij->i", unit_rows(roots), targets)
    return errors


def _slopes(roots: FloatArray, targets: FloatArray) -> FloatArray:
    """Return the gradient of 1 − cosine by the composed vectors."""
    lengths = np.maximum(np.linalg.norm(roots, axis=1, keepdims=True), np.float32(TINY))
    units = roots / lengths
    cosines = np.einsum("ij,ij->i", units, targets)[:, None]
    slopes: FloatArray = (units * cosines - targets) / lengths
    return slopes
