"""Prune what a folder holds: a saved model, a tagger or a classifier."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from everyword.errors import InputError

NETWORKS = {"tagger.safetensors": "the tagger", "classifier.safetensors": "the classifier"}
"""The file of weights that tells what a folder holds."""
NO_WEIGHTS = ("sample.vectors",)
"""What such a file holds besides: vectors of a classifier's words, which tell whether its source has changed."""


def prune_folder(source: Path, output: Path, sparsity: float) -> dict[str, Any]:
    """Prune a saved network and write it to another folder; return what was done, as plain values.

    Args:
        source: A folder with a model, a tagger or a classifier.
        output: The folder to write.
        sparsity: The share of each matrix that becomes zero.
    """
    from everyword.models.load import find_model
    from everyword.models.pruned import PRUNED, prune_model, prune_weights
    from everyword.models.saved.read import read_model

    if not 0 < sparsity < 1:
        raise InputError(f"The sparsity must be above 0 and below 1. Got {sparsity:g} instead.")
    weights = next((name for name in NETWORKS if (source / name).is_file()), None)
    if weights is None:
        folder = find_model(str(source))
        pruned = prune_model(read_model(folder), sparsity)
        pruned.model.save_pretrained(output)
        zeros, cosine = pruned.model.record[PRUNED]["zeros"], round(pruned.cosine, 4)
        return {"what": "the model", "zeros": zeros, "cosine": cosine, **_sizes(folder, output)}
    output.mkdir(parents=True, exist_ok=True)
    zeros = prune_weights(source / weights, output / weights, sparsity, NO_WEIGHTS)
    for path in source.iterdir():
        if path.is_file() and path.name != weights:
            shutil.copyfile(path, output / path.name)
    return {"what": NETWORKS[weights], "zeros": round(zeros, 4), **_sizes(source, output)}


def _sizes(before: Path, after: Path) -> dict[str, int]:
    sizes = [sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) for folder in (before, after)]
    return {"bytes_before": sizes[0], "bytes": sizes[1]}
