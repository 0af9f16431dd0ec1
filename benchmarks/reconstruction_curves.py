"""How an encoder of characters learns to reconstruct word vectors: scores by epoch, one difference at a time.

    python benchmarks/reconstruction_curves.py --teacher glove.npy --data DATA --device cuda

The first setting is the one that the others differ from. Similarity is that of SimLex, MTurk and SimVerb, which no
reproduced table of Stratos uses; all vectors are inferred. Held-out words are words that no step shows. A constant
output, the mean of all vectors, has a cosine with them too: only what exceeds it is learnt from spelling. Rows that
exist in the work folder are not trained again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import numpy as np
from record import keep

from everyword.evaluation.benchmark import Benchmark, choose
from everyword.evaluation.evaluated_model import evaluated_model
from everyword.evaluation.run import run_benchmark
from everyword.files import checksum
from everyword.systems.spelling.recipe import load_recipe
from everyword.systems.spelling.teacher import Teacher
from everyword.systems.spelling.train import SpellingRun, get_prepared, train
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable
from everyword.vectors.write import write_table

SETS = ("simlex999", "mturk771", "simverb3500")
EPOCHS = (0, 1, 2, 5, 10, 20, 50)
CURVE = "curve.json"
SHOWN = 2000
"""The number of words whose cosines with each other are averaged."""


@dataclass(frozen=True)
class Setting:
    """What differs from the first setting."""

    overrides: tuple[str, ...] = ()
    targets: str = "as they are"
    recipe: str = "reconstruction"
    epochs: int = 20


SETTINGS = {
    "64 words a step": Setting(epochs=50),
    "256 words a step": Setting(("training.anchors=256",), epochs=50),
    "16 words a step": Setting(("training.anchors=16",)),
    "4 words a step": Setting(("training.anchors=4",), epochs=5),
    "20,000 words": Setting(("words.limit=20000",), epochs=50),
    "rate 5e-3": Setting(("training.learning_rate=5e-3",)),
    "rate 1e-3": Setting(("training.learning_rate=1e-3",)),
    "rate 3e-4": Setting(("training.learning_rate=3e-4",)),
    "targets centred": Setting(targets="centred"),
    "targets of length 1": Setting(targets="of length 1"),
    "squared distance": Setting(("loss.name=squared",)),
    "cosine": Setting(("loss.name=cosine",)),
    "contrastive loss": Setting(("loss.name=contrastive",)),
    "rectified head": Setting(("encoder.options.head=relu",)),
    "states of 300": Setting(("encoder.options.hidden=300",)),
    "LOVE": Setting(("vocabulary.size=14000", "training.captured=false"), recipe="love", epochs=5),
}


@click.command()
@click.option("--teacher", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--work", type=click.Path(path_type=Path), default=Path("runs/reconstruction-curves"), show_default=True)
@click.option("--words", default=100_000, show_default=True)
@click.option("--epochs", default=50, show_default=True, help="The longest training.")
@click.option("--seeds", default=1, show_default=True)
@click.option("--device", default="cpu", show_default=True)
@click.option("--captured/--no-captured", default=True, help="Replay whole steps on a GPU.")
@click.option("--only", multiple=True, metavar="SETTING", help="Train only these; nothing is kept.")
@click.option("--saved-only", is_flag=True, help="Train nothing; keep what the work folder has.")
def main(
    *,
    teacher: Path,
    data: Path,
    work: Path,
    words: int,
    epochs: int,
    seeds: int,
    device: str,
    captured: bool,
    only: tuple[str, ...],
    saved_only: bool,
) -> None:
    """Train and score all settings."""
    work.mkdir(parents=True, exist_ok=True)
    shared = [f"words.limit={words}", "store.words=1000", "training.anchors=64", "training.precision=float32"]
    shared += ["training.keep=last", "training.decay=1", "training.learning_rate=2e-3"]
    shared += [f"training.captured={str(captured).lower()}"]
    benchmarks = choose([f"similarity/{name}" for name in SETS], data)
    rows: dict[str, Any] = {}
    for name in only or SETTINGS:
        setting = SETTINGS[name]
        folders = [work / f"{name.replace(' ', '-').replace(',', '')}-{seed}" for seed in range(seeds)]
        if saved_only and not all((folder / CURVE).exists() for folder in folders):
            print(f"{name}: not in {work}")
            continue
        runs = []
        for seed, folder in enumerate(folders):
            overrides = [*shared, *setting.overrides, f"training.seed={seed}"]
            run = SpellingRun(
                load_recipe(setting.recipe, overrides),
                folder / "run",
                with_targets(teacher, setting.targets, work),
                device=device,
                show_progress=False,
            )
            counts = [count for count in EPOCHS if count <= min(epochs, setting.epochs)]
            runs.append(curve(run, counts, benchmarks))
            last = runs[-1][-1]
            print(f"{name}, seed {seed}: similarity {last['similarity']:.1f} after {last['epochs']} epochs", flush=True)
        rows[name] = {"differs by": list(setting.overrides), "targets": setting.targets, "runs": runs}
    if not only:
        head = {"metric": "Spearman x 100, every vector inferred", "words": words, "seeds": seeds}
        keep("reconstruction-curves", {**head, "teacher": f"{teacher.name} {checksum(teacher)}", "settings": rows})


def with_targets(teacher: Path, targets: str, work: Path) -> Path:
    """Return the teacher's file, or that of a changed copy of its vectors."""
    if targets == "as they are":
        return teacher
    path = work / f"{targets.replace(' ', '-')}.npy"
    if not path.exists():
        table = Teacher.load(teacher, load_recipe("reconstruction").normalise)
        changed = table.matrix - table.matrix.mean(axis=0) if targets == "centred" else unit_rows(table.matrix)
        write_table(VectorTable(table.words, changed), path)
    return path


