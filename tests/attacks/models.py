"""Hostile folders that look like saved models; whoever alters a file can sign it, too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from everyword.models.saved import layout

from .maker import Maker
from .sound import change_config, change_tensors, nested, safetensors_bytes, saved_model, sign

NAN = float("nan")


def model_with_config(text: str | bytes) -> Maker:
    def make(folder: Path) -> Path:
        saved_model(folder)
        (folder / layout.CONFIG).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return folder

    return make


def model_saying(**changes: Any) -> Maker:
    return lambda folder: change_config(saved_model(folder), changes)


def model_holding(**changes: Any) -> Maker:
    return lambda folder: change_tensors(saved_model(folder), {n.replace("_", "."): a for n, a in changes.items()})


def model_with_file(name: str, raw: bytes) -> Maker:
    def make(folder: Path) -> Path:
        saved_model(folder)
        (folder / name).write_bytes(raw)
        return sign(folder)

    return make


def model_with_link(name: str, target: str) -> Maker:
    def make(folder: Path) -> Path:
        saved_model(folder)
        (folder / name).unlink()
        (folder / name).symlink_to(target)
        return folder

    return make


def model_with_outer_file(folder: Path) -> Path:
    (folder / "secret").write_text("somebody else's")
    saved_model(folder / "model")
    files = json.loads((folder / "model" / layout.CONFIG).read_text(encoding="utf-8"))["files"]
    return change_config(folder / "model", {"files": {**files, "../secret": "0" * 64}})


def float32(*shape: int, value: float = 1.0) -> np.ndarray:
    return np.full(shape, value, dtype=np.float32)


FLOAT_16_BITS = {"encoder.unit": {"dtype": "BF16", "shape": [1, 1], "data_offsets": [0, 2]}}
OVERLAPPING = {
    "known": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
    "encoder.unit": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]},
}
ONCE = b'"known":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'
TWICE = b"{" + ONCE + b"," + ONCE.replace(b"[0,4]", b"[4,8]") + b"}"
MANY_UNITS = "\n".join(["[PAD]", "[UNK]", *map(str, range(99_999)), ""]).encode()
MODELS = {
    "model: brackets in brackets": model_with_config(nested()),
    "model: a number of 10,000 digits": model_with_config('{"format": ' + "1" * 10_000 + "}"),
    "model: a list": model_with_config("[1]"),
    "model: no text": model_with_config(b"\xff\xfe\x00"),
    "model: a format that is a list": model_saying(format=[1]),
    "model: a configuration of 100 megabytes": model_with_config('{"format": 1, "x": "' + "a" * (100 << 20) + '"}'),
    "model: files that are a list": model_saying(files=["model.safetensors"]),
    "model: a file outside the folder": model_with_outer_file,
    "model: no file is checked": model_saying(files={}),
    "model: checksums that lie": model_saying(files=dict.fromkeys(layout.CHECKED, "0" * 64)),
    "model: checksums that are numbers": model_saying(files=dict.fromkeys(layout.CHECKED, 5)),
    "model: an encoder nobody knows": model_saying(encoder={"name": "os.system", "config": {}, "norm": 1.0}),
    "model: an encoder that is a list": model_saying(encoder=[]),
    "model: an encoder whose name is a list": model_saying(encoder={"name": [], "config": {}, "norm": 1.0}),
    "model: an encoder of another kind": model_saying(
        encoder={"name": "cnn.v1", "config": {"widths": [10**9]}, "norm": 1}
    ),
    "model: an encoder of endless width": model_saying(
        encoder={"name": "pam-stacked.v1", "config": {"width": 10**9, "kernel": "sqrt"}, "norm": 1.0}
    ),
    "model: units nobody knows": model_saying(units={"name": "../units", "config": {}}),
    "model: n-grams of negative length": model_saying(units={"name": "ngrams.v1", "config": {"shortest": -1}}),
    "model: more buckets than rows": model_saying(units={"name": "ngrams.v1", "config": {"buckets": 10**18}}),
    "model: a rule of spelling nobody knows": model_saying(normalise={"lowercase": "yes"}),
    "model: a gate that is a list": model_saying(gate=[]),
    "model: a map without tables": model_saying(format=2, map={"name": "linear.v1", "length": 1.0}),
    "model: a map that is a number": model_saying(format=2, map=1),
    "model: a configuration from a device": model_with_link(layout.CONFIG, "/dev/zero"),
    "model: sections of other sizes": model_saying(known={"sections": {"words": 4}}),
    "model: sections that are a number": model_saying(known={"sections": 5}),
    "model: words from a device": model_with_link(layout.WORDS, "/dev/zero"),
    "model: a link to itself": model_with_link(layout.TENSORS, layout.TENSORS),
    "model: words that are no text": model_with_file(layout.WORDS, b"\xff\n" * 5),
    "model: a word twice": model_with_file(layout.WORDS, b"ban\n" * 5),
    "model: fewer words than vectors": model_with_file(layout.WORDS, b"ban\n"),
    "model: units that are no text": model_with_file(layout.UNITS, b"\xff\n"),
    "model: units of another kind": model_with_file(layout.UNITS, b"a\nb\n"),
    "model: more units than rows": model_with_file(layout.UNITS, MANY_UNITS),
    "tensors: none": model_with_file(layout.TENSORS, b""),
    "tensors: a header of 2^62 bytes": model_with_file(layout.TENSORS, safetensors_bytes({}, length=2**62)),
    "tensors: brackets in brackets": model_with_file(layout.TENSORS, safetensors_bytes(nested().encode())),
    "tensors: cut off": model_with_file(
        layout.TENSORS, safetensors_bytes({"known": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}, b"\0" * 8)
    ),
    "tensors: overlapping": model_with_file(layout.TENSORS, safetensors_bytes(OVERLAPPING, b"\0" * 12)),
    "tensors: a name twice": model_with_file(layout.TENSORS, safetensors_bytes(TWICE, b"\0" * 8)),
    "tensors: a type that NumPy has not": model_with_file(layout.TENSORS, safetensors_bytes(FLOAT_16_BITS, b"\0" * 2)),
    "tensors: a shape beyond all memory": model_with_file(
        layout.TENSORS, safetensors_bytes({"known": {"dtype": "F32", "shape": [0, 2**62], "data_offsets": [0, 0]}})
    ),
    "tensors: no vectors": model_holding(known=None),
    "tensors: one number instead of vectors": model_holding(known=np.array(1, dtype=np.float32)),
    "tensors: vectors of another dimension": model_holding(known=float32(5, 4)),
    "tensors: NaN": model_holding(known=float32(5, 3, value=NAN)),
    "tensors: complex numbers": model_holding(known=np.ones((5, 3), dtype=np.complex64)),
    "tensors: small numbers without their scales": model_holding(known=np.ones((5, 3), dtype=np.int8)),
    "tensors: scales of another size": model_holding(known=np.ones((5, 3), dtype=np.int8), known_scales=float32(4)),
    "tensors: infinite scales": model_holding(
        known=np.ones((5, 3), dtype=np.int8), known_scales=float32(5, value=float("inf"))
    ),
    "tensors: half bytes without columns": model_holding(
        known=np.ones((5, 0), dtype=np.uint8), known_scales=float32(5)
    ),
    "tensors: codes without pieces": model_holding(known=None, known_codes0=np.ones((5, 3), dtype=np.uint8)),
    "tensors: half of a table of words": model_holding(known_index_rows=np.zeros((5, 3), dtype=np.uint8)),
    "tensors: a table of other words": model_holding(
        known_index_counts=np.r_[np.array([5], dtype=np.uint16), np.zeros(65535, dtype=np.uint16)],
        known_index_tails=np.arange(5, dtype=np.uint16),
        known_index_rows=np.arange(15, dtype=np.uint8).reshape(5, 3),
    ),
    "tensors: more words than there can be": model_holding(
        known_index_counts=np.full(65536, 2**32 - 1, dtype=np.uint32),
        known_index_tails=np.arange(5, dtype=np.uint16),
        known_index_rows=np.zeros((5, 3), dtype=np.uint8),
    ),
    "tensors: an encoder of one row": model_holding(encoder_unit=float32(1, 3)),
    "tensors: an encoder without tables": model_holding(encoder_unit=None),
    "tensors: an encoder of NaN": model_holding(encoder_unit=float32(50, 3, value=NAN)),
}  # fmt: skip
