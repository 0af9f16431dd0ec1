"""A BiLSTM tagger over words, with a CRF or independent tags (Lample et al. 2016)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from everyword.learning.adversary import SharedFeatures
from everyword.learning.crf import CRF, Barred, mask_of
from everyword.learning.dropout import LockedDropout
from everyword.learning.experts import EntityExperts, EntityTask


class TokenInput(nn.Module):
    """Rows of words (sentences, positions) → inputs of the LSTM (sentences, positions, dim)."""

    dim: int


@dataclass(frozen=True)
class EntityHeads:
    """What is learnt beside the tags of entities."""

    categories: tuple[int, ...]
    """The number of the category of each tag; 0 is outside of entities."""
    experts: int = 0
    """The length of an expert's output; 0 for a tagger without experts."""
    entity_task: bool = False
    """Whether it also learns which tokens are entities, of whatever kind."""


class SentenceEncoder(nn.Module):
    """Words → states of a BiLSTM.

    Args:
        read: From rows of words to inputs.
        hidden: States of the LSTM, both directions together.
        dropout: Of its inputs and its states.
        layers: Of the LSTM.
        locked: Whether dropout hides the same coordinates at all tokens of a sentence.
    """

    def __init__(self, read: TokenInput, *, hidden: int, dropout: float, layers: int = 1, locked: bool = False) -> None:
        super().__init__()
        self.read = read
        self.dropout = LockedDropout(dropout) if locked else nn.Dropout(dropout)
        between = dropout if layers > 1 else 0.0
        self.each_way = hidden // 2
        self.lstm = nn.LSTM(read.dim, self.each_way, layers, batch_first=True, bidirectional=True, dropout=between)

    def features(self, rows: Tensor) -> Tensor:
        """Return what the LSTM reads: rows (sentences, positions) → (sentences, positions, dim)."""
        features: Tensor = self.dropout(self.read(rows))
        return features

    def states(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """Return what the LSTM says of each token."""
        packed = pack_padded_sequence(self.features(rows), lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        found: Tensor = self.dropout(states)
        return found


class Tagger(SentenceEncoder):
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
        locked: Whether dropout hides the same coordinates at all tokens of a sentence.
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
        locked: bool = False,
    ) -> None:
        super().__init__(read, hidden=hidden, dropout=dropout, layers=layers, locked=locked)
        each_way = self.each_way
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
        features: Tensor = self.shared(super().features(rows))
        return features

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
        states, inside = self.states(rows, lengths), inside_of(rows, lengths)
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
        return self._best(self.emissions(rows, lengths), inside_of(rows, lengths), barred)

    @torch.no_grad()
    def best_with_probabilities(
        self, rows: Tensor, lengths: Tensor, barred: Barred | None = None
    ) -> tuple[list[list[int]], Tensor]:
        """Return the tags of each sentence, and the probability of each tag at each position."""
        emissions, inside = self.emissions(rows, lengths), inside_of(rows, lengths)
        shares = F.softmax(emissions, dim=-1) if self.crf is None else self.crf.marginals(emissions, inside)
        return self._best(emissions, inside, barred), shares * inside[:, :, None]

    def _best(self, emissions: Tensor, inside: Tensor, barred: Barred | None) -> list[list[int]]:
        if self.crf is not None:
            return self.crf.decode(emissions, inside, barred)
        tags, lengths = emissions.argmax(dim=2).tolist(), inside.sum(dim=1).tolist()
        return [row[:length] for row, length in zip(tags, lengths, strict=True)]

    def _emissions(self, states: Tensor) -> tuple[Tensor, Tensor | None]:
        features, gate = (states, None) if self.experts is None else self.experts(states)
        scores: Tensor = self.output(features)
        return scores, gate


def inside_of(rows: Tensor, lengths: Tensor) -> Tensor:
    """Return where sentences have tokens, on the device of their rows."""
    return mask_of(lengths.to(rows.device), rows.shape[1])
