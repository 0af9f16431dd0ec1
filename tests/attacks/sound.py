"""Small sound files, made without training, for attacks to start from."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

from everyword.files import checksum
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.models.saved import layout
from everyword.text.ngrams import NgramUnits, NgramUnitsConfig, build_ngrams
from everyword.text.normalise import Normaliser
from everyword.text.vocabulary import VocabularyConfig
from everyword.vectors.storage.stored import Precision, StoredMatrix

WORDS = ["ban", "belo", "grin", "trust", "plinness"]
DIM = 3


def small_model(words: list[str] | None = None, precision: Precision = "float32") -> Model:
    """A bag of n-grams with random vectors."""
    rng = np.random.default_rng(0)
    known = WORDS if words is None else words
    units: NgramUnits = build_ngrams(known or WORDS, VocabularyConfig(), NgramUnitsConfig(2, 3))
    table = StoredMatrix.pack(rng.normal(size=(units.size, DIM)).astype(np.float32), precision)
    stored = StoredMatrix.pack(rng.normal(size=(len(known), DIM)).astype(np.float32), precision)
    form_encoder = FormEncoder(units, "bos.v1", {}, {"unit": table}, 1.0)
    return Model("small", Normaliser(), form_encoder, KnownWords(known, stored), {"summary": "A small model."})


def saved_model(folder: Path) -> Path:
    """The model in a folder."""
    small_model().save_pretrained(folder)
    return folder


def change_config(folder: Path, changes: Mapping[str, Any]) -> Path:
    """Lay values over a saved model's configuration."""
    path = folder / layout.CONFIG
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")
    return folder


def sign(folder: Path) -> Path:
    """Give altered files the right checksums: whoever alters a file can do so."""
    files = json.loads((folder / layout.CONFIG).read_text(encoding="utf-8"))["files"]
    return change_config(folder, {"files": {name: checksum(folder / name) for name in files}})


def change_tensors(folder: Path, changes: Mapping[str, Any]) -> Path:
    """Lay arrays over those of a saved model; None takes one away."""
    path = folder / layout.TENSORS
    tensors = {name: array for name, array in (load_file(path) | changes).items() if array is not None}
    save_file(tensors, path)
    return sign(folder)


def safetensors_bytes(header: object, data: bytes = b"", length: int | None = None) -> bytes:
    """A safetensors file with a header of one's own, and perhaps a lie about its length."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def nested(depth: int = 100_000) -> str:
    """JSON of brackets in brackets."""
    return '{"format":' + "[" * depth + "]" * depth + "}"
