"""SST-2 under typos: the accuracy of each policy as the test text gets noisier.

    python benchmarks/noise.py --data DATA

The paper's protocol: a CNN over frozen vectors, learning rate chosen on dev, three seeds; trained on clean text and
scored on the typo files that the authors of LOVE published, and on OCR errors, which no model here was trained on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from record import keep

from everyword.evaluation.benchmark import choose, under_noises
from everyword.evaluation.evaluated_model import open_evaluated
from everyword.evaluation.results import Result
from everyword.evaluation.robustness.noise import LADDER, PUBLISHED, noise_levels
from everyword.evaluation.run import evaluate

POLICIES = ("encode", "infer", "zero", "spelling")
NOISES = [*noise_levels([PUBLISHED], LADDER), *noise_levels(["ocr"], (10, 30, 50, 70, 90))]


@click.command()
@click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--model", "name", default=None, help="A folder; the embedded default if not given.")
def main(data: Path, name: str | None) -> None:
    """Train a classifier for each policy and score it at every level of noise."""
    benchmarks = under_noises(choose(["classification/sst2"], data), NOISES)
    curves: dict[str, Any] = {}
    for policy in POLICIES:
        model = open_evaluated(name, policy)
        results = [done.result for done in evaluate(model, benchmarks) if done.result]
        clean, *noisy = results
        curves[policy] = {
            "clean": describe(clean),
            "typos": [describe(result) for result in noisy if result.corruption == PUBLISHED],
            "ocr": [describe(result) for result in noisy if result.corruption == "ocr"],
        }
        print(policy, [round(result.scores["accuracy"] or 0.0, 1) for result in results], flush=True)
    keep("noise-sst2", {"metric": "accuracy, mean of three seeds", "model": model.name, "policies": curves})


def describe(result: Result) -> dict[str, Any]:
    tokens = result.sections["tokens"]
    return {
        "strength": result.strength / 100,
        "changed": round(result.changed or 0.0, 4),
        "accuracy": round(result.scores["accuracy"] or 0.0, 2),
        "spread": round(result.spread["accuracy"], 2),
        "seeds": result.seeds,
        "n": result.n,
        "tokens_known": round(tokens["known"] / tokens["all"], 4),
    }


if __name__ == "__main__":
    main()
