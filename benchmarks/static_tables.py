"""Tables of static vectors from contextual models and their baselines: how good they are, and what stands beside words.

    python benchmarks/static_tables.py scores --prepared wiki --tables runs/dynamic-static --data DATA
    python benchmarks/static_tables.py neighbours --tables runs/dynamic-static
    python benchmarks/static_tables.py taggers --prepared wiki --tables runs/dynamic-static --data DATA
    python benchmarks/static_tables.py study

Each call keeps parts of one result, of which `contextual_skipgram.py` keeps others; the parts of another encoder or
corpus are dropped. The last makes a study of what is kept, for docs/studies.md.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from record import RESULTS, keep_part, read
from skipgram_record import HEAD, NAME, data_option, head_of, kept_option, path, prepared_option

from everyword.atomic import write_atomic
from everyword.evaluation.benchmark import choose
from everyword.evaluation.evaluated_model import EvaluatedModel, open_evaluated
from everyword.evaluation.run import run_benchmark
from everyword.evaluation.tasks.extrinsic.networks import NetworkInput, learner_of
from everyword.evaluation.tasks.extrinsic.protocol import score_test
from everyword.studies.findings import Findings, Score
from everyword.studies.neighbour_lists import nearest_known
from everyword.studies.table_study import load_table_study
from everyword.systems.skipgram import PreparedCorpus

STUDY = "dynamic-static"
SIMILARITY = ("wordsim353", "wordsim353_sim", "wordsim353_rel", "simlex999", "rareword", "men3000")
PIECES = (*(f"similarity/{name}" for name in SIMILARITY), "analogy/msr", "analogy/google", "relation/semeval2012")
TAGGED = ("ud-ewt", "conll2000")
ASKED = ("while", "bank", "apple")
"""A word that is all grammar, and two of several senses."""
tables_option = click.option("--tables", type=path, required=True, help="A folder of tables.")


@click.group()
def main() -> None:
    """Measure tables."""


@main.command()
@prepared_option
@tables_option
@data_option
@kept_option
@click.option("--task", "tasks", multiple=True, help="Instead of the usual pieces; pos/ud-ewt and others train.")
def scores(prepared: Path, tables: Path, data: Path, kept: Path, tasks: tuple[str, ...]) -> None:
    """Score every table of a folder, and keep what stands beside some words."""
    benchmarks = choose(list(tasks or PIECES), data)
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
    """The nearest words of those that the table has."""
    found = zip(ASKED, nearest_known(model, ASKED, 6), strict=True)
    return {word: [other for other, _ in nearest] for word, nearest in found if nearest}


@main.command()
@tables_option
@kept_option
def neighbours(tables: Path, kept: Path) -> None:
    """Look again for what stands beside some words; the scores stay as they are."""
    known = read(NAME, kept)
    head = {key: known[key] for key in HEAD}
    for file in sorted(tables.glob("*.npy")):
        part = _part_of(file)
        if part not in known["parts"]:
            raise click.UsageError(f"{file.stem} is not scored yet; that keeps its neighbours too.")
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
    """Parts of speech and chunks by a BiLSTM(-CRF) over every table, which stays as it is."""
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


@main.command()
@kept_option
@click.option("--results", type=path, default=RESULTS / "studies", help="The folder of kept studies.")
def study(kept: Path, results: Path) -> None:
    """Put the kept scores of tables into the form that "everyword reproduce dynamic-static" keeps."""
    record = read(NAME, kept)
    wanted = load_table_study(STUDY)
    rows = {}
    for table in wanted.tables:
        scores = record["parts"].get(f"table-{Path(table.file).stem}", {}).get("scores", {})
        rows[table.label] = {name: Score(scores[name]) if name in scores else None for name in wanted.pieces}
    findings = Findings(wanted.as_study, "small", rows, f"{record['encoder']}, {record['sentences']:,} sentences")
    write_atomic(results / f"{STUDY}.json", json.dumps(findings.as_dict(), indent=2, ensure_ascii=False) + "\n")
    print(findings.as_text())


if __name__ == "__main__":
    main()
