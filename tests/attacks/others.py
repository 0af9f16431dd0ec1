"""Hostile files of all other kinds: parts, records, results, lists, and folders of larger models."""

from __future__ import annotations

import gzip
import io
import json
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from everyword.corpus.contexts.shards import split_corpus
from everyword.corpus.contexts.spec import SearchOptions, SearchSpec
from everyword.models.saved import layout
from everyword.space import Pipeline
from everyword.vectors.table import VectorTable

from .maker import Maker, content
from .sound import DIM, change_config, nested, saved_model
from .tables import gzip_bomb, zip_of

CORPUS = "corpus.txt"
ENDLESS = gzip_bomb(b'{"word": "a", "sentences": ["', b"a")


def contexts_folder(**files: bytes | None) -> Maker:
    """A run of `everyword contexts` whose one part is not what it should be."""

    def make(folder: Path) -> Path:
        (folder / CORPUS).write_text("A ban is a belo of a kind.\n", encoding="utf-8")
        parts = folder / "out" / "parts"
        part = parts / split_corpus([folder / CORPUS])[0].name
        part.mkdir(parents=True)
        SearchSpec(["ban"], SearchOptions()).save(parts)
        sound = {
            "counts": struct.pack("<q", 1),
            "keys": struct.pack("<Q", 7),
            "numbers": struct.pack("<i", 0),
            "ends": struct.pack("<q", 3),
            "text": b'"a"',
        }
        for name, raw in (sound | files).items():
            if raw is not None:
                (part / name).write_bytes(raw)
        return folder

    return make


def contexts_with(name: str, text: str) -> Maker:
    def make(folder: Path) -> Path:
        contexts_folder()(folder)
        (folder / "out" / name).write_text(text, encoding="utf-8")
        return folder

    return make


def npz(**arrays: Any) -> bytes:
    written = io.BytesIO()
    np.savez_compressed(written, **arrays)
    return written.getvalue()


