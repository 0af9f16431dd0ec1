"""A BiLSTM tagger over words, with a CRF or independent tags (Lample et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from everyword.learning.characters import CharacterEncoder, SpeltWords
from everyword.learning.crf import CRF, Barred, mask_of
from everyword.learning.word_vectors import PADDING, WordVectors
from everyword.systems.taggers.experts import EntityExperts, EntityTask
from everyword.systems.taggers.sources import FROZEN, Input


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


class SharedFeatures(nn.Module):
    """F(x) = tanh(W x), one map for the words of all languages, on which a language adversary can act."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.map = nn.Linear(dim, dim, bias=False)

    def forward(self, inputs: Tensor) -> Tensor:
        """Inputs (..., dim) → features (..., dim)."""
        return torch.tanh(self.map(inputs))


@dataclass(frozen=True)
class EntityHeads:
    """What is learnt beside the tags of entities."""

    categories: tuple[int, ...]
    """The number of the category of each tag; 0 is outside of entities."""
    experts: int = 0
    """The length of an expert's output; 0 for a tagger without experts."""
    entity_task: bool = False
    """Whether it also learns which tokens are entities, of whatever kind."""


class Tagger(nn.Module):
    """Words → BiLSTM → tags; with `shared`, words → shared features → BiLSTM → tags.

    Args:
        read: From rows of words to inputs.
        tags: Number of tags.
        hidden: States of the LSTM, both directions together.
        dropout: Of its inputs and its states.
        crf: Whether tags are scored together.
        shared: Whether a trained map stands before the LSTM.
        layers: Of the LSTM.
        entities: What is learnt beside the tags.
    """

    def __init__(
        self,
        read: TokenInput,
        tags: int,
        *,
        hidden: int,
        dropout: float,
        crf: bool,
        shared: bool = False,
        layers: int = 1,
        entities: EntityHeads | None = None,
    ) -> None:
        super().__init__()
        each_way = hidden // 2
        self.read = read
        self.dropout = nn.Dropout(dropout)
        between = dropout if layers > 1 else 0.0
        self.lstm = nn.LSTM(read.dim, each_way, layers, batch_first=True, bidirectional=True, dropout=between)
        self.crf = CRF(tags) if crf else None
        entities = entities or EntityHeads(())
        dim = entities.experts or 2 * each_way
        # Without a CRF a hidden layer stands before the tags, as in Stratos's reconstruction paper.
        layer = [] if crf else [nn.Linear(dim, each_way), nn.ReLU()]
        self.output = nn.Sequential(*layer, nn.Linear(dim if crf else each_way, tags))
        self.shared = SharedFeatures(read.dim) if shared else nn.Identity()
        self.category: Tensor
        self.register_buffer("category", torch.tensor(entities.categories, dtype=torch.int64), persistent=False)
        count = max(entities.categories, default=0) + 1
        self.experts = EntityExperts(2 * each_way, entities.experts, count) if entities.experts else None
        self.entity_task = EntityTask(2 * each_way) if entities.entity_task else None

    def features(self, rows: Tensor) -> Tensor:
        """Return what the LSTM reads: rows (sentences, positions) → (sentences, positions, dim)."""
        features: Tensor = self.shared(self.dropout(self.read(rows)))
        return features

    def states(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Return what the LSTM says of each token."""
        packed = pack_padded_sequence(self.features(rows), lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        found: Tensor = self.dropout(states)
        return found

    def emissions(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Return a score for each tag at each position."""
        return self._emissions(self.states(rows, lengths))[0]

    def gate(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Return how much each expert counts at each position, (sentences, positions, experts)."""
        if self.experts is None:
            raise ValueError("This tagger has no experts.")
        return F.softmax(self.experts(self.states(rows, lengths))[1], dim=-1)

    def loss(self, rows: Tensor, lengths: Tensor, tags: Tensor) -> Tensor:
        """Return the negative log-likelihood per token, with the losses of what is learnt beside the tags."""
        states, inside = self.states(rows, lengths), _inside(rows, lengths)
        emissions, gate = self._emissions(states)
        total = (
            F.cross_entropy(emissions[inside], tags[inside])
            if self.crf is None
            else self.crf.loss(emissions, tags, inside)
        )
        if gate is not None:
            total = total + F.cross_entropy(gate[inside], self.category[tags[inside]])
        if self.entity_task is not None:
            total = total + self.entity_task.loss(states, self.category[tags] > 0, inside)
        return total

    @torch.no_grad()
    def best(self, rows: Tensor, lengths: Tensor, barred: Barred | None = None) -> list[list[int]]:
        """Return the tags of each sentence."""
        emissions = self.emissions(rows, lengths)
        if self.crf is not None:
            return self.crf.decode(emissions, _inside(rows, lengths), barred)
        tags = emissions.argmax(dim=2).tolist()
        return [row[:length] for row, length in zip(tags, lengths.tolist(), strict=True)]

    @torch.no_grad()
    def probabilities(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Return the probability of each tag at each position."""
        emissions, inside = self.emissions(rows, lengths), _inside(rows, lengths)
        if self.crf is not None:
            return self.crf.marginals(emissions, inside)
        return F.softmax(emissions, dim=-1) * inside[:, :, None]

    def _emissions(self, states: Tensor) -> tuple[Tensor, Tensor | None]:
        features, gate = (states, None) if self.experts is None else self.experts(states)
        scores: Tensor = self.output(features)
        return scores, gate


def _inside(rows: Tensor, lengths: Tensor) -> Tensor:
    return mask_of(lengths.to(rows.device), rows.shape[1])
