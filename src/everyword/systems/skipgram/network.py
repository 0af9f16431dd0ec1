"""The table of context vectors, the projection of centres, and the loss.

A window is a band in the square of a sentence's words: all products of its centres and its context words are one matrix
product, whatever the window, and its end needs no padding of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from everyword.language_models.language_model import LanguageModel
from everyword.language_models.pooling import mean_of_positions
from everyword.systems.skipgram.config import Weighing
from everyword.systems.skipgram.sampling import Batch


def centre_states(model: LanguageModel, batch: Batch, layers: Sequence[int]) -> Tensor:
    """Return the mean output of a frozen encoder over each centre's pieces; it reads each sentence once."""
    # More pieces at once would make a CPU slower and a GPU no faster.
    at_once = max(1, model.pieces_per_batch // max(1, batch.pieces.shape[1]))
    parts = zip(torch.split(batch.pieces, at_once), torch.split(batch.mask, at_once), strict=True)
    outputs = [model.forward(pieces, mask, layers) for pieces, mask in parts]
    return mean_of_positions(torch.cat(outputs), batch.positions, batch.owners, batch.sizes)


class ContextTable(nn.Module):
    """The trained network; the encoder is not part of it, so nothing can change it.

    A `sparse` table has gradients for the rows of a batch only, which a CPU is quicker with; to find those rows would
    make a GPU wait, which has gone over the whole table sooner.
    """

    def __init__(self, words: int, encoder_dim: int, dim: int, *, seed: int = 0, sparse: bool = True) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        spread = 1 / (2 * dim)
        vectors = torch.empty(words, dim).uniform_(-spread, spread, generator=generator)
        self.table = nn.Embedding(words, dim, _weight=vectors, sparse=sparse)
        self.projection = nn.Parameter(torch.empty(dim, encoder_dim))
        nn.init.xavier_uniform_(self.projection, generator=generator)
        self.mean: Tensor | None
        self.spread: Tensor | None
        self.register_buffer("mean", None)
        self.register_buffer("spread", None)

    def standardise(self, mean: Tensor, spread: Tensor) -> None:
        """Subtract this mean from all outputs of the encoder, and divide them by this spread, before the projection."""
        device = self.projection.device
        self.mean, self.spread = mean.float().to(device), spread.float().to(device)

    def vectors(self, *rows: Tensor) -> list[Tensor]:
        """Return the vectors of rows of any shapes."""
        return look_up(self.table, *rows)

    def project(self, states: Tensor) -> Tensor:
        """Map outputs of the encoder into the space of the table."""
        return self.standardised(states) @ self.projection.T

    def standardised(self, states: Tensor) -> Tensor:
        """Return outputs of the encoder as they are projected."""
        return states if self.mean is None or self.spread is None else (states - self.mean) / self.spread


def look_up(table: nn.Embedding, *rows: Tensor) -> list[Tensor]:
    """Return the vectors of rows of any shapes; in a sparse table each row is looked up once for all of them."""
    flat = torch.cat([some.flatten() for some in rows])
    if table.sparse:
        touched, flat = torch.unique(flat, return_inverse=True)
        found = table(touched).index_select(0, flat)
    else:
        found = table.weight.index_select(0, flat)
    parts = torch.split(found, [some.numel() for some in rows])
    return [part.view(*some.shape, -1) for part, some in zip(parts, rows, strict=True)]


def products_in_sentences(projected: Tensor, centres: Tensor, context: Tensor) -> Tensor:
    """Return the product of each centre with all words of its sentence (centres, words).

    `context` (sentences, words, dim) has the vectors of all words, `centres` the flat indices of the projected ones.
    """
    sentences, words, dim = context.shape
    square = projected.new_zeros(sentences * words, dim).index_copy(0, centres, projected)
    products = torch.bmm(square.view(sentences, words, dim), context.transpose(1, 2))
    return products.view(sentences * words, words)[centres]


def band(rows: Tensor, window: int, *, own_word: bool = False) -> Tensor:
    """Return which words of a sentence are in the window of which (sentences, words, words).

    >>> band(torch.tensor([[4, 5, 6, -1]]), 1).int().tolist()
    [[[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 1, 0]]]
    """
    index = torch.arange(rows.shape[1], device=rows.device)
    distance = (index[:, None] - index).abs()
    near = (distance <= window) & ((distance > 0) | own_word)
    return near & (rows >= 0)[:, None, :]


def attention(products: Tensor, mask: Tensor, weighing: Weighing = "attention", dim: int = 1) -> Tensor:
    """Return the weights of the context words of each centre: they sum to 1, or all are 0 where there is none."""
    if weighing in ("attention", "scaled-attention"):
        scaled = products / dim**0.5 if weighing == "scaled-attention" else products
        # A centre without context must get no NaN, not even in a gradient.
        weights = scaled.masked_fill(~mask, torch.finfo(products.dtype).min).softmax(dim=1)
        return weights * mask
    return mask / mask.sum(dim=1, keepdim=True).clamp(min=1)


def skipgram_loss(
    products: Tensor, mask: Tensor, against: Tensor, share: Tensor, weights: Tensor | None = None
) -> Tensor:
    """Return the negative-sampling loss, summed over centres.

    `products` (centres, words) under `mask` are those of the context, `against` (centres, negatives) those of the
    negative samples, each of which weighs `share`. Without `weights`, every context word is a pair of its own, as in
    word2vec, and all pairs of a centre share its negatives; with them the context is one mixture, whose product is the
    mixture of the products.
    """
    context_words = mask.sum(dim=1)
    other = -(F.logsigmoid(-against) * share).sum(dim=1)
    if weights is None:
        own = -(F.logsigmoid(products) * mask).sum(dim=1)
        return (own + context_words * other).sum()
    own = -F.logsigmoid((weights * products).sum(dim=1))
    return ((own + other) * (context_words > 0)).sum()


def weighted_sums(owners: Tensor, count: int, rows: Tensor, table: Tensor, weights: Tensor) -> Tensor:
    """Return for each owner the sum of the rows of a table that it has, by their weights; nothing is copied for it.

    Args:
        owners: Which sum each row goes into, from 0 to `count` - 1.
        count: The number of sums.
        rows: Rows of the table, as many as owners.
        table: (rows, dim).
        weights: Of each row.

    >>> owners, rows, weights = torch.tensor([2, 0, 2]), torch.tensor([0, 1, 1]), torch.tensor([1.0, 2.0, 3.0])
    >>> weighted_sums(owners, 3, rows, torch.eye(2), weights).tolist()
    [[0.0, 2.0], [0.0, 0.0], [1.0, 3.0]]
    """
    order = owners.argsort(stable=True)
    starts = torch.searchsorted(owners[order], torch.arange(count, device=owners.device))
    return F.embedding_bag(rows[order], table, starts, mode="sum", per_sample_weights=weights[order])
