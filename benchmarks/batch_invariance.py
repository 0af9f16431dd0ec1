"""What it would cost if a word's vector were the same to the bit in every batch, on a processor without AVX-512.

python benchmarks/batch_invariance.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from record import keep

import everyword
from everyword.text.corruption import drop, insert, keyboard, swap

CORE_TYPE = "Haswell"
SEED, WORDS, ONE_BY_ONE = 0, 10_000, 300
BLOCK = 8
"""The only number of rows that no kernel of OpenBLAS treats unequally."""
VARIANTS = ("plain", "blocks", "rows")


class Invariant:
    """A matrix whose product with rows does not depend on the other rows."""

    __array_ufunc__ = None  # so that NumPy leaves the product to this class

    def __init__(self, matrix: Any, block: int) -> None:
        self.matrix, self.block, self.shape = matrix, block, matrix.shape

    def __getitem__(self, key: Any) -> Any:
        return self.matrix[key]

    def __rmatmul__(self, rows: Any) -> Any:
        full = -(-len(rows) // self.block) * self.block
        padded = np.zeros((full, rows.shape[1]), dtype=np.float32)
        padded[: len(rows)] = rows
        # np.matmul of a stack multiplies each of its matrices alone.
        product = np.matmul(padded.reshape(-1, self.block, rows.shape[1]), self.matrix)
        return product.reshape(full, *self.matrix.shape[1:])[: len(rows)]


def make_invariant(tables: dict[str, Any], block: int) -> None:
    """Replace the matrices of products."""
    for name, table in tables.items():
        if "letters" not in name and "bias" not in name and name != "unit":
            tables[name] = Invariant(table, block)


def measure(variant: str) -> dict[str, float]:
    """Words per second in batches, and microseconds for one word, in processor time; the best of three rounds."""
    model = everyword.load("everyword-en")
    rng = Random(SEED)
    known = [word for word in model.known_words.words[:WORDS] if len(word) > 3]
    typos = [rng.choice([drop, insert, keyboard, swap])(word, rng) for word in known]
    typos = [word for word in typos if word not in model]
    model.encode(typos[:100])
    if variant != "plain":
        assert model.blender is not None
        for tables in (model.form_encoder.forward.tables, model.blender.gate.tables):
            make_invariant(tables, BLOCK if variant == "blocks" else 1)  # type: ignore[arg-type]
    rounds = []
    for _ in range(3):
        found = {}
        for name, encode in (("full path", model.encode), ("form only", model.infer)):
            start = time.process_time()
            encode(typos)
            found[f"{name}, words per second"] = len(typos) / (time.process_time() - start)
            start = time.process_time()
            for word in typos[:ONE_BY_ONE]:
                encode([word])
            found[f"{name}, one word, µs"] = 1e6 * (time.process_time() - start) / ONE_BY_ONE
        rounds.append(found)
    best = {key: (max if "second" in key else min)(one[key] for one in rounds) for key in rounds[0]}
    vectors, reversed_vectors = model.encode(typos), model.encode(typos[::-1])[::-1]
    return {**best, "largest difference between two batches": float(np.abs(vectors - reversed_vectors).max())}


@click.command()
@click.option("--variant", type=click.Choice(VARIANTS), help="Measure one variant here, and print it.")
def main(variant: str | None) -> None:
    if variant:
        print(json.dumps(measure(variant)))
        return
    found = {}
    for name in VARIANTS:
        done = subprocess.run(
            [sys.executable, __file__, "--variant", name],
            env={**os.environ, "OPENBLAS_CORETYPE": CORE_TYPE, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        found[name] = json.loads(done.stdout)
        print(name, found[name])
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True, cwd=Path(__file__).parent).strip()
    about = {
        "commit": commit,
        "seed": SEED,
        "words": WORDS,
        "block": BLOCK,
        "load_average": round(os.getloadavg()[0], 1),
    }
    keep(
        "batch-invariance",
        {
            "metric": f"processor time, one thread, {CORE_TYPE} kernels",
            **about,
            "load_average": os.getloadavg()[0],
            "variants": found,
        },
    )


if __name__ == "__main__":
    main()
