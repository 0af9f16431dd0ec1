"""How many texts a second, and how long until the first vector? On one core, all encoders in turns."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from peers.clock import fresh_process, paces

from everyword.models.load import find_model
from text_parts.encoders import NETWORKS, Sources, TextEncoder
from text_parts.noise import misspelt
from text_parts.sets import columns, development_sets

BATCH, REPEATS = 10_000, 5
SMALLER = dict.fromkeys(NETWORKS, 200)
"""Networks are slow, and not faster in large batches."""
YARDSTICK = "model2vec-minilm"
"""It runs in every run, since only speeds of one run can be compared."""
SEED = 0
FRESH = 7
"""Fresh processes for the first vector; the median counts."""
FIRST_TEXTS = {"clean": "my doctor diagnosed leukemia", "typos": "my docter diagnosed leukamia"}


def speed_rows(encoders: Sequence[TextEncoder], data: Path) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return what is measured, and texts a second of each encoder, clean and with typos; no text comes twice."""
    batches = short_texts(data, BATCH, REPEATS + 1)
    runners = {encoder.name: (encoder.encode, SMALLER.get(encoder.name, BATCH)) for encoder in encoders}
    about = {
        "metric": f"texts a second, median of {REPEATS} batches after a warm-up, time that the process computes",
        "texts": f"batches of {BATCH:,} sentences of SNLI and STS-B, {mean_words(batches):.1f} words each",
        "yardstick": YARDSTICK,
    }
    rows: dict[str, dict[str, Any]] = {encoder.name: {"about": encoder.about} for encoder in encoders}
    for way, given in (("clean", batches), ("typos", [list(map(misspelt, batch)) for batch in batches])):
        found = paces(runners, given, time.process_time)
        unit = found[YARDSTICK]["median_words_per_second"]
        for name, pace in found.items():
            rows[name][way] = {
                "texts_per_second": pace["median_words_per_second"],
                "best": pace["words_per_second"],
                "by_yardstick": round(pace["median_words_per_second"] / unit, 3),
                "batch": pace["batch"],
            }
    return about, rows


def short_texts(data: Path, size: int, count: int) -> list[list[str]]:
    """Return batches of sentences in a random order, each sentence once."""
    found = [development_sets(data)["snli"], development_sets(data)["stsb-dev"]]
    listed = [text for pairs in found for text in (*pairs.first, *pairs.second)]
    for column in columns(data / "nli" / "snli" / "train30k.tsv.gz", "premise", "hypothesis"):
        listed += column
    texts = sorted(set(listed))
    drawn = Random(SEED).sample(texts, min(len(texts), size * count))
    share = len(drawn) // count
    return [drawn[at * share : (at + 1) * share] for at in range(count)]


def mean_words(batches: Sequence[Sequence[str]]) -> float:
    """Return how many words a text has."""
    texts = [text for batch in batches for text in batch]
    return sum(len(text.split()) for text in texts) / len(texts)


def first_vector_row(name: str, sources: Sources) -> dict[str, Any] | None:
    """Return the seconds until the first vector in a fresh process, None for an encoder without a program."""
    if (program := programs(sources).get(name)) is None:
        return None
    load, first, path = program
    return {way: _first_vector(load, f"text = {text!r}; {first}", path) for way, text in FIRST_TEXTS.items()}


def _first_vector(load: str, first: str, path: Path) -> dict[str, float]:
    found = fresh_process(load, first, path, FRESH)
    return {
        "first_vector_s": found["first_unknown_word_s"],
        "best_first_vector_s": found["best_first_unknown_word_s"],
        "first_vector_cpu_s": found["first_unknown_word_cpu_s"],
        "import_and_load_s": found["import_and_load_s"],
        "memory_mb": found["memory_mb_after_unknown"],
    }


def programs(sources: Sources) -> dict[str, tuple[str, str, Path]]:
    """Return the code that imports and loads, the code that encodes the first text, and the file of each encoder."""
    ours = ("import everyword; model = everyword.load(path)", "model.encode_texts(text)")
    static = ("from model2vec import StaticModel; model = StaticModel.from_pretrained(path)", "model.encode([text])")
    trained = "import {0}; model = {0}.load_model(path)", "model.get_sentence_vector(text)"
    llama = (
        "import pathlib, wordllama; from wordllama import WordLlama; "
        "home = pathlib.Path(wordllama.__file__).parent; "
        "model = WordLlama.load(dim=256, cache_dir=home, disable_download=True)"
    )
    network = "from sentence_transformers import SentenceTransformer; model = SentenceTransformer(path, device='cpu')"
    found = {
        "everyword": (*ours, find_model(sources.model)),
        "everyword-small": (*ours, find_model("everyword-en-small")),
        "model2vec-minilm": (*static, sources.cache / "model2vec-minilm"),
        "model2vec-mpnet": (*static, sources.cache / "model2vec-mpnet"),
        "wordllama": (llama, "model.embed([text])", sources.cache),
    }
    for package in ("fasttext", "floret"):
        path = sources.cache / f"{package}-skipgram-100d-5files.bin"
        found[package] = (trained[0].format(package), trained[1], path)
    if sources.minilm is not None:
        found["minilm"] = (network, "model.encode([text])", sources.minilm)
    return found


ABOUT_FIRST = {
    "metric": "seconds from the import to the first vector, "
    f"median of {FRESH} fresh processes; files are in the page cache",
    "texts": FIRST_TEXTS,
}
