"""fastText and floret, trained on the shared corpus with the same settings, and model2vec, distilled from MiniLM.

Each is made once and kept in a cache outside the repository; the name of the file says with which settings.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.evaluation.evaluated_model import EvaluatedModel
from peers.corpus import prepared_corpus
from peers.names import FASTTEXT, FLORET, MODEL2VEC

THREADS = 2
COMMON = {"model": "skipgram", "epoch": 1, "minCount": 5, "neg": 5, "ws": 5}
FASTTEXT_SETTINGS = {**COMMON, "minn": 3, "maxn": 6, "bucket": 2_000_000}
FLORET_SETTINGS = {**COMMON, "minn": 4, "maxn": 5, "bucket": 50_000, "mode": "floret", "hashCount": 2}


@dataclass(frozen=True)
class Peer:
    """A model that gives every word a vector."""

    name: str
    path: Path
    """The file or folder that its package loads."""
    shipped: Path
    """The file or folder that a user would need."""
    made: dict[str, Any]
    """How it was made."""
    batch: Callable[[Sequence[str]], FloatArray]
    one: Callable[[str], FloatArray]
    dim: int
    parameters: int
    knows: Callable[[str], bool] | None = None
    """Returns whether a word has a vector of its own; None if the peer does not distinguish."""

    def model(self, candidates: Sequence[str]) -> EvaluatedModel:
        """Return the peer as a model to evaluate, with given candidates; it reads words in lower case."""
        return EvaluatedModel(self.name, "encode", self.batch, candidates, str.lower)


@dataclass(frozen=True)
class Workshop:
    """The folders of peers and of what they are trained on."""

    data: Path
    cache: Path
    corpus_files: int
    dim: int
    minilm: Path | None

    def peers(self) -> list[Peer]:
        """Return all peers for which packages and folders are available."""
        found = [
            self.trained(FASTTEXT, "fasttext", FASTTEXT_SETTINGS),
            self.trained(FLORET, "floret", FLORET_SETTINGS),
        ]
        if self.minilm:
            found.append(self.distilled(self.minilm))
        else:
            print("model2vec is skipped; give --minilm DIR", file=sys.stderr)
        return found

    def trained(self, name: str, package: str, settings: dict[str, Any]) -> Peer:
        path = self.cache / f"{package}-{settings['model']}-{self.dim}d-{self.corpus_files}files.bin"
        if not made_with(path).exists():
            corpus = prepared_corpus(self.data, self.cache, self.corpus_files)
            print(f"training {name} on {corpus.name}", file=sys.stderr)
            started = time.perf_counter()
            model = _package(package).train_unsupervised(
                str(corpus), dim=self.dim, thread=THREADS, verbose=0, **settings
            )
            seconds = time.perf_counter() - started
            model.save_model(str(path))
            note = {**settings, "dim": self.dim, "threads": THREADS, "corpus_files": self.corpus_files}
            note |= {"corpus_words": _words(corpus), "known_words": len(model.words), "seconds": round(seconds)}
            made_with(path).write_text(json.dumps(note))
        return open_trained(name, package, path)

    def distilled(self, minilm: Path) -> Peer:
        path = self.cache / "model2vec-minilm"
        if not made_with(path).exists():
            from model2vec.distill import distill

            print(f"distilling model2vec from {minilm}", file=sys.stderr)
            started = time.perf_counter()
            distill(model_name=str(minilm)).save_pretrained(str(path))
            note = {"teacher": "all-MiniLM-L6-v2", "seconds": round(time.perf_counter() - started)}
            made_with(path).write_text(json.dumps(note))
        return open_distilled(path)


def open_trained(name: str, package: str, path: Path) -> Peer:
    model = _package(package).load_model(str(path))
    vector, known = model.get_word_vector, frozenset(model.words)
    dim = model.get_dimension()

    def one(word: str) -> FloatArray:
        return vector(word.lower())

    def batch(words: Sequence[str]) -> FloatArray:
        return np.array([vector(word.lower()) for word in words], dtype=np.float32).reshape(len(words), dim)

    made = _note(path)
    hashed = made.get("mode") == "floret"  # whole words too, so that the table of hashed rows is all one ships
    shipped = path.with_suffix(".floret") if hashed else path
    if not shipped.exists():
        model.save_floret_vectors(str(shipped))
    return Peer(
        name,
        path=path,
        shipped=shipped,
        made=made,
        batch=batch,
        one=one,
        dim=dim,
        parameters=dim * (made["bucket"] + (0 if hashed else made["known_words"])),
        knows=lambda word: word.lower() in known,
    )


def open_distilled(path: Path) -> Peer:
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(str(path))

    def batch(words: Sequence[str]) -> FloatArray:
        vectors = model.encode(list(words), use_multiprocessing=False)
        return np.nan_to_num(np.asarray(vectors, dtype=np.float32))

    return Peer(
        MODEL2VEC,
        path=path,
        shipped=path,
        made=_note(path),
        batch=batch,
        one=lambda word: batch([word])[0],
        dim=model.dim,
        parameters=int(model.embedding.size),
    )


def made_with(path: Path) -> Path:
    """Write the record beside a model last: with it the model is complete."""
    return path.with_name(path.name + ".json")


def _note(path: Path) -> dict[str, Any]:
    note: dict[str, Any] = json.loads(made_with(path).read_text())
    return note


def _package(name: str) -> Any:
    import importlib

    return importlib.import_module(name)


def _words(corpus: Path) -> int:
    with corpus.open(encoding="utf-8") as lines:
        return sum(line.count(" ") + 1 for line in lines)