def numbers(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


SOUND_PART = {
    "rows": numbers(0, 1),
    "words": numbers(2),
    "pieces": numbers(),
    "lengths": numbers(0),
    "gaps": numbers(),
    "sizes": numbers(),
}


def part(**changes: Any) -> Maker:
    return content(npz(**(SOUND_PART | changes)), "part-00000.npz")


def part_claiming(shape: str) -> bytes:
    """A member whose header speaks of an array that is not there."""
    header = f"{{'descr': '<i8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    raw = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    return zip_of(dict.fromkeys([f"{name}.npy" for name in SOUND_PART], raw))


def zip_boasting() -> bytes:
    """Members that say they unpack to four gigabytes each."""
    raw = bytearray(zip_of({f"{name}.npy": b"x" for name in SOUND_PART}, zipfile.ZIP_STORED))
    place = 0
    while (place := raw.find(b"PK\x01\x02", place + 1)) >= 0:
        raw[place + 24 : place + 28] = struct.pack("<I", 0xFFFFFFF0)
    return bytes(raw)


def prepared(record: str, words: str = "a\t2\nb\t1\n") -> Maker:
    def make(folder: Path) -> Path:
        (folder / "corpus.json").write_text(record, encoding="utf-8")
        (folder / "words.tsv").write_text(words, encoding="utf-8")
        (folder / "part-00000.npz").write_bytes(npz(**SOUND_PART))
        return folder

    return make


KEPT = {"stamp": "x", "parts": [1], "sentences": {}, "tokenizer": None}


def record_saying(**changes: Any) -> Maker:
    def make(folder: Path) -> Path:
        table = VectorTable(["a", "b", "c", "d"], np.eye(4, DIM, dtype=np.float32))
        Pipeline.fit("centre,pca:2", table.matrix).save(folder)
        path = folder / "record.json"
        described = json.loads(path.read_text(encoding="utf-8")) | changes
        path.write_text(json.dumps(described), encoding="utf-8")
        return folder

    return make


def folder_with(name: str, text: str) -> Maker:
    def make(folder: Path) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return folder

    return make


def unit_rows_of(dim: int) -> list[dict[str, Any]]:
    return [{"name": "unit-rows.v1", "options": {}, "dim": dim, "facts": {}}]


def language_model(config: str, weights: bytes = b"") -> Maker:
    """What transformers would save, as far as its loader looks."""

    def make(folder: Path) -> Path:
        (folder / "config.json").write_text(config, encoding="utf-8")
        (folder / "model.safetensors").write_bytes(weights)
        return folder

    return make


BERTRAM = {
    "format": "bertram.v1",
    "encoder": {"name": "nowhere", "identity": "x", "input_dim": 4},
    "config": {},
    "training": {},
    "files": {},
}
REMOTE_CODE = {"model_type": "unheard-of", "auto_map": {"AutoModel": "code.Model", "AutoTokenizer": ["code.T", None]}}
OTHERS: dict[str, tuple[str, Maker]] = {
    "contexts: half a part": ("contexts", contexts_folder(text=b'"')),
    "contexts: a part without sentences": ("contexts", contexts_folder(text=None)),
    "contexts: a part of another list": ("contexts", contexts_folder(counts=b"")),
    "contexts: a sentence that is not there": ("contexts", contexts_folder(numbers=struct.pack("<i", 2**31 - 1))),
    "contexts: a negative sentence": ("contexts", contexts_folder(numbers=struct.pack("<i", -5))),
    "contexts: keys without sentences": ("contexts", contexts_folder(numbers=b"")),
    "contexts: bytes that are no number": ("contexts", contexts_folder(ends=b"abc")),
    "contexts: a job of brackets": ("contexts", contexts_with("parts/job.json", nested())),
    "contexts: a job that is a list": ("contexts", contexts_with("parts/job.json", "[]")),
    "contexts: a job without words": ("contexts", contexts_with("parts/job.json", '{"stamp": "x", "options": {}}')),
    "contexts: a record of brackets": ("contexts", contexts_with("record.json", nested())),
    "contexts: a record without files": ("contexts", contexts_with("record.json", '{"stamp": "x", "corpus": [1]}')),
    "sentences: brackets in brackets": ("sentences", content(nested().encode())),
    "sentences: a line without end": ("sentences", content(ENDLESS)),
    "sentences: a number of 10,000 digits": (
        "sentences",
        content(b'{"word": "a", "sentences": [], "count": ' + b"1" * 10_000 + b"}"),
    ),
    "part: pickled objects": ("part", content(npz(**{**SOUND_PART, "rows": np.array([{}])}), "x.npz")),
    "part: no archive": ("part", content(b"PK\x03\x04 no archive", "x.npz")),
    "part: numbers with a point": ("part", part(rows=np.array([0.5, 1.0]))),
    "part: a table instead of a list": ("part", part(rows=np.zeros((2, 1), dtype=np.int64))),
    "part: more words than rows": ("part", part(words=numbers(3))),
    "part: sums that run over": ("part", part(words=numbers(2**63 - 1, 2**63 - 1, 4), lengths=numbers(0, 0, 0))),
    "part: a negative length": ("part", part(words=numbers(3, -1), lengths=numbers(0, 0))),
    "part: an array is missing": ("part", content(npz(rows=numbers(0)), "x.npz")),
    "part: a million million numbers": ("part", content(part_claiming("(1000000000000,)"), "x.npz")),
    "part: a thousand million numbers": ("part", content(part_claiming("(1000000000,)"), "x.npz")),
    "part: an archive that boasts": ("part", content(zip_boasting(), "x.npz")),
    "prepared: brackets in brackets": ("prepared", prepared(nested())),
    "prepared: a record that is a list": ("prepared", prepared("[]")),
    "prepared: no parts": ("prepared", prepared(json.dumps(KEPT | {"parts": None}))),
    "prepared: a count without end": ("prepared", prepared(json.dumps(KEPT), "a\t" + "9" * 30 + "\nb\t1\n")),
    "prepared: a part of other sentences": ("prepared", prepared(json.dumps(KEPT | {"parts": [5]}))),
    "record: brackets in brackets": ("record", folder_with("record.json", nested())),
    "record: a step nobody knows": ("record", record_saying(steps=[{"name": "eval", "options": {}}])),
    "record: a dimension of 10^12": ("record", record_saying(dim=10**12, steps=unit_rows_of(10**12))),
    "record: steps that do not follow each other": ("record", record_saying(dim=DIM + 1)),
    "record: steps that are a number": ("record", record_saying(steps=5)),
    "record: a kind that is a list": ("record", record_saying(kind=[])),
    "record: a file outside the folder": ("record", record_saying(files={"../x": "0" * 64})),
    "result: brackets in brackets": ("result", content(nested().encode(), "x.json")),
    "result: scores that are a list": ("result", content(b'{"schema": 1, "scores": []}', "x.json")),
    "rows: gzip that never ends": ("rows", content(gzip_bomb(b"word1\tword2\tscore\n", b"a\tb\t1\n"), "x.tsv.gz")),
    "rows: cut off": ("rows", content(gzip.compress(b"word1\tword2\tscore\n" * 99)[:-12], "x.tsv.gz")),
    "json lines: brackets in brackets": ("json lines", content(nested().encode(), "x.jsonl")),
    "counts: an infinite count": ("counts", content(b'{"word": "a", "count": 1}\n{"word": "b", "count": Infinity}')),
    "points: brackets in brackets": ("points", content(nested().encode(), "x.json")),
    "study: brackets in brackets": ("study", content(nested().encode(), "x.json")),
    "kept scores: brackets in brackets": ("kept scores", content(nested().encode(), "x.json")),
    "kept scores: scores that are a list": ("kept scores", content(b'{"stamp": "a stamp", "scores": [5]}', "x.json")),
    "kept run: brackets in brackets": ("kept run", content(nested().encode(), "x.json")),
    "kept run: half of it": ("kept run", content(b'{"scores": {"test": 5', "x.json")),
    "checkpoint: no header": ("checkpoint", content(struct.pack("<Q", 2) + b"{}", "x.safetensors")),
    "bertram: brackets in brackets": ("bertram", folder_with(layout.CONFIG, nested())),
    "bertram: a file outside the folder": (
        "bertram",
        folder_with(layout.CONFIG, json.dumps(BERTRAM | {"files": {"../../x": "0"}})),
    ),
    "bertram: an encoder that is a list": (
        "bertram",
        folder_with(layout.CONFIG, json.dumps(BERTRAM | {"encoder": []})),
    ),
    "robust: brackets in brackets": ("robust", folder_with("everyword/robust.json", nested())),
    "robust: a strategy that is a list": (
        "robust",
        folder_with("everyword/robust.json", '{"format": 1, "strategy": [], "words": "all"}'),
    ),
    "language model: brackets in brackets": ("language model", language_model(nested())),
    "language model: code of its own": ("language model", language_model(json.dumps(REMOTE_CODE))),
    "language model: weights of 2^62 bytes": (
        "language model",
        language_model('{"model_type": "bert"}', struct.pack("<Q", 2**62)),
    ),
    "model: a folder of transformers": (
        "model",
        lambda folder: change_config(saved_model(folder), {"format": None, "model_type": "bert"}),
    ),
}
