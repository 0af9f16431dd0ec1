"""What taggers read of words when vectors are compared: vectors that stay, a trained lookup, characters."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from everyword.evaluation.tasks.extrinsic.inputs import FROZEN, Input
from everyword.learning.characters import CharacterEncoder, SpeltWords
from everyword.learning.word_vectors import PADDING, WordVectors
from everyword.systems.taggers.bilstm import TokenInput


class WordInput(TokenInput):
    """Rows of words → a vector, characters or both. The word vectors themselves stay outside and are never trained."""

    def __init__(
        self,
        kind: Input,
        words: WordVectors,
        *,
        trained_rows: int,
        rare: Tensor,
        lookup: int,
        characters: CharacterEncoder | None,
    ) -> None:
        super().__init__()
        self.kind, self.words, self.trained_rows = kind, words, trained_rows
        self.rare = rare
        """For each row of train, whether the word occurs only once."""
        self.characters = characters.module if characters is not None else None
        self.spelt = SpeltWords(words, characters.ids) if characters is not None else None
        self.dim = characters.dim if characters is not None else 0
        if kind == "full":
            # One more row for all words that train does not show.
            self.lookup = nn.Embedding(trained_rows + 1, lookup, padding_idx=PADDING)
            nn.init.uniform_(self.lookup.weight[1:].detach(), -((3 / lookup) ** 0.5), (3 / lookup) ** 0.5)
            self.dim += lookup
        elif kind == "full+emb":
            # What training adds to a vector. A word that train does not show keeps the vector as it is.
            self.lookup = nn.Embedding(trained_rows, words.dim, padding_idx=PADDING)
            nn.init.zeros_(self.lookup.weight)
            self.dim += words.dim
        elif kind in FROZEN:
            self.dim += words.dim

    def forward(self, rows: Tensor) -> Tensor:
        """Rows (sentences, positions) → (sentences, positions, dim)."""
        parts = []
        if self.kind in FROZEN:
            parts.append(self.words.look_up(rows))
        elif self.kind == "full+emb":
            parts.append(self.words.look_up(rows) + self.lookup(rows.masked_fill(rows >= self.trained_rows, PADDING)))
        elif self.kind == "full":
            parts.append(self.lookup(self._with_unknown(rows)))
        if self.spelt is not None and self.characters is not None:
            parts.append(self.spelt.read(self.characters, rows))
        return torch.cat(parts, dim=2)

    def _with_unknown(self, rows: Tensor) -> Tensor:
        seen = rows.clamp(max=self.trained_rows)
        if not self.training:
            return seen
        # Half of the words seen once are read as unknown, or the unknown row would never be trained.
        once = self.rare.to(rows.device)[seen.clamp(max=self.trained_rows - 1)]
        return seen.masked_fill(once & (torch.rand(rows.shape, device=rows.device) < 0.5), self.trained_rows)
