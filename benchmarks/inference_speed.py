"""Words per second on one core: 10,000 misspelt words, including their split into units.

    python benchmarks/inference_speed.py

fastText (C++ n-grams) and the nearest spelling by rapidfuzz run beside it where they are installed.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from record import keep

import everyword
from everyword import registry
from everyword.models.model import Model
from everyword.models.retrieval.edit_index import EditIndex

WORDS, ROUNDS = 10_000, 9
TYPOS = ("swap", "drop", "insert", "keyboard")


def main() -> None:
    model = everyword.load("love-en")
    typos = misspelt(model)
    contenders = {
        "everyword, batch": lambda: model.infer(typos),
        "everyword, one word at a time": lambda: [model[word] for word in typos[:1000]],
        **peers(model, typos),
    }
    sizes = {"everyword, one word at a time": 1000, "nearest spelling (rapidfuzz)": 100}
    results = {name: speed(run, sizes.get(name, WORDS)) for name, run in contenders.items()}
    for name, result in results.items():
        print(f"{result['words_per_second']:>10,.0f} words/s  {name}")
    keep(
        "inference-speed",
        {"metric": f"best of {ROUNDS} rounds, one thread", "words": WORDS, "model": model.name, "contenders": results},
    )


def misspelt(model: Model) -> list[str]:
    """Return typos of stored words, none of them stored itself."""
    rng, typos = Random(0), []
    while len(typos) < WORDS:
        word = rng.choice(model.known_words.words)
        typo = registry.corruptions.get(rng.choice(TYPOS))(word, rng)
        if not model.known(typo):
            typos.append(typo)
    return typos


def peers(model: Model, typos: list[str]) -> dict[str, Callable[[], Any]]:
    found: dict[str, Callable[[], Any]] = {}
    try:
        fasttext = tiny_fasttext(model)
        found["fastText n-grams (C++)"] = lambda: [fasttext.get_word_vector(word) for word in typos]
    except ImportError:
        print("fastText is not installed (pip install fasttext-wheel): skipped")
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    known = model.known_words.words
    index = EditIndex(known)
    found["nearest spelling (everyword's index, distance 2)"] = lambda: index.nearest(typos)
    found["nearest spelling (rapidfuzz)"] = lambda: [
        process.extractOne(w, known, scorer=OSA.distance) for w in typos[:100]
    ]
    return found


def tiny_fasttext(model: Model) -> Any:
    """Return a fastText model of the usual shape; its speed does not depend on its training."""
    import fasttext

    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "words.txt"
        text.write_text("\n".join(" ".join(model.known_words.words[i : i + 20]) for i in range(0, 50_000, 20)))
        return fasttext.train_unsupervised(str(text), dim=model.dim, epoch=1, minCount=1, verbose=0)


def speed(run: Callable[[], Any], words: int) -> dict[str, float]:
    run()
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return {
        "words_per_second": round(words / min(times)),
        "median_words_per_second": round(words / sorted(times)[ROUNDS // 2]),
    }


if __name__ == "__main__":
    main()
