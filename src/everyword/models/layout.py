"""The saved folder: the only contract between those who train models and those who use them.

config.json        the parts by registered name, their configuration, the training record, checksums
model.safetensors  the encoder's folded tables, the stored vectors and, where there is one, the gate
units.txt          the encoder's units, one a line, special ones first
words.txt          the known words, one a line, in the order of their vectors
README.md          the model card
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

Tensor = TypeVar("Tensor")

FORMAT = 1
"""Raised when older versions of everyword could not read the folder."""

CONFIG = "config.json"
TENSORS = "model.safetensors"
UNITS = "units.txt"
WORDS = "words.txt"
CARD = "README.md"
CHECKED = (TENSORS, UNITS, WORDS)
"""Files whose checksum stands in the configuration."""

ENCODER_PREFIX = "encoder."
GATE_PREFIX = "gate."
KNOWN_MATRIX = "known"


def under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose name begins with a prefix, by the rest of their name."""
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