def curve(run: SpellingRun, epochs: Sequence[int], benchmarks: Sequence[Benchmark]) -> list[dict[str, Any]]:
    """Return the scores after each number of epochs of one training."""
    saved = run.folder.parent / CURVE
    if saved.exists():
        found: list[dict[str, Any]] = json.loads(saved.read_text())
        return found
    points = []
    for count in epochs:
        config = replace(run.config, training=replace(run.config.training, epochs=count))
        run = replace(run, config=config, resume=count > 0)
        start = perf_counter()
        model = train(run)
        if model is None:
            raise SystemExit("stopped")
        seconds = perf_counter() - start
        prepared = get_prepared(replace(run, resume=True))
        some = prepared.words[:: max(1, len(prepared.words) // SHOWN)]
        outputs, wanted = model.infer(prepared.held_out_words), prepared.held_out_targets
        constant = np.broadcast_to(prepared.targets.mean(axis=0), wanted.shape)
        mean = unit_rows(model.infer(some)).mean(axis=0)
        evaluated = evaluated_model(model, "infer")
        scores = {one.name.partition("/")[2]: run_benchmark(evaluated, one).scores["spearman"] for one in benchmarks}
        points.append(
            {
                "epochs": count,
                "steps": count * -(-len(prepared.words) // config.training.anchors),
                "similarity": round(float(np.mean(list(scores.values()))), 2),
                "sets": {name: round(value or 0.0, 2) for name, value in scores.items()},
                "held_out_cosine": round(mean_cosine(outputs, wanted), 4),
                "constant_cosine": round(mean_cosine(constant, wanted), 4),
                "cosine_of_two_words": round(float(mean @ mean), 4),
                "seconds": round(seconds, 1),
            }
        )
        print(json.dumps(points[-1]), flush=True)
    saved.write_text(json.dumps(points))
    return points


def mean_cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float((unit_rows(np.asarray(one, np.float32)) * unit_rows(np.asarray(other, np.float32))).sum(axis=1).mean())


if __name__ == "__main__":
    main()
