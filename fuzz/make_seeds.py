"""Make the seeds that every search starts from: small sound files of every kind."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import struct
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
SEEDS = Path(__file__).parent / "seeds"
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from attacks.sound import small_model  # noqa: E402
from attacks.tables import fasttext, zip_of  # noqa: E402
from text_seeds import TEXTS  # noqa: E402

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
    with tarfile.open(fileobj=packed, mode="w") as archive:
        entry = tarfile.TarInfo("package/vectors.json")
        entry.size = len(WINK)
        archive.addfile(entry, io.BytesIO(WINK))
    wrapped = {"gzip": gzip.compress(text, mtime=0), "xz": lzma.compress(text)}
    wrapped["tar"] = gzip.compress(packed.getvalue(), mtime=0)
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


def keep_networks(folder: Path) -> None:
    """Trained networks, each in a file of its own."""
    import torch

    from everyword.corpus.labelled.documents import SoftLabels
    from everyword.learning.checkpoint import Progress, save_checkpoint
    from everyword.space.combination import Combination
    from everyword.systems.classifiers.classifier import ClassifierConfig, TextClassifier, save_classifier
    from everyword.systems.codes.config import CodesConfig
    from everyword.systems.codes.network import Games
    from everyword.systems.codes.trained import TrainedCode
    from everyword.systems.taggers.config import TaggerConfig
    from everyword.systems.taggers.tagger import SequenceTagger

    path = folder / "x.safetensors"
    labels, small = ["B-PER", "I-PER", "O"], TaggerConfig(states=1, characters=1)
    SequenceTagger([], labels, small, alphabet="ab", scheme="bio").save(path, {"vectors": ["none"]})
    keep("tagger", "spans", path.read_bytes())
    weights = {"output.weight": np.eye(2, 3, dtype=np.float32), "output.bias": np.zeros(2, dtype=np.float32)}
    classifier = TextClassifier(["no", "yes"], ClassifierConfig(network="tfidf"), lambda texts: np.zeros((1, 2)))
    told: dict[str, Any] = {"vectors": [], "sources": None, "words": ["ban", "sat"]}
    save_classifier(folder / "classifier", classifier, {"idf": np.ones(3, dtype=np.float32), **weights}, **told)
    keep("classifier", "tfidf", (folder / "classifier" / "classifier.safetensors").read_bytes())
    config = CodesConfig(concepts=1, values=2, bits=1, hidden=1, embedding=1, bit_embedding=1)
    TrainedCode(config, Games([config])).save(path)
    keep("trained_networks", "code", path.read_bytes())
    Combination("mean", ["a", "b"], {}).save(path)
    keep("trained_networks", "combination", path.read_bytes())
    save_checkpoint(path, {"network": {"weight": torch.ones(2)}}, Progress(), "a fingerprint")
    keep("checkpoint", "checkpoint", path.read_bytes())
    SoftLabels(("no", "yes"), np.array([[0.25, 0.75]], dtype=np.float32)).save(folder / "x.npz")
    keep("soft_labels", "labels", (folder / "x.npz").read_bytes())


def keep_parts(folder: Path) -> None:
    """What lies beside a model or a text: parts, indexes, columns, records."""
    import pyarrow
    from pyarrow import parquet

    from everyword.arrays import tensor_bytes
    from everyword.corpus.search import FileSearch, index_paths
    from everyword.sentences.context.ngram_table import NgramTable, ngram_keys
    from everyword.sentences.context.saved import KNOWN, NGRAMS, UNKNOWN
    from everyword.sentences.context.saved import WORDS as COUNTS
    from everyword.sentences.context.scorer import Scorer
    from everyword.sentences.index import TextIndex
    from everyword.sentences.weights import TextWeights
    from everyword.space import Pipeline

    model = small_model()
    keep("text_weights", "weights", tensor_bytes(TextWeights.by_rank(model.known_words).to_tensors()))
    pairs = NgramTable.build(ngram_keys(np.arange(4), np.arange(1, 5)), np.arange(1, 5, dtype=np.float32))
    networks = {**Scorer.untrained().to_tensors(KNOWN), **Scorer.untrained().to_tensors(UNKNOWN)}
    levels = np.arange(len(model.known_words) + 4, dtype=np.uint8)
    keep("context_part", "part", tensor_bytes({COUNTS: levels, **pairs.to_tensors(NGRAMS), **networks}))
    texts = folder / "x.txt"
    texts.write_text("ban belo\ngrin\n", encoding="utf-8")
    os.utime(texts, ns=(0, 0))  # an index holds the time of its file
    FileSearch.open(texts, model)
    keep("text_index", "file", index_paths(texts)[0].read_bytes())
    TextIndex.build(model, ["ban belo", "grin"]).save(folder / "x.index")
    keep("text_index", "list", (folder / "x.index").read_bytes())
    parquet.write_table(pyarrow.table({"text": ["ban", "grin"], "id": [1, 2]}), folder / "x.parquet")
    keep("parquet", "two_rows", (folder / "x.parquet").read_bytes())
    sparse = np.zeros((64, 32), dtype=np.float32)
    sparse[3, 4] = 1
    keep("pruned_tensors", "sparse", tensor_bytes({"sparse": sparse, "whole": np.ones(3, dtype=np.float32)}))
    Pipeline.fit("centre,pca:1", TABLE.matrix).save(folder / "record")
    record = [(folder / "record" / name).read_bytes() for name in ("record.json", "record.safetensors")]
    keep("space_record", "pipeline", b"\0".join(record))


if __name__ == "__main__":
    for _target, _texts in TEXTS.items():
        for _seed, _text in _texts.items():
            keep(_target, _seed, _text.encode())
    with tempfile.TemporaryDirectory() as _name:
        keep_tables(Path(_name))
        keep_models(Path(_name) / "model")
        keep_corpora(Path(_name))
        keep_networks(Path(_name))
        keep_parts(Path(_name))
