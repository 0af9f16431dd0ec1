"""Classifiers under typos: AG News with misspelt test texts, by network and by what gives words their vectors.

python benchmarks/classifier_typos.py --data FOLDER --device cuda
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

import click
from record import keep

from everyword.corpus.labelled.documents import Documents, read_documents
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.learning.sources import TableSource
from everyword.sentences.tokens import tokens_of
from everyword.systems.classifiers.classifier import ClassifierConfig
from everyword.systems.classifiers.train import score, train_classifier
from everyword.text.corruption import corrupt_text, drop, insert, keyboard, ocr, swap
from everyword.vectors.table import VectorTable

SHARES = (0.0, 0.2, 0.5)
TRAIN, TEST = "classification/agnews/train4k_title.tsv.gz", "classification/agnews/test.tsv.gz"
TFIDF = ClassifierConfig(network="tfidf", learning_rate=0.05, dropout=0.0, patience=5)
ROWS = {
    "tfidf": ("none", TFIDF),
    "linear": ("encode", ClassifierConfig(network="linear", learning_rate=0.005)),
    "cnn": ("encode", ClassifierConfig(network="cnn")),
    "cnn, adversarial": ("encode", ClassifierConfig(network="cnn", adversarial=0.05)),
    "cnn, unknown words are zero": ("zero", ClassifierConfig(network="cnn")),
    "lstm": ("encode", ClassifierConfig(network="lstm")),
}
"""Where vectors come from, and the network."""


@click.command()
@click.option("--data", required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--model", help="A model or its folder.  [default: everyword-en]")
@click.option("--device", default="cpu", show_default=True)
@click.option("--seeds", default=3, show_default=True)
@click.option("--texts", default=2000, show_default=True, help="How many texts of test are scored.")
@click.option("--results", type=click.Path(path_type=Path))
def main(data: Path, model: str | None, device: str, seeds: int, texts: int, results: Path | None) -> None:  # noqa: PLR0917
    """Train each classifier and score it at each share of misspelt words."""
    train, dev = read_documents(data / TRAIN).cut_dev()
    tests = misspelt(read_documents(data / TEST), texts)
    sources = {policy: source(model, policy, [train, dev, *tests]) for policy in ("encode", "zero")}
    found: dict[str, list[list[float]]] = {name: [] for name in ROWS}
    for name, (policy, config) in ROWS.items():
        for seed in range(seeds):
            given = [sources[policy]] if policy in sources else []
            trained = train_classifier(train, dev, given, replace(config, seed=seed), device=device)
            assert trained is not None
            found[name].append([score(trained.classifier, test) for test in tests])
            print(name, seed, " ".join(f"{one:.1f}" for one in found[name][-1]), flush=True)
    result = {"shares": list(SHARES), "seeds": seeds, "train": len(train), "test": len(tests[0])}
    keep("classifier-typos", result | {"accuracy": summary(found)}, *([results] if results else []))


def misspelt(test: Documents, texts: int) -> list[Documents]:
    """Return some of the texts at each share of misspelt words; the same texts and typos each time."""
    rng = Random(0)
    few = test.take(sorted(rng.sample(range(len(test)), min(texts, len(test)))))
    kinds = (swap, drop, insert, keyboard, ocr)
    return [replace(few, texts=tuple(corrupt_text(text, share, kinds, rng) for text in few.texts)) for share in SHARES]


def source(model: str | None, policy: str, parts: Sequence[Documents]) -> TableSource:
    """Return the vectors of all words under a policy, made once."""
    evaluated = open_evaluated(model, policy)
    words = dict.fromkeys(word for part in parts for text in part.texts for word in tokens_of(text))
    return TableSource(evaluated.name, VectorTable(list(words), evaluated.encode(list(words))))


def summary(found: dict[str, list[list[float]]]) -> dict[str, Any]:
    """Return the mean and the deviation of each row over seeds.

    >>> summary({"cnn": [[90.0, 80.0], [92.0, 80.0]]})
    {'cnn': {'mean': [91.0, 80.0], 'sd': [1.41, 0.0]}}
    """
    return {
        name: {
            "mean": [round(fmean(column), 2) for column in zip(*runs, strict=True)],
            "sd": [round(stdev(column), 2) if len(column) > 1 else 0.0 for column in zip(*runs, strict=True)],
        }
        for name, runs in found.items()
    }


if __name__ == "__main__":
    main()
