"""What is left of models of spelling when their smallest weights are zero.

    python benchmarks/pruned_models.py --data DATA

The encoder of a saved model is pruned, nothing is trained afterwards. RareWord is scored with all vectors made from
spelling alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from record import keep

from everyword.arrays import FloatArray
from everyword.evaluation.benchmark import Benchmark, choose
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.run import run_benchmark
from everyword.models.load import load
from everyword.models.model import Model
from everyword.models.pruned import prune_model
from everyword.models.saved.layout import TENSORS

MODELS = ("love-en", "everyword-en")
SHARES = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
TASK = "similarity/rareword"


def spelling_alone(model: Model) -> EvaluatedModel:
    """Return the encoder of a model without its stored vectors and its gate."""

    def vectors(words: Sequence[str]) -> FloatArray:
        return model.form_encoder([model.normalise(word) for word in words])

    return EvaluatedModel(model.name, "infer", vectors, [], model.normalise)


@click.command()
@click.option("--data", type=click.Path(exists=True, path_type=Path), required=True)
def main(data: Path) -> None:
    """Prune each model by each share and save bytes, cosine and score."""
    [benchmark] = [one for one in choose([TASK], data) if isinstance(one, Benchmark)]
    found: dict[str, list[dict[str, Any]]] = {}
    for name in MODELS:
        model = load(name)
        for share in SHARES:
            pruned = prune_model(model, share)
            score = run_benchmark(spelling_alone(pruned.model), benchmark).value
            with TemporaryDirectory() as folder:
                pruned.model.save_pretrained(folder)
                written = (Path(folder) / TENSORS).stat().st_size
            row = {"sparsity": share, "bytes": written, "cosine": round(pruned.cosine, 4), "rareword": round(score, 2)}
            found.setdefault(name, []).append(row)
            print(name, row, flush=True)
    metric = "bytes of model.safetensors; mean cosine of vectors from spelling to those before; Spearman, RareWord"
    keep("pruned-models", {"metric": metric, "models": found})


if __name__ == "__main__":
    main()
