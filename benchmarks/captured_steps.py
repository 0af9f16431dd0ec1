"""Milliseconds a step of a character encoder on a GPU, as usual and as a CUDA graph, by the number of words a step.

    python benchmarks/captured_steps.py --teacher glove.npy

The first epoch of each training is left out: it records the graphs. Both trainings show the same words in the same
steps, so their losses must agree.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click
import torch
from record import keep

from everyword.systems.spelling.recipe import load_recipe
from everyword.systems.spelling.train import SpellingRun, train

SIZES = {16: 4_000, 64: 16_000, 256: 64_000}
"""The number of words in all by the number of words a step: about 250 steps an epoch."""


@click.command()
@click.option("--teacher", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--epochs", default=4, show_default=True)
@click.option("--note", default="", help="What else the GPU was doing.")
def main(teacher: Path, epochs: int, note: str) -> None:
    """Time both ways."""
    rows = []
    for anchors, words in SIZES.items():
        found = {captured: steps(teacher, anchors, words, epochs, captured) for captured in (False, True)}
        usual, captured = (found[way]["milliseconds"] for way in (False, True))
        rows.append(
            {
                "words a step": anchors,
                "usual": usual,
                "captured": captured,
                "loss": [found[way]["loss"] for way in (False, True)],
            }
        )
        print(f"{anchors:4} words a step: {usual:.2f} ms as usual, {captured:.2f} ms captured", flush=True)
    device = torch.cuda.get_device_name()
    keep("captured-steps", {"metric": "milliseconds a step", "device": device, "note": note, "rows": rows})


def steps(teacher: Path, anchors: int, words: int, epochs: int, captured: bool) -> dict[str, float]:
    """Return the milliseconds of a step, and the loss of the last epoch."""
    overrides = [
        f"words.limit={words}",
        "store.words=1000",
        f"training.anchors={anchors}",
        f"training.epochs={epochs}",
        f"training.captured={str(captured).lower()}",
        "training.precision=float32",
    ]
    with tempfile.TemporaryDirectory() as folder:
        recipe = load_recipe("reconstruction", overrides)
        train(SpellingRun(recipe, Path(folder), teacher, device="cuda", show_progress=False))
        log = [json.loads(line) for line in (Path(folder) / "log.jsonl").read_text().splitlines()]
    count = -(-round(words * 0.99) // anchors)
    return {
        "milliseconds": round(1000 * min(entry["seconds"] for entry in log[1:]) / count, 3),
        "loss": log[-1]["loss"],
    }


if __name__ == "__main__":
    main()
