"""Attributes of words inside a language model: vectors of attributes that are added to those of words, and predicted.

word vector     w + mean of x_s over the attributes s of the word; w alone if it has none
prediction      p(s) = sigmoid(x_s . h + b_s), with the same x_s
unknown word    mean of x_s, if the lexicon knows the word
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from everyword.arrays import IndexArray

START_DEVIATION = 0.02
"""Of the first vectors of attributes, as BERT's of words."""

Attributes = Callable[[str], Sequence[str]]
"""Word → its attributes."""


@dataclass(frozen=True)
class AttributeTable:
    """The attributes of the words of a vocabulary, as numbers from 1."""

    names: list[str]
    ids: IndexArray
    """The attributes of each word (words, most attributes of a word); 0 fills up."""

    @classmethod
    def collect(cls, words: Sequence[str], attributes: Attributes, min_words: int = 1) -> AttributeTable:
        """Collect the attributes that at least `min_words` words have."""
        lists = [attributes(word) for word in words]
        counts = Counter(name for found in lists for name in dict.fromkeys(found))
        names = [name for name, count in counts.items() if count >= min_words]
        return cls(names, _padded(lists, names))

    def of(self, words: Sequence[str], attributes: Attributes) -> IndexArray:
        """Return the numbers of the attributes of other words; attributes that are not in the table are left out."""
        return _padded([attributes(word) for word in words], self.names)


def _padded(lists: Sequence[Sequence[str]], names: Sequence[str]) -> IndexArray:
    numbers = {name: number for number, name in enumerate(names, start=1)}
    found = [[numbers[name] for name in dict.fromkeys(one) if name in numbers] for one in lists]
    ids = np.zeros((len(found), max([1, *map(len, found)])), dtype=np.int64)
    for row, own in zip(ids, found, strict=True):
        row[: len(own)] = own
    return ids


class AttributeEmbedding(nn.Embedding):
    """The input vectors of words in a language model: each word's own plus the mean of its attributes' vectors.

    Args:
        own: The word vectors, which stay tied to whatever else they are tied to.
        table: The attributes of the vocabulary.
        embed: Whether attributes are added to the word vectors.
        predict: Whether attributes are predicted.
        seed: Seed of the first vectors of attributes.
    """

    ids: Tensor

    def __init__(
        self, own: nn.Embedding, table: AttributeTable, *, embed: bool = True, predict: bool = True, seed: int = 0
    ) -> None:
        super().__init__(own.num_embeddings, own.embedding_dim, own.padding_idx, _weight=own.weight.data)
        self.weight, self.embed = own.weight, embed
        generator = torch.Generator().manual_seed(seed)
        start = START_DEVIATION * torch.randn(len(table.names) + 1, own.embedding_dim, generator=generator)
        start[0] = 0.0
        self.attributes = nn.Parameter(start)
        """By number; the first row is of no attribute."""
        self.bias = nn.Parameter(torch.zeros(len(table.names))) if predict else None
        self.register_buffer("ids", torch.from_numpy(table.ids), persistent=False)

    def add_words(self, ids: IndexArray) -> None:
        """Let numbers beyond the vocabulary stand for words without a vector of their own, given their attributes."""
        known = self.ids[: self.num_embeddings].cpu().numpy()
        both = np.zeros((len(known) + len(ids), max(known.shape[1], ids.shape[1])), dtype=np.int64)
        both[: len(known), : known.shape[1]] = known
        both[len(known) :, : ids.shape[1]] = ids
        self.ids = torch.from_numpy(both).to(self.ids.device)

    def forward(self, input: Tensor) -> Tensor:
        """Return the vectors of words by number."""
        known = input < self.num_embeddings
        own = F.embedding(torch.where(known, input, 0), self.weight, self.padding_idx) * known[..., None]
        return own + self.means(self.ids[input]) if self.embed else own

    def means(self, ids: Tensor) -> Tensor:
        """Return the means of the vectors of some attributes, given as rows of numbers; zero for none."""
        found = F.embedding_bag(ids.flatten(0, -2), self.attributes, mode="mean", padding_idx=0)
        return found.view(*ids.shape[:-1], -1)

    def logits(self, states: Tensor) -> Tensor:
        """Return the log-odds of each attribute after states (states, dim)."""
        return F.linear(states, self.attributes[1:], self.bias)


def attribute_loss(logits: Tensor, ids: Tensor) -> Tensor:
    """Return the mean over states and attributes of the binary cross-entropy.

    Args:
        logits: The log-odds of each attribute (states, attributes).
        ids: The numbers of the attributes that are right (states, most), from 1; 0 fills up.
    """
    right = torch.zeros(len(logits), logits.shape[1] + 1, device=logits.device)
    return F.binary_cross_entropy_with_logits(logits, right.scatter_(1, ids, 1.0)[:, 1:])


def folded(network: Any) -> Any:
    """Return a copy of a model of transformers whose word vectors include those of their attributes.

    It needs nothing of everyword any more; its input is no longer tied to its output.
    """
    plain = deepcopy(network)
    layer = plain.get_input_embeddings()
    with torch.no_grad():
        vectors = layer.weight + layer.means(layer.ids[: layer.num_embeddings]) if layer.embed else layer.weight
    words, dim = vectors.shape
    replacement = nn.Embedding(words, dim, padding_idx=layer.padding_idx, _weight=vectors.clone())
    plain.set_input_embeddings(replacement)
    output = plain.get_output_embeddings()
    output.weight, output.bias = (nn.Parameter(own.detach().clone()) for own in (output.weight, output.bias))
    plain.config.tie_word_embeddings = False
    return plain
