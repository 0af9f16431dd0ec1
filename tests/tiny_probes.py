"""Small data sets in the folders where probes look for them."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
from tiny import tiny_table


def write_tagged(folder: Path, sentences: int = 60) -> Path:
    """Words of two endings, each with its own tag, so that the tag is in the vector."""
    words = tiny_table().words
    pairs = [(word, "VERB" if word.endswith("ing") else "NOUN") for word in words if word.endswith(("ing", "ness"))]
    rng = np.random.default_rng(0)
    path = folder / "tagging" / "ud_ewt"
    path.mkdir(parents=True)
    for part in ("train", "test"):
        chosen = rng.integers(len(pairs), size=(sentences, 5))
        lines = ["\n".join("\t".join(pairs[one]) for one in row) for row in chosen]
        (path / f"{part}.conll.gz").write_bytes(gzip.compress(("\n\n".join(lines) + "\n").encode()))
    return folder
