"""A fine-tuned encoder under typos, plain and with `robustify`: SST-2 with its published noisy copies.

python benchmarks/robust_sst2.py --encoder FOLDER --name all-MiniLM-L6-v2 --data FOLDER/sst2
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import click
from record import keep

from everyword.corpus.labelled.sets import read_texts
from everyword.language_models.fine_tuning import FineTuning, accuracy, fine_tune, new_classifier
from everyword.plugins.transformers import adapt_to, make_plain, robustify

LADDER = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90)
TRAINED = (("replace", "misspelt"), ("linear", "misspelt"), ("add", "misspelt"))
PAPER = (("replace", "split"), ("linear", "split"), ("add", "split"))
"""Every split word, as the LOVE paper has it."""
AFTERWARDS = (("replace", "misspelt"), ("replace", "unknown"), ("slash", "misspelt"))
"""The plain classifier, made robust after its training."""


@click.command()
@click.option("--encoder", required=True)
@click.option("--data", required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--name", required=True, help="What the encoder is called in the result.")
@click.option("--seeds", default=3, show_default=True)
@click.option("--epochs", default=3, show_default=True)
@click.option("--processes", default=1, show_default=True, help="Seeds at the same time; a GPU has room for all.")
@click.option("--results", type=click.Path(path_type=Path))
def main(encoder: str, data: Path, name: str, seeds: int, epochs: int, processes: int, results: Path | None) -> None:  # noqa: PLR0917
    """Fine-tune with each strategy and score the ladder."""
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        runs = list(pool.map(partial(one_seed, encoder, data, epochs), range(seeds)))
    rows = {name: summary([run[name] for run in runs]) for name in runs[0]}
    result = {
        "encoder": name,
        "ladder": list(LADDER),
        "seeds": seeds,
        "epochs": epochs,
        "accuracy": rows,
        "recovered": {name: recovered(rows["plain"]["mean"], row["mean"]) for name, row in rows.items()},
    }
    keep("robust-sst2", result, *([results] if results else []))


def one_seed(encoder: str, data: Path, epochs: int, seed: int) -> dict[str, list[float]]:
    """Return the accuracies of each classifier, plain and robust."""
    tests = {level: texts(data / ("test.tsv" if level == 0 else f"typo_{level}.tsv")) for level in LADDER}
    plain = trained(encoder, data, seed, epochs)
    imputer = adapt_to(*new_classifier(encoder, 2))
    found = {"plain": ladder(*plain, tests)}
    for strategy, words in AFTERWARDS:
        robustify(*plain, imputer, strategy, words=words)
        found[f"{strategy}, words={words}, after fine-tuning"] = ladder(*plain, tests)
        make_plain(plain[0])
    for strategy, words in (*TRAINED, *PAPER):
        robust = trained(encoder, data, seed, epochs, imputer, strategy, words)
        found[f"{strategy}, words={words}, fine-tuned with it"] = ladder(*robust, tests)
    for name, scores in found.items():
        print(seed, name, " ".join(f"{score:.1f}" for score in scores), flush=True)
    return found


def texts(path: Path) -> tuple[list[str], list[int]]:
    """Read the texts and labels of a file."""
    read = read_texts(path)
    return [" ".join(tokens) for tokens in read.tokens], [int(label) for label in read.labels]


def trained(  # noqa: PLR0917
    encoder: str,
    data: Path,
    seed: int,
    epochs: int,
    imputer: Any = None,
    strategy: str = "replace",
    words: str = "misspelt",
) -> tuple[Any, Any]:
    """Return a fine-tuned classifier, plain or robust from the start."""
    network, tokenizer = new_classifier(encoder, 2, seed=seed)
    if imputer is not None:
        robustify(network, tokenizer, imputer, strategy, words=words)
    config = FineTuning(epochs=epochs, seed=seed)
    fine_tune(network, tokenizer, *texts(data / "train.tsv"), *texts(data / "dev.tsv"), config)
    return network, tokenizer


def ladder(network: Any, tokenizer: Any, tests: dict[int, Any]) -> list[float]:
    """Return the accuracy on each noisy copy."""
    return [accuracy(network, tokenizer, *test) for test in tests.values()]


def summary(runs: list[list[float]]) -> dict[str, list[float]]:
    """Return mean and standard deviation over seeds for each level."""
    levels = list(zip(*runs, strict=True))
    return {
        "mean": [round(fmean(level), 2) for level in levels],
        "spread": [round(stdev(level), 2) if len(level) > 1 else 0.0 for level in levels],
    }


def recovered(plain: list[float], row: list[float]) -> list[float | None]:
    """Return how much of the plain classifier's loss by typos is recovered, in percent, level by level."""
    return [
        None if plain[0] - without < 1e-9 else round(100 * (with_it - without) / (plain[0] - without), 1)
        for without, with_it in zip(plain[1:], row[1:], strict=True)
    ]


if __name__ == "__main__":
    main()
