"""Taggers over tables of static vectors from contextual models and their baselines.

    python benchmarks/static_tables.py --prepared wiki --tables runs/dynamic-static --data DATA

Saves parts of one result; `contextual_skipgram.py speed` saves others. Parts about another encoder or corpus are
dropped. The study itself, with all other scores, is made by "everyword reproduce dynamic-static".
"""

from __future__ import annotations

from pathlib import Path

import click
from record import keep_part
from skipgram_record import NAME, data_option, head_of, kept_option, path, prepared_option

from everyword.evaluation.benchmark import choose
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput, learner_of
from everyword.evaluation.tasks.extrinsic.protocol import score_test
from everyword.systems.skipgram import PreparedCorpus

TAGGED = ("ud-ewt", "conll2000")


@click.command()
@prepared_option
@click.option("--tables", type=path, required=True, help="A folder of tables.")
@data_option
@kept_option
@click.option("--rate", "rates", type=float, multiple=True, default=(1e-3,), show_default=True)
@click.option("--epochs", default=5, show_default=True)
@click.option("--seeds", default=2, show_default=True)
def main(
    *, prepared: Path, tables: Path, data: Path, kept: Path, rates: tuple[float, ...], epochs: int, seeds: int
) -> None:
    """Score part-of-speech taggers and chunkers, a BiLSTM(-CRF) over each table, which is not trained further."""
    learning = {"rates": rates, "epochs": epochs, "seeds": seeds}
    for file in sorted(tables.glob("*.npy")):
        reading = NetworkInput(open_evaluated(str(file), "zero"))
        found = {}
        for name in TAGGED:
            [benchmark] = choose([name], data)
            splits = benchmark.task.load(*benchmark.files)
            scores = score_test(learner_of(reading, splits.train, splits.dev, **learning), splits.test)
            found[name] = {"score": round(scores.value, 2), "spread": round(scores.spread[scores.main], 2)}
            print(file.stem, name, found[name])
        keep_part(
            NAME, f"taggers-{file.stem}", {**learning, "scores": found}, head_of(PreparedCorpus.load(prepared)), kept
        )


if __name__ == "__main__":
    main()
