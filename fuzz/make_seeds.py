"""Make the seeds that every search starts from: small sound files of every kind."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import struct
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
SEEDS = Path(__file__).parent / "seeds"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from attacks.sound import small_model  # noqa: E402
from attacks.tables import fasttext, zip_of  # noqa: E402

from everyword.language_models.pieces import Span  # noqa: E402
from everyword.systems.skipgram.parts import Part, Sentence  # noqa: E402
from everyword.vectors.table import VectorTable  # noqa: E402

TABLE = VectorTable(["the", "Straße", "x]"], np.arange(6, dtype=np.float32).reshape(3, 2) / 3)
WINK = b'{"size":2,"dimensions":2,"words":["a","b\\u00e9"],"vectors":{"a":[1,2,2.2,0],"b\\u00e9":[1e-3,-2,2.2,1]}}'


def keep(target: str, name: str, data: bytes) -> None:
    """Write one seed."""
    (SEEDS / target).mkdir(parents=True, exist_ok=True)
    (SEEDS / target / name).write_bytes(data)


def saved(folder: Path, name: str) -> bytes:
    """The small table as a file."""
    TABLE.save(folder / name)
    return (folder / name).read_bytes()


def keep_tables(folder: Path) -> None:
    """In every format, and in every wrapping."""
    keep("word2vec", "table", saved(folder, "x.vec"))
    keep("word2vec_binary", "table", saved(folder, "x.bin"))
    keep("glove", "table", saved(folder, "x.glove") + b". . . 1 2\n")
    keep("npy", "table", saved(folder, "x.npy") + b"a\nb\nc\n")
    keep("fasttext", "model", fasttext())
    keep("wink", "package", WINK)
    text = (folder / "x.vec").read_bytes()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        entry = tarfile.TarInfo("package/vectors.json")
        entry.size = len(WINK)
        archive.addfile(entry, io.BytesIO(WINK))
    wrapped = {"gzip": gzip.compress(text, mtime=0), "xz": lzma.compress(text), "tar": packed.getvalue()}
    wrapped["zip"] = zip_of({"x.vec": text}, zipfile.ZIP_STORED)
    wrapped["zstd"] = bytes.fromhex("28b52ffd0450") + b"\x41\0\0" + b"1 1\na 1\n" + b"\0" * 4
    for name, data in wrapped.items():
        keep("any_table", name, data)


def keep_models(folder: Path) -> None:
    """The parts of a saved model."""
    for precision in ("int8", "int4", "float32"):
        small_model(precision=precision).save_pretrained(folder)  # type: ignore[arg-type]
        keep("saved_tensors", precision, (folder / "model.safetensors").read_bytes())
    keep("saved_config", "config", (folder / "config.json").read_bytes())
    lists = [(folder / name).read_bytes() for name in ("words.txt", "units.txt")]
    keep("saved_lists", "lists", b"\0".join(lists))


def keep_corpora(folder: Path) -> None:
    """What is made of texts."""
    lines = [{"word": "ban", "count": 1, "band": "rare", "sentences": ["A ban sat."]}, {"word": "x", "sentences": []}]
    keep("contexts", "lines", "".join(json.dumps(line) + "\n" for line in lines).encode())
    files = [struct.pack("<2q", 1, 0), struct.pack("<Q", 7), struct.pack("<i", 0), struct.pack("<q", 3), b'"a"']
    keep("contexts_part", "part", b"".join(bytes([len(file)]) + file for file in files))
    read = Sentence([0, 1], [5, 6, 7, 8], [Span(1, 2), Span(2, 3)])
    for name, sentence in (("plain", Sentence([0, 1])), ("read", read)):
        Part.of([sentence]).save(folder / "x.npz")
        keep("prepared_part", name, (folder / "x.npz").read_bytes())


def keep_results() -> None:
    """A score."""
    texts = dict.fromkeys(["task", "data", "data_place", "data_sha256", "model", "policy"], "x")
    numbers = dict.fromkeys(["version", "candidates", "seed", "seeds", "n", "known"], 1)
    result = {"schema": 1, **texts, **numbers, "data_expected": True, "model_sha256": None, "main": "score"}
    result |= {"scores": {"score": 0.5}, "spread": {}, "sections": {}, "versions": {}, "coverage": 1.0}
    result |= {"encode_seconds": 0.1, "score_seconds": 0.1}
    keep("evaluation_result", "result", json.dumps(result).encode())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as _name:
        keep_tables(Path(_name))
        keep_models(Path(_name) / "model")
        keep_corpora(Path(_name))
    keep_results()
