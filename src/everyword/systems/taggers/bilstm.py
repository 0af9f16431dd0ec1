"""A BiLSTM tagger over words, with a CRF or independent tags (Lample et al. 2016)."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from everyword.learning.word_vectors import PADDING, WordVectors
from everyword.systems.taggers.characters import CharacterEncoder
from everyword.systems.taggers.crf import CRF, mask_of
from everyword.systems.taggers.inputs import FROZEN, Input


class TokenInput(nn.Module):
    """Rows of words (sentences, positions) → inputs of the LSTM (sentences, positions, dim)."""

    dim: int


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
        self.reads = characters.ids if characters is not None else None
        self.characters = characters.module if characters is not None else None
        self.dim = characters.dim if characters is not None else 0
        self._ids: list[Tensor] = [torch.zeros(1, dtype=torch.int64)]
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
        if self.characters is not None:
            parts.append(self._spelt(rows))
        return torch.cat(parts, dim=2)

    def _with_unknown(self, rows: Tensor) -> Tensor:
        seen = rows.clamp(max=self.trained_rows)
        if not self.training:
            return seen
        # Half of the words seen once are read as unknown, or the unknown row would never be trained.
        once = self.rare.to(rows.device)[seen.clamp(max=self.trained_rows - 1)]
        return seen.masked_fill(once & (torch.rand(rows.shape, device=rows.device) < 0.5), self.trained_rows)

    def _spelt(self, rows: Tensor) -> Tensor:
        assert self.characters is not None
        assert self.reads is not None
        for token in self.words.tokens[len(self._ids) :]:
            self._ids.append(torch.tensor(list(self.reads(token)), dtype=torch.int64))
        distinct, index = torch.unique(rows, return_inverse=True)
        padded = int(distinct[0]) == PADDING
        ids = pad_sequence([self._ids[row] for row in distinct[int(padded) :].tolist()], batch_first=True)
        spelt = self.characters(ids.to(rows.device))
        if padded:
            spelt = torch.cat([spelt.new_zeros(1, spelt.shape[1]), spelt])
        found: Tensor = spelt[index]
        return found


class SharedFeatures(nn.Module):
    """F(x) = tanh(W x), one map for the words of all languages, on which a language adversary can act."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.map = nn.Linear(dim, dim, bias=False)

    def forward(self, inputs: Tensor) -> Tensor:
        """Inputs (..., dim) → features (..., dim)."""
        return torch.tanh(self.map(inputs))


class Tagger(nn.Module):
    """Words → BiLSTM → tags; with `shared`, words → shared features → BiLSTM → tags."""

    def __init__(
        self, read: TokenInput, tags: int, *, hidden: int, dropout: float, crf: bool, shared: bool = False
    ) -> None:
        super().__init__()
        each_way = hidden // 2
        self.read = read
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(read.dim, each_way, batch_first=True, bidirectional=True)
        self.crf = CRF(tags) if crf else None
        # Without a CRF a hidden layer stands before the tags, as in Stratos's reconstruction paper.
        layers = [] if crf else [nn.Linear(2 * each_way, each_way), nn.ReLU()]
        self.output = nn.Sequential(*layers, nn.Linear(2 * each_way if crf else each_way, tags))
        self.shared = SharedFeatures(read.dim) if shared else nn.Identity()

    def features(self, rows: Tensor) -> Tensor:
        """Return what the LSTM reads: rows (sentences, positions) → (sentences, positions, dim)."""
        features: Tensor = self.shared(self.dropout(self.read(rows)))
        return features

    def emissions(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Return a score for each tag at each position."""
        packed = pack_padded_sequence(self.features(rows), lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        scores: Tensor = self.output(self.dropout(states))
        return scores

    def loss(self, rows: Tensor, lengths: Tensor, tags: Tensor) -> Tensor:
        """Return the negative log-likelihood per token."""
        emissions, inside = self.emissions(rows, lengths), mask_of(lengths, rows.shape[1])
        if self.crf is not None:
            return self.crf.loss(emissions, tags, inside)
        return F.cross_entropy(emissions[inside], tags[inside])

    @torch.no_grad()
    def best(self, rows: Tensor, lengths: Tensor) -> list[list[int]]:
        """Return the tags of each sentence."""
        emissions = self.emissions(rows, lengths)
        if self.crf is not None:
            return self.crf.decode(emissions, mask_of(lengths, rows.shape[1]))
        tags = emissions.argmax(dim=2).tolist()
        return [row[:length] for row, length in zip(tags, lengths.tolist(), strict=True)]
