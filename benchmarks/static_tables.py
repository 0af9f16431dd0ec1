"""Tables of static vectors from contextual models and their baselines: scores, and nearest words.

    python benchmarks/static_tables.py scores --prepared wiki --tables runs/dynamic-static --data DATA
    python benchmarks/static_tables.py neighbours --tables runs/dynamic-static
    python benchmarks/static_tables.py taggers --prepared wiki --tables runs/dynamic-static --data DATA

Each call saves parts of one result; `contextual_skipgram.py` saves others. Parts about another encoder or corpus are
dropped. The study itself is made by "everyword reproduce dynamic-static".
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from record import keep_part, read
from skipgram_record import HEAD, NAME, data_option, head_of, kept_option, path, prepared_option

from everyword.evaluation.benchmark import choose
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.run import run_benchmark
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput, learner_of
from everyword.evaluation.tasks.extrinsic.protocol import score_test
from everyword.studies.neighbour_lists import nearest_known
from everyword.systems.skipgram import PreparedCorpus

SIMILARITY = ("wordsim353", "wordsim353_sim", "wordsim353_rel", "simlex999", "rareword", "men3000")
BENCHMARKS = (*(f"similarity/{name}" for name in SIMILARITY), "analogy/msr", "analogy/google", "relation/semeval2012")
TAGGED = ("ud-ewt", "conll2000")
ASKED = ("while", "bank", "apple")
"""A function word, and two words with several senses."""
tables_option = click.option("--tables", type=path, required=True, help="A folder of tables.")


@click.group()
def main() -> None:
    """Measure tables."""


@main.command()
@prepared_option
@tables_option
@data_option
@kept_option
@click.option("--task", "tasks", multiple=True, help="Instead of the default benchmarks.")
def scores(prepared: Path, tables: Path, data: Path, kept: Path, tasks: tuple[str, ...]) -> None:
    """Score every table of a folder, and save the nearest words of some words."""
    benchmarks = choose(list(tasks or BENCHMARKS), data)
    for file in sorted(tables.glob("*.npy")):
        model = open_evaluated(str(file), "zero")
        found = [run_benchmark(model, benchmark) for benchmark in benchmarks]
        result = {
            "dim": model.dim,
            "words": len(model.candidates),
            "scores": {
                benchmark.name: round(one.scores[one.main], 2) for benchmark, one in zip(benchmarks, found, strict=True)
            },
            "n": {benchmark.name: one.n for benchmark, one in zip(benchmarks, found, strict=True)},
            "neighbours": _neighbours(model),
            "made_by": _record_of(file),
        }
        part = _part_of(file) + ("-" + "-".join(t.replace("/", "-") for t in tasks) if tasks else "")
        keep_part(NAME, part, result, head_of(PreparedCorpus.load(prepared)), kept)
        print(file.stem, result["scores"], result["neighbours"])


def _part_of(file: Path) -> str:
    return f"table-{file.stem}"


def _neighbours(model: EvaluatedModel) -> dict[str, list[str]]:
    """Return the nearest words of the queries that the table has."""
    found = zip(ASKED, nearest_known(model, ASKED, 6), strict=True)
    return {word: [other for other, _ in nearest] for word, nearest in found if nearest}


@main.command()
@tables_option
@kept_option
def neighbours(tables: Path, kept: Path) -> None:
    """Search for the nearest words again; the scores stay as they are."""
    known = read(NAME, kept)
    head = {key: known[key] for key in HEAD}
    for file in sorted(tables.glob("*.npy")):
        part = _part_of(file)
        if part not in known["parts"]:
            raise click.UsageError(f"{file.stem} is not scored yet; run 'scores', which saves its neighbours too.")
        found = _neighbours(open_evaluated(str(file), "zero"))
        keep_part(NAME, part, known["parts"][part] | {"neighbours": found}, head, kept)
        print(file.stem, found)


def _record_of(file: Path) -> dict[str, Any] | None:
    record = file.with_name(file.name + ".record.json")
    if not record.exists():
        return None
    found = json.loads(record.read_text(encoding="utf-8"))
    return {"method": found["method"], "config": found["config"]}


@main.command()
@prepared_option
@tables_option
@data_option
@kept_option
@click.option("--rate", "rates", type=float, multiple=True, default=(1e-3,), show_default=True)
@click.option("--epochs", default=5, show_default=True)
@click.option("--seeds", default=2, show_default=True)
def taggers(
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
