"""Scores of alpha vectors and limit vectors for one pair of word and context vectors, beside the trained vectors.

python benchmarks/alpha_pairs.py words.npy contexts.npy --data DATA --trained "Skip-gram, 300 dimensions"

The halves, columns and scores are those of the study `alpha`, of which each row here is a variant; alpha is chosen on
the development halves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import click
from record import keep

from everyword.studies.config import load_study
from everyword.studies.kinds.pairs.benchmarks import PairBenchmarks
from everyword.studies.kinds.pairs.study import PairStudy, PairVariant, alpha_tables, table_of
from everyword.vectors.context_pair import ContextPair

ALPHAS = (-10.0, -5.0, -3.0, -1.0, 0.0)
"""The study's, without those that were never chosen for skip-gram with these references."""
WITHOUT_CHOICE = ("U", "V", "U+V", "U+V, whitened", "LE-U+V-0-F", "LE-U+V-u-F", "LE-U+V-ud-F")
WITH_CHOICE = ("E-U+V-u-F", "E-U+V-ud-F")


@click.command()
@click.argument("vectors", type=click.Path(path_type=Path))
@click.argument("contexts", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), required=True)
@click.option("--words", default=10_000, show_default=True, help="The most frequent words, which are scored.")
@click.option("--trained", default="", help="How the pair was trained, for the record.")
def main(vectors: Path, contexts: Path, data: Path, words: int, trained: str) -> None:
    """Score all rows and save them."""
    study = cast(PairStudy, load_study("alpha"))
    variants = {one.label.partition(": ")[2]: one for one in study.variants if one.pair == "skip-gram"}
    benchmarks = PairBenchmarks.load(
        study.columns, data, print, questions_every=study.questions_every, training_texts=study.training_texts
    )
    pair = ContextPair.load(vectors, contexts).head(words)
    rows: dict[str, Any] = {}
    for label in WITHOUT_CHOICE:
        rows[label] = {"test": benchmarks.score(table_of(pair, variants[label]), "test", benchmarks.kinds)}
        print(label, rows[label], flush=True)
    for label in WITH_CHOICE:
        rows[label] = _chosen(pair, variants[label], benchmarks)
        print(label, rows[label], flush=True)
    keep("alpha-pairs", {"trained": trained, "words": words, "dim": pair.vectors.shape[1], "rows": rows})


def _chosen(pair: ContextPair, variant: PairVariant, benchmarks: PairBenchmarks) -> dict[str, Any]:
    """Return the test scores of the alphas that development halves choose."""
    tables = dict(alpha_tables(pair, variant, ALPHAS))
    dev = {alpha: benchmarks.score(table, "dev", benchmarks.kinds) for alpha, table in tables.items()}
    best = {kind: max(ALPHAS, key=lambda alpha: benchmarks.main(dev[alpha], kind)) for kind in benchmarks.kinds}
    test: dict[str, float] = {}
    for kind, alpha in best.items():
        test |= benchmarks.score(tables[alpha], "test", [kind])
    return {"test": test, "chosen": best}


if __name__ == "__main__":
    main()
