"""What a network costs to run on one text: multiplications and additions, counted apart, of its matrices.

Biases, activations, normalising and softmax are left out: they are small beside the products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Sizes(Protocol):
    """What the configuration of a text classifier says of its size."""

    @property
    def network(self) -> str: ...

    @property
    def widths(self) -> Sequence[int]: ...

    @property
    def filters(self) -> int: ...

    @property
    def states(self) -> int: ...


def classifier_flops(config: Sizes, dim: int, labels: int, words: int) -> int:
    """Return the cost of a text classifier.

    Args:
        config: Its network.
        dim: The length of word vectors; with tfidf, how many words are read at all.
        labels: How many labels there are.
        words: How many words the text has.
    """
    if config.network == "cnn":
        read = cnn_flops(dim, words, config.widths, config.filters)
        return read + dense_flops(len(config.widths) * config.filters, labels)
    if config.network in ("lstm", "attention"):
        return lstm_flops(dim, words, config.states) + dense_flops(2 * config.states, labels)
    return dense_flops(dim, labels) + (words * dim if config.network == "linear" else 0)


def dense_flops(inputs: int, outputs: int) -> int:
    """Return the cost of a dense layer.

    >>> dense_flops(300, 10)
    6000
    """
    return 2 * inputs * outputs


def cnn_flops(dim: int, words: int, widths: Sequence[int], filters: int) -> int:
    """Return the cost of filters over all windows of a text, which may reach over its ends."""
    return sum((words + width - 1) * dense_flops(width * dim, filters) for width in widths)


def lstm_flops(dim: int, words: int, states: int, directions: int = 2) -> int:
    """Return the cost of an LSTM: four gates that read the input and the state before.

    >>> lstm_flops(300, 1, 512, directions=1) == 8 * 512 * (512 + 300)
    True
    """
    return directions * words * 4 * dense_flops(dim + states, states)


def transformer_flops(layers: int, width: int, inner: int, pieces: int) -> int:
    """Return the cost of the layers of a transformer: four projections, attention, and the layer between."""
    projections, between = 4 * dense_flops(width, width), dense_flops(width, inner) + dense_flops(inner, width)
    return layers * pieces * (projections + between + 2 * dense_flops(width, pieces))
