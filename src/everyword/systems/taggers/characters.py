"""A word as its characters: what a tagger reads beside, or instead of, word vectors."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

LONGEST = 40
"""Characters of a word that are read; a tagger gains nothing from the rest of a URL."""


@dataclass(frozen=True)
class CharacterEncoder:
    """A module from a word's ids to its vector, with what turns a word into ids.

    Give one that was trained before for CHAR(D); each run trains a copy of its own. An encoder of everyword fits too:
    `CharacterEncoder(units.ids, encoder, dim)`, with words normalised first where the encoder expects it.
    """

    ids: Callable[[str], Sequence[int]]
    """Ids of a word, at least one, none of them 0."""
    module: nn.Module
    """Ids (words, places), filled up with 0 → vectors (words, dim)."""
    dim: int

    def copy(self) -> CharacterEncoder:
        """The same weights in a module of its own, with dense gradients: Adam takes no sparse ones."""
        module = copy.deepcopy(self.module)
        for part in module.modules():
            if isinstance(part, nn.Embedding):
                part.sparse = False
        return replace(self, module=module)

    def fingerprint(self) -> str:
        """A checksum of the weights."""
        digest = hashlib.sha256()
        for name, tensor in self.module.state_dict().items():
            digest.update(name.encode() + tensor.detach().cpu().numpy().tobytes())
        return digest.hexdigest()


class CharLstm(nn.Module):
    """The last states of an LSTM over the characters, read both ways."""

    def __init__(self, characters: int, hidden: int = 25, dim: int = 25) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)

    def forward(self, ids: Tensor) -> Tensor:
        """Ids (words, places) → (words, 2 · hidden)."""
        lengths = (ids != 0).sum(dim=1).clamp(min=1).cpu()
        packed = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed)
        return torch.cat([last[0], last[1]], dim=1)


def fresh_characters(words: Iterable[str], hidden: int = 25) -> CharacterEncoder:
    """An untrained `CharLstm` for the characters of some words; any other character is 1."""
    id_of = {character: number for number, character in enumerate(sorted(set("".join(words))), start=2)}

    def ids(word: str) -> list[int]:
        return [id_of.get(character, 1) for character in word[:LONGEST]]

    return CharacterEncoder(ids, CharLstm(len(id_of) + 2, hidden), 2 * hidden)
