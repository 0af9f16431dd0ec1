"""The encoders of texts by their names: everyword in its ways, and its peers. Each is opened when it is needed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from peers.corpus import words_of
from peers.trained import FASTTEXT_SETTINGS, FLORET_SETTINGS, Workshop, made_with

import everyword
from everyword.arrays import FloatArray
from everyword.evaluation.evaluated_model import model_fingerprint
from everyword.models.load import find_model
from everyword.models.saved.read import read_model
from text_parts import by_hand

Encode = Callable[[Sequence[str]], FloatArray]
FIRST_MODEL = "012d497"
"""The commit with the first everyword-en."""
ROOT = Path(__file__).parents[2]
CORPUS_FILES, DIM = 5, 100
"""Of fastText and floret, as `everyword_peers.py` trains them."""
EVERYWORD = "everyword"
SHIPPED = (EVERYWORD, "everyword-small")
OURS = (*SHIPPED, "everyword-sif", "everyword-mean", "everyword-1-sif")
STATIC = ("model2vec-minilm", "model2vec-mpnet", "wordllama", "fasttext", "floret")
NETWORKS = ("minilm", "minilm-robust")
PEERS = (*STATIC, *NETWORKS)
ALL = (*OURS, *PEERS)
GROUPS = {"all": ALL, "ours": OURS, "peers": PEERS, "static": STATIC}
TITLES = {
    "everyword": "everyword-en, `encode_texts`",
    "everyword-small": "everyword-en-small, `encode_texts`",
    "everyword-sif": "everyword-en, frequency weights by hand",
    "everyword-mean": "everyword-en, plain mean of words",
    "everyword-1-sif": "everyword-en 1, frequency weights by hand",
    "model2vec-minilm": "model2vec, distilled from MiniLM",
    "model2vec-mpnet": "model2vec, distilled from MPNet",
    "wordllama": "wordllama, 256 dimensions",
    "fasttext": "fastText sentence vectors",
    "floret": "floret, mean of words",
    "minilm": "all-MiniLM-L6-v2, a transformer",
    "minilm-robust": "the same, made robust by everyword",
}


@dataclass(frozen=True)
class TextEncoder:
    """Something that gives texts vectors."""

    name: str
    encode: Encode
    about: dict[str, Any]
    """What it is: dimension, how it was made, the identity of its files."""


@dataclass(frozen=True)
class Sources:
    """The folders that encoders are made from, and where what is made is kept."""

    data: Path
    cache: Path
    minilm: Path | None = None
    mpnet: Path | None = None
    model: str | None = None
    """The model behind "everyword": a name or a folder, None for the default."""

    def open(self, name: str) -> TextEncoder:
        """Open an encoder; what has to be trained or distilled is made on the way and kept."""
        encode, about = OPENERS[name](self)
        return TextEncoder(name, encode, about)


def chosen(names: str) -> list[str]:
    """Return the encoders of a list with commas; groups are all, ours, peers and static.

    >>> chosen("everyword,static,fasttext")[:3]
    ['everyword', 'model2vec-minilm', 'model2vec-mpnet']
    """
    listed = [name for part in names.split(",") for name in GROUPS.get(part.strip(), (part.strip(),))]
    for name in listed:
        if name not in ALL:
            raise ValueError(f"{name!r} is not an encoder; there are {', '.join((*GROUPS, *ALL))}.")
    return list(dict.fromkeys(listed))


Opened = tuple[Encode, dict[str, Any]]


def shipped(name: str | None, sources: Sources) -> Opened:
    folder = find_model(name)
    model = everyword.load(folder)
    return model.encode_texts, _about(model, folder)


def hand_made(weight: Callable[[Path], by_hand.Weight], sources: Sources, home: Path | None = None) -> Opened:
    folder = home or find_model(sources.model)
    model = read_model(folder)
    return partial(by_hand.weighted_mean, model, weight(sources.data)), _about(model, folder)


def first_model(sources: Sources) -> Opened:
    home = sources.cache / "everyword-en-1"
    if not home.exists():
        asked = ["git", "archive", FIRST_MODEL, "src/everyword/data/everyword-en"]
        packed = io.BytesIO(subprocess.check_output(asked, cwd=ROOT))
        beside = sources.cache / "everyword-en-1.partial"
        with tarfile.open(fileobj=packed) as archive:
            archive.extractall(beside, filter="data")
        (beside / "src" / "everyword" / "data" / "everyword-en").rename(home)
    return hand_made(by_hand.sif, sources, home)


def distilled(teacher: str, sources: Sources) -> Opened:
    from model2vec import StaticModel

    path = sources.cache / f"model2vec-{teacher}"
    if not made_with(path).exists():
        from model2vec.distill import distill

        folder = {"minilm": sources.minilm, "mpnet": sources.mpnet}[teacher]
        print(f"distilling model2vec from {_given(folder, teacher)}", file=sys.stderr)
        started = time.perf_counter()
        distill(model_name=str(folder)).save_pretrained(str(path))
        note = {"teacher": _given(folder, teacher).name, "seconds": round(time.perf_counter() - started)}
        made_with(path).write_text(json.dumps(note))
    model = StaticModel.from_pretrained(str(path))

    def encode(texts: Sequence[str]) -> FloatArray:
        vectors = model.encode(list(texts), use_multiprocessing=False)
        return np.nan_to_num(np.asarray(vectors, dtype=np.float32))

    return encode, {"dim": model.dim, **json.loads(made_with(path).read_text())}


def llama(sources: Sources) -> Opened:
    from wordllama import WordLlama

    model = WordLlama.load(dim=256, cache_dir=wordllama_home(), disable_download=True)
    return lambda texts: np.nan_to_num(model.embed(list(texts))), {"dim": 256, "weights": "l2_supercat_256"}


def wordllama_home() -> Path:
    """Return the folder of the package: weights and tokeniser lie in it, but it looks for the latter elsewhere."""
    import wordllama

    return Path(wordllama.__file__).parent


def trained(package: str, sources: Sources) -> Opened:
    settings = {"fasttext": FASTTEXT_SETTINGS, "floret": FLORET_SETTINGS}[package]
    peer = Workshop(sources.data, sources.cache, CORPUS_FILES, DIM, None).trained(package, package, settings)
    model = __import__(package).load_model(str(peer.path))

    def encode(texts: Sequence[str]) -> FloatArray:
        # Its own vectors of sentences: the mean of the words' vectors, each scaled to length 1.
        return np.array([model.get_sentence_vector(words_of(text)) for text in texts], dtype=np.float32)

    return encode, {"dim": peer.dim, **peer.made}


def transformer(sources: Sources, robust: bool) -> Opened:
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    folder = _given(sources.minilm, "minilm")
    encoder: Any = SentenceTransformer(str(folder), device="cpu")
    if robust:
        from everyword.plugins.sentence_transformers import robustify

        robustify(encoder)

    def encode(texts: Sequence[str]) -> FloatArray:
        return np.asarray(encoder.encode(list(texts), batch_size=64, show_progress_bar=False), dtype=np.float32)

    return encode, {"dim": 384, "max_tokens": encoder.max_seq_length}


OPENERS: dict[str, Callable[[Sources], Opened]] = {
    "everyword": lambda sources: shipped(sources.model, sources),
    "everyword-small": partial(shipped, "everyword-en-small"),
    "everyword-sif": partial(hand_made, by_hand.sif),
    "everyword-mean": partial(hand_made, lambda data: by_hand.equal),
    "everyword-1-sif": first_model,
    "model2vec-minilm": partial(distilled, "minilm"),
    "model2vec-mpnet": partial(distilled, "mpnet"),
    "wordllama": llama,
    "fasttext": partial(trained, "fasttext"),
    "floret": partial(trained, "floret"),
    "minilm": partial(transformer, robust=False),
    "minilm-robust": partial(transformer, robust=True),
}


def _about(model: everyword.Model, folder: Path) -> dict[str, Any]:
    return {"dim": model.dim, "model": model.name, "identity": model_fingerprint(folder)}


def _given(folder: Path | None, name: str) -> Path:
    if folder is None:
        raise SystemExit(f"Give --{name} FOLDER, from which this encoder is made.")
    return folder
