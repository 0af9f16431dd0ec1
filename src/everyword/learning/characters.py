"""Character encoders: what a tagger reads beside, or instead of, word vectors."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from everyword.learning.word_vectors import PADDING, WordVectors

CharacterNetwork = Literal["lstm", "cnn"]
LONGEST = 40
"""The number of characters of a word that are read; a tagger gains nothing from the rest of a URL."""


@dataclass(frozen=True)
class CharacterEncoder:
    """A module from a word's ids to its vector, with the function that turns a word into ids.

    For CHAR(D), give one that was trained before; each run trains its own copy. An encoder of everyword fits too:
    `CharacterEncoder(units.ids, encoder, dim)`, with words normalised first where the encoder expects it.
    """

    ids: Callable[[str], Sequence[int]]
    """Returns the ids of a word: one or more, none of them 0."""
    module: nn.Module
    """Ids (words, positions), padded with 0 → vectors (words, dim)."""
    dim: int

    def copy(self) -> CharacterEncoder:
        """Return a copy with the same weights and dense gradients, because Adam takes no sparse ones."""
        module = copy.deepcopy(self.module)
        for part in module.modules():
            if isinstance(part, nn.Embedding):
                part.sparse = False
        return replace(self, module=module)

    def fingerprint(self) -> str:
        """Return a checksum of the weights."""
        digest = hashlib.sha256()
        for name, tensor in self.module.state_dict().items():
            digest.update(name.encode() + tensor.detach().cpu().numpy().tobytes())
        return digest.hexdigest()


class SpeltWords:
    """The ids of the characters of words, made once and kept beside their vectors.

    Args:
        words: The words, by row.
        ids: Returns the ids of a word.
    """

    def __init__(self, words: WordVectors, ids: Callable[[str], Sequence[int]]) -> None:
        self.words, self._ids_of = words, ids
        self._ids = torch.zeros((1, 1), dtype=torch.int64)

    def read(self, module: nn.Module, rows: Tensor) -> Tensor:
        """Return what a module makes of the characters of words, (..., dim); zeros for padding."""
        distinct, index = torch.unique(rows, return_inverse=True)
        return self.read_distinct(module, distinct)[index]

    def read_distinct(self, module: nn.Module, rows: Tensor) -> Tensor:
        """Return the same for rows that are sorted, each of them once, (rows, dim)."""
        padded = int(int(rows[0]) == PADDING)
        ids = self._table(rows.device)[rows[padded:]]
        spelt: Tensor = module(ids[:, : int((ids != 0).sum(dim=1).max())])
        return torch.cat([spelt.new_zeros(1, spelt.shape[1]), spelt]) if padded else spelt

    def _table(self, device: torch.device) -> Tensor:
        if new := self.words.tokens[len(self._ids) :]:
            found = [list(self._ids_of(token)) for token in new]
            width = max(self._ids.shape[1], *map(len, found))
            table = np.zeros((len(self.words), width), dtype=np.int64)
            table[: len(self._ids), : self._ids.shape[1]] = self._ids.cpu().numpy()
            for row, ids in enumerate(found, start=len(self._ids)):
                table[row, : len(ids)] = ids
            self._ids = torch.from_numpy(table)
        self._ids = self._ids.to(device)
        return self._ids


class CharLstm(nn.Module):
    """The last states of a bidirectional LSTM over the characters."""

    def __init__(self, characters: int, hidden: int = 25, dim: int = 25) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)

    def forward(self, ids: Tensor) -> Tensor:
        """Ids (words, positions) → (words, 2 · hidden)."""
        lengths = (ids != 0).sum(dim=1).clamp(min=1).cpu()
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)
        return torch.cat([last[0], last[1]], dim=1)


class CharCnn(nn.Module):
    """The strongest answer of each filter anywhere in a word (Ma and Hovy 2016)."""

    def __init__(self, characters: int, filters: int = 50, dim: int = 25, width: int = 3) -> None:
        super().__init__()
        self.width = width
        self.embedding = nn.Embedding(characters, dim, padding_idx=0)
        # One product of matrices: a convolution is prepared anew for every length and number of words.
        self.filters = nn.Linear(width * dim, filters)

    def forward(self, ids: Tensor) -> Tensor:
        """Ids (words, positions) → (words, filters)."""
        letters = self.embedding(nn.functional.pad(ids, (self.width - 1, self.width - 1)))
        windows = letters.unfold(1, self.width, 1).flatten(2)
        return torch.relu(self.filters(windows).amax(dim=1))


def fresh_characters(words: Iterable[str], hidden: int = 25) -> CharacterEncoder:
    """Return an untrained `CharLstm` for the characters of some words; any other character has the id 1."""
    return characters_of("".join(sorted(set("".join(words)))), hidden)


def characters_of(alphabet: str, hidden: int = 25, network: CharacterNetwork = "lstm") -> CharacterEncoder:
    """Return an untrained encoder of these characters; any other character has the id 1."""
    id_of = {character: number for number, character in enumerate(alphabet, start=2)}

    def ids(word: str) -> list[int]:
        return [id_of.get(character, 1) for character in word[:LONGEST]]

    made = CharCnn(len(id_of) + 2, 2 * hidden) if network == "cnn" else CharLstm(len(id_of) + 2, hidden)
    return CharacterEncoder(ids, made, 2 * hidden)
