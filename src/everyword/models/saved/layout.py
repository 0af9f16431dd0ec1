"""Layout of a saved model's folder, the only contract between training and use.

config.json        the parts by registered name, their configuration, the training record, checksums
model.safetensors  the encoder's folded tables, the stored vectors and, where there is one, the gate
units.txt          the encoder's units, one per line, special ones first
words.txt          the known words, one per line, in the order of their vectors
texts.safetensors  optional: the weights of words in texts; context.safetensors: what tells words by their neighbours
README.md          the model card

An adapted model has the stored vectors and its map in model.safetensors, no units.txt, and one more folder:

base/              the model whose vectors are mapped, a saved folder itself
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Tensor = TypeVar("Tensor")

FORMAT = 1
"""Raised when older versions of everyword could not read the folder."""
ADAPTED_FORMAT = 2
"""Of adapted models only, so that older versions of everyword still read all others."""
QUANTISED_FORMAT = 3
"""Of models, adapted or not, whose stored vectors are quantised."""
PRUNED_FORMAT = 4
"""Of models, of whatever kind, in whose model.safetensors zeros are left out."""
READABLE = (FORMAT, ADAPTED_FORMAT, QUANTISED_FORMAT, PRUNED_FORMAT)

CONFIG = "config.json"
TENSORS = "model.safetensors"
UNITS = "units.txt"
WORDS = "words.txt"
PARTS = {"texts": "texts.safetensors", "context": "context.safetensors"}
"""Parts that a model may have, by their keys in the configuration, and the files they are in."""
CARD = "README.md"
CHECKED = (TENSORS, UNITS, WORDS)
"""Files with a checksum in the configuration."""
BASE = "base"
ADAPTED_CHECKED = (TENSORS, WORDS, f"{BASE}/{CONFIG}")
"""The same for an adapted model; the configuration of its base holds the checksums of the base's files."""

ENCODER_PREFIX = "encoder."
GATE_PREFIX = "gate."
MAP_PREFIX = "map."
KNOWN_MATRIX = "known"
KNOWN_RELIABILITY = "known.reliability"
KNOWN_INDEX = "known.index"
"""The table by which words are found (see `models.word_index`); without it they are hashed when they are read."""


def under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors with names that begin with a prefix, by the rest of their names."""
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
