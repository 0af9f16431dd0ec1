"""Attention over several sources of word vectors, trained with the tagger (Lange, Adel and Strötgen 2020).

A source is a table, pieces of words or a model; a word that a source does not have gets no weight from it.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from everyword.errors import InputError
from everyword.learning.characters import CharacterEncoder, SpeltWords
from everyword.learning.word_forms import WordForms
from everyword.learning.word_vectors import WordVectors
from everyword.space.combination import Combination, CombinerConfig
from everyword.systems.taggers.bilstm import TokenInput


class Combiner(nn.Module):
    """The vectors of several sources → one vector, and how much each source counts.

    Args:
        dims: The length of each source's vectors.
        config: How they are combined.
    """

    def __init__(self, dims: Sequence[int], config: CombinerConfig) -> None:
        super().__init__()
        if dims and min(dims) < 1:
            raise InputError(f"A combination needs sources with vectors of length 1 or more. Got {list(dims)}.")
        self.config, self.dims = config, tuple(dims)
        self.dim = sum(dims)
        """The length of a combined vector."""
        if config.kind == "concatenation" or not dims:
            return
        self.dim = config.width or max(dims)
        self.projections = nn.ModuleList(nn.Linear(dim, self.dim) for dim in dims)
        if config.kind != "mean":
            self.hidden = nn.Linear(self.dim, config.hidden, bias=False)
            self.score = nn.Linear(config.hidden, 1, bias=False)

    def forward(self, vectors: Sequence[Tensor], present: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Combine vectors.

        Args:
            vectors: For each source, (..., its length).
            present: (..., sources), whether a source has the word; by default whether its vector is not all zeros.

        Returns:
            The combined vectors, (..., dim), and the weights of the sources, (..., sources). The weights of a word add
            up to 1, or to 0 if no source has it. A concatenation has equal weights, which it does not use.
        """
        if present is None:
            present = torch.stack([(one != 0).any(dim=-1) for one in vectors], dim=-1)
        if self.config.kind == "concatenation":
            return torch.cat(list(vectors), dim=-1), _shares(present.to(vectors[0].dtype))
        projected = torch.stack([layer(one) for layer, one in zip(self.projections, vectors, strict=True)], dim=-2)
        if self.config.kind != "linear-attention":
            projected = torch.tanh(projected)
        weights = self._weights(projected, present)
        return (weights[..., None] * projected).sum(dim=-2), weights

    def _weights(self, projected: Tensor, present: Tensor) -> Tensor:
        if self.config.kind == "mean":
            return _shares(present.to(projected.dtype))
        scores = self.score(torch.tanh(self.hidden(projected))).squeeze(-1)
        # Not minus infinity: a word that no source has would get NaN, and so would all gradients.
        lowest = torch.finfo(scores.dtype).min
        return torch.softmax(scores.masked_fill(~present, lowest), dim=-1) * present

    @torch.no_grad()
    def frozen(self, names: Sequence[str]) -> Combination:
        """Return the combination as it is now, for use without torch."""
        weights: dict[str, Tensor] = {}
        if self.config.kind != "concatenation":
            for number, layer in enumerate(self.projections):
                weights[f"projection.{number}"], weights[f"bias.{number}"] = layer.weight, layer.bias  # type: ignore[assignment]
        if self.config.kind not in ("concatenation", "mean"):
            weights["hidden"], weights["score"] = self.hidden.weight, self.score.weight[0]
        return Combination(
            self.config.kind, names, {name: weight.detach().cpu().numpy().copy() for name, weight in weights.items()}
        )


class SourceInput(TokenInput):
    """Rows of words → their combined vectors, and what a character encoder makes of their spelling, if there is one.

    The vectors of all sources stand side by side in `words`.
    """

    def __init__(
        self,
        words: WordVectors,
        dims: Sequence[int],
        config: CombinerConfig,
        characters: CharacterEncoder | None = None,
        forms: WordForms | None = None,
    ) -> None:
        super().__init__()
        self.combiner = Combiner(dims, config)
        self.forms = forms
        self.characters = characters.module if characters is not None else None
        self._ids = characters.ids if characters is not None else None
        self.use(words)
        self.dim = self.combiner.dim + sum(part.dim for part in (characters, forms) if part is not None)

    def use(self, words: WordVectors) -> None:
        """Read other rows from now on."""
        self.words = words
        self.spelt = SpeltWords(words, self._ids) if self._ids is not None else None
        if self.forms is not None:
            self.forms.use(words)

    def forward(self, rows: Tensor) -> Tensor:
        """Rows (sentences, positions) → (sentences, positions, dim)."""
        # A word that stands in the batch several times is combined and spelt once.
        distinct, index = torch.unique(rows, return_inverse=True)
        parts = [self.combined(distinct)[0]]
        if self.spelt is not None and self.characters is not None:
            parts.append(self.spelt.read_distinct(self.characters, distinct))
        found = torch.cat(parts, dim=1)[index]
        return found if self.forms is None else torch.cat([found, *self.forms.beside(rows)], dim=2)

    def combined(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return the combined vectors of rows, and the weights of the sources."""
        found = self.words.look_up(rows)
        if not self.combiner.dims:
            return found, found
        present = torch.stack([(one != 0).any(dim=-1) for one in self._split(found)], dim=-1)
        if self.forms is not None:
            found = self.forms.tune(rows, found)
        vectors, weights = self.combiner(self._split(found), present)
        return vectors, weights

    def _split(self, vectors: Tensor) -> Sequence[Tensor]:
        return torch.split(vectors, list(self.combiner.dims), dim=-1)


def _shares(present: Tensor) -> Tensor:
    return present / present.sum(dim=-1, keepdim=True).clamp(min=1)
