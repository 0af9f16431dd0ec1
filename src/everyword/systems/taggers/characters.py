"""Character encoders: what a tagger reads beside, or instead of, word vectors."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

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


def fresh_characters(words: Iterable[str], hidden: int = 25) -> CharacterEncoder:
    """Return an untrained `CharLstm` for the characters of some words; any other character has the id 1."""
    id_of = {character: number for number, character in enumerate(sorted(set("".join(words))), start=2)}

    def ids(word: str) -> list[int]:
        return [id_of.get(character, 1) for character in word[:LONGEST]]

    return CharacterEncoder(ids, CharLstm(len(id_of) + 2, hidden), 2 * hidden)
