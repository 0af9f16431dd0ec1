"""Two encoders that both tasks share: one over word vectors, one a transformer.

Both make items of texts once, and then read batches of items: pairs of texts as one vector each, or the words of a
sentence, one of which is marked as the predicate, as a vector each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from everyword.arrays import IndexArray
from everyword.corpus.labelled.roles import Roles
from everyword.errors import InputError
from everyword.learning.batching import pad
from everyword.learning.crf import mask_of
from everyword.learning.device import half_precision
from everyword.learning.word_vectors import WordVectors
from everyword.sentences.tokens import tokens_of
from everyword.systems.inference.config import InferenceConfig

MARK_WIDTH = 16
"""The length of the vector that says whether a word is the predicate."""


class PairItem(NamedTuple):
    """Two texts: as rows of words, or as pieces of both and which text each piece is of."""

    first: IndexArray
    second: IndexArray


class WordsItem(NamedTuple):
    """A sentence: as rows of words or pieces, what is marked in it, and where each word begins."""

    ids: IndexArray
    marks: IndexArray
    starts: IndexArray


Kept = dict[Any, Any]
"""Items by the texts that they were made of, for several encoders that read the same words or pieces."""


class Encoder(nn.Module, ABC):
    """What both encoders are: items made of texts, which may be kept, and batches of items read."""

    width: int
    """The length of the vector of a word."""
    pair_width: int
    """The length of the vector of a pair."""

    def __init__(self, config: InferenceConfig, kept: Kept | None = None) -> None:
        super().__init__()
        self.config, self.kept = config, kept

    def pair_items(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[PairItem]:
        """Return pairs of texts as items."""
        if self.kept is None:
            return self.make_pairs(premises, hypotheses)
        key = tuple(premises), tuple(hypotheses)
        if key not in self.kept:
            self.kept[key] = self.make_pairs(premises, hypotheses)
        found: list[PairItem] = self.kept[key]
        return found

    def word_items(self, sentences: Sequence[Roles]) -> list[WordsItem]:
        """Return sentences with a predicate as items."""
        if self.kept is None:
            return self.make_words(sentences)
        key = tuple(map(id, sentences))
        if key not in self.kept:
            self.kept[key] = self.make_words(sentences), list(sentences)  # as long as these are kept, so are their ids
        found: list[WordsItem] = self.kept[key][0]
        return found

    def set_scale(self) -> None:
        """Scale what is read to the size that layers of a network expect, if it has no such size."""

    @abstractmethod
    def make_pairs(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[PairItem]:
        """Make items of pairs."""

    @abstractmethod
    def make_words(self, sentences: Sequence[Roles]) -> list[WordsItem]:
        """Make items of sentences."""

    @abstractmethod
    def read_pairs(self, items: Sequence[PairItem]) -> Tensor:
        """Return a vector of each pair, (pairs, pair_width)."""

    @abstractmethod
    def read_words(self, items: Sequence[WordsItem]) -> Tensor:
        """Return a vector of each word, (sentences, words, width)."""


class WordEncoder(Encoder):
    """Word vectors, read by a bidirectional LSTM or averaged."""

    def __init__(self, words: WordVectors, config: InferenceConfig, kept: Kept | None = None) -> None:
        super().__init__(config, kept)
        self.words = words
        self.marks = nn.Embedding(2, MARK_WIDTH)
        self.lstm = (
            nn.LSTM(words.dim + MARK_WIDTH, config.hidden, batch_first=True, bidirectional=True)
            if config.reader == "lstm"
            else None
        )
        self.dropout = nn.Dropout(config.dropout)
        self.width = 2 * config.hidden if self.lstm is not None else words.dim + MARK_WIDTH
        self.pair_width = 4 * self.width
        self.register_buffer("scale", torch.ones(()))

    def make_pairs(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[PairItem]:
        """Return the rows of the words of pairs."""
        rows = self._rows([tokens_of(text) for text in (*premises, *hypotheses)])
        return [PairItem(*pair) for pair in zip(rows[: len(premises)], rows[len(premises) :], strict=True)]

    def make_words(self, sentences: Sequence[Roles]) -> list[WordsItem]:
        """Return the rows of the words of sentences; each word begins at itself."""
        rows = self._rows([one.tokens for one in sentences])
        places = [np.arange(len(row)) for row in rows]
        return [
            WordsItem(row, (place == one.index).astype(np.int64), place)
            for row, place, one in zip(rows, places, sentences, strict=True)
        ]

    def set_scale(self) -> None:
        """Scale all vectors so that a coordinate has the size that layers of a network expect."""
        spread = float(self.words.vectors[1:].std())
        self.get_buffer("scale").fill_(1 / spread if spread > 0 else 1.0)

    def read_pairs(self, items: Sequence[PairItem]) -> Tensor:
        """Return a vector of each pair: both texts, their difference and their product."""
        one, other = (self._pooled([item[side] for item in items]) for side in (0, 1))
        return torch.cat([one, other, (one - other).abs(), one * other], dim=1)

    def read_words(self, items: Sequence[WordsItem]) -> Tensor:
        """Return a vector of each word, (sentences, words, width)."""
        marks, _ = pad([item.marks for item in items])
        return self._states([item.ids for item in items], marks)[0]

    def _rows(self, texts: Sequence[Sequence[str]]) -> list[IndexArray]:
        return self.words.rows([tuple(text[: self.config.longest]) or ("",) for text in texts])

    def _pooled(self, rows: Sequence[IndexArray]) -> Tensor:
        states, mask = self._states(rows, None)
        if self.lstm is None:
            return (states * mask[:, :, None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)
        return states.masked_fill(~mask[:, :, None], float("-inf")).amax(dim=1)

    def _states(self, rows: Sequence[IndexArray], marks: Tensor | None) -> tuple[Tensor, Tensor]:
        device = self.marks.weight.device
        padded, lengths = pad(rows)
        vectors = self.words.look_up(padded.to(device)) * self.get_buffer("scale")
        marked = torch.zeros_like(padded) if marks is None else marks
        inputs = torch.cat([self.dropout(vectors), self.marks(marked.to(device))], dim=2)
        mask = mask_of(lengths, padded.shape[1]).to(device)
        if self.lstm is None:
            return inputs, mask
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=padded.shape[1])
        return self.dropout(states), mask


class PieceEncoder(Encoder):
    """A transformer whose two kinds of segments tell the two texts apart, or mark the predicate."""

    def __init__(self, network: Any, tokenizer: Any, config: InferenceConfig, kept: Kept | None = None) -> None:
        super().__init__(config, kept)
        if getattr(network.config, "type_vocab_size", 0) < 2:
            raise InputError("The transformer must tell two segments apart, as BERT does; this one does not.")
        self.network, self.tokenizer = network, tokenizer
        self.width = self.pair_width = int(network.config.hidden_size)

    def make_pairs(self, premises: Sequence[str], hypotheses: Sequence[str]) -> list[PairItem]:
        """Return the pieces of pairs, and which of the two texts each is of."""
        found = self.tokenizer(list(premises), list(hypotheses), truncation=True, max_length=self.config.longest)
        return [
            PairItem(np.array(ids), np.array(kinds))
            for ids, kinds in zip(found["input_ids"], found["token_type_ids"], strict=True)
        ]

    def make_words(self, sentences: Sequence[Roles]) -> list[WordsItem]:
        """Return the pieces of sentences; a word that is cut off begins at the first piece."""
        tokens = [list(one.tokens) for one in sentences]
        found = self.tokenizer(tokens, is_split_into_words=True, truncation=True, max_length=self.config.longest)
        items = []
        for place, one in enumerate(sentences):
            starts, marks = np.zeros(len(one.tokens), dtype=np.int64), []
            for piece, word in reversed(list(enumerate(found.word_ids(place)))):
                marks.append(int(word == one.index))
                if word is not None:
                    starts[word] = piece
            items.append(WordsItem(np.array(found["input_ids"][place]), np.array(marks[::-1]), starts))
        return items

    def read_pairs(self, items: Sequence[PairItem]) -> Tensor:
        """Return the state of the first piece of each pair."""
        return self._states([item.first for item in items], [item.second for item in items])[:, 0]

    def read_words(self, items: Sequence[WordsItem]) -> Tensor:
        """Return the state of the first piece of each word, (sentences, words, width)."""
        states = self._states([item.ids for item in items], [item.marks for item in items])
        starts, _ = pad([item.starts for item in items])
        return states[torch.arange(len(items), device=states.device)[:, None], starts.to(states.device)]

    def _states(self, ids: Sequence[IndexArray], kinds: Sequence[IndexArray]) -> Tensor:
        device = self.network.device
        padded, lengths = pad(ids)
        mask = mask_of(lengths, padded.shape[1])
        padded = padded.masked_fill(~mask, self.tokenizer.pad_token_id)
        inputs = {"input_ids": padded, "attention_mask": mask.long(), "token_type_ids": pad(kinds)[0]}
        with half_precision(device):
            states: Tensor = self.network(**{name: part.to(device) for name, part in inputs.items()}).last_hidden_state
        return states.float()
