"""SST-2 under typos: what each way to get vectors keeps of its accuracy as the test text gets noisier.

    python benchmarks/noise.py --data DATA

The paper's protocol: a CNN over frozen vectors, learning rate chosen on dev, three seeds; trained on clean text and
scored on the typo files that the authors of LOVE published, and on OCR errors, which no model here was trained on.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from record import keep

from everyword.evaluation.extrinsic.classification import Classifier, ClassifyConfig
from everyword.evaluation.extrinsic.ladder import ladder
from everyword.evaluation.extrinsic.robustness import Point, curve
from everyword.evaluation.extrinsic.sets import load_texts, sst2_ladder
from everyword.evaluation.extrinsic.words import WordVectors
from everyword.evaluation.way import open_way

POLICIES = ("encode", "infer", "zero", "spelling")
OCR_STRENGTHS = (0.1, 0.3, 0.5, 0.7, 0.9)


@click.command()
@click.option("--data", envvar="EVERYWORD_DATA", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--model", "name", default=None, help="A folder; the embedded default if not given.")
def main(data: Path, name: str | None) -> None:
    """Train a classifier for each policy and score it at every step."""
    splits = load_texts("sst2", data)
    ladders = {"typos": sst2_ladder(data), "ocr": ladder(splits.test, ["ocr"], OCR_STRENGTHS)}
    steps = [step for ladder_steps in ladders.values() for step in ladder_steps]
    curves: dict[str, Any] = {}
    for policy in POLICIES:
        way = open_way(name, policy)
        words = WordVectors(way.encode, way.encode(["a"]).shape[1], way.known)
        points = curve(Classifier(words, splits.train, splits.dev, ClassifyConfig()), splits.test, steps)
        ends = {kind: len(ladder_steps) for kind, ladder_steps in ladders.items()}
        curves[policy] = {
            "clean": describe(points[0]),
            "typos": [describe(point) for point in points[1 : 1 + ends["typos"]]],
            "ocr": [describe(point) for point in points[1 + ends["typos"] :]],
        }
        print(policy, [round(point.values["accuracy"], 1) for point in points], flush=True)
    keep("noise-sst2", {"metric": "accuracy, mean of three seeds", "model": way.name, "policies": curves})


def describe(point: Point) -> dict[str, Any]:
    record = asdict(point)
    return {
        "strength": record["strength"],
        "changed": round(record["changed"], 4),
        "accuracy": round(record["values"]["accuracy"], 2),
        "spread": round(record["spread"]["accuracy"], 2),
        "seeds": record["seeds"],
        "n": record["n"],
        "tokens_known": round(record["tokens_known"] / record["tokens"], 4),
    }


if __name__ == "__main__":
    main()
