"""The pages of probes: answers of all models, question by question, and the picture of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from record import RESULTS
from tables import table

from everyword import registry
from everyword.evaluation.probes.probe_results import ProbeResult, read_all
from everyword.studies.plots.layers import draw_layers
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.profile import best_control, draw_profile

PROBES = RESULTS / "probes"
NAMES = {
    "everyword-en, encode": "everyword-en",
    "love-en, encode": "love-en",
    "glove-6b, zero": "GloVe",
    "fasttext, encode": "fastText",
    "skip-gram, zero": "skip-gram",
    "contextual-skip-gram, zero": "contextual skip-gram",
    "random-300": "random",
}
"""Columns of static vectors, in their order."""
ENCODERS = {"all-MiniLM-L6-v2": "MiniLM", "all-mpnet-base-v2": "MPNet"}
"""Transformers, whose layers have a table of their own."""
DRAWN = ("everyword-en, encode", "glove-6b, zero", "fasttext, encode", "all-mpnet-base-v2, layer 4")
LAYERED = ("noun-kinds", "parts-of-speech", "tree-great-grandparent", "word-identity", "polarity", "span-entities")
CONTROLS = ("random vectors", "majority", "length", "control labels")


def answers() -> list[ProbeResult]:
    """Return the kept answers of models: questions in the order of the registry, models in that of `NAMES`."""
    order = [name.rpartition(".")[0] for name in registry.probes]
    models = list(NAMES)
    found = [result for result in read_all([PROBES]) if not result.model.startswith("random-") or result.label in NAMES]

    def place(result: ProbeResult) -> tuple[int, int, int]:
        known = models.index(result.label) if result.label in models else len(models)
        return order.index(result.probe), known, result.layer or 0

    return sorted(found, key=place)


def of_the_page() -> str:
    """Return the answers for the page of `everyword serve`, a line per score."""
    found = answers()
    shown = [result for result in found if result.label in NAMES or result.model in ENCODERS]
    probes = []
    for name in dict.fromkeys(result.probe for result in shown):
        of_one = [result for result in shown if result.probe == name]
        control = max((best_control(result) for result in of_one if result.controls), default=None)
        of_one.sort(key=lambda result: [*NAMES.values(), *ENCODERS.values()].index(_model(result)))
        scores = [_score(result) for result in of_one]
        asked = {"question": of_one[0].question, "metric": of_one[0].metric, "control": control}
        probes.append({"probe": name, **asked, "scores": scores})
    lines = [json.dumps(probe, ensure_ascii=False) for probe in probes]
    return '{"probes": [\n' + ",\n".join(lines) + "\n]}\n"


def _model(result: ProbeResult) -> str:
    return NAMES.get(result.label) or ENCODERS[result.model]


def _score(result: ProbeResult) -> dict[str, Any]:
    low, high = result.interval
    return {"model": _model(result), "layer": result.layer, "value": result.value, "low": low, "high": high}


def sections() -> dict[str, str]:
    found = answers()
    every = list(dict.fromkeys(result.label for result in found))
    labels, layers = [label for label in NAMES if label in every], _layers(found)
    questions = list(dict.fromkeys(result.probe for result in found))
    by_cell = {(result.probe, result.label): result for result in found}
    rows = [(f"`{name}`", *(_cell(by_cell.get((name, label))) for label in labels)) for name in questions]
    parts = [
        (f"`{name}`, {part}", *(_part(by_cell.get((name, label)), part) for label in labels))
        for name in questions
        for part in dict.fromkeys(part for label in labels for part in _parts(by_cell.get((name, label))))
    ]
    shown = [_name(label) for label in labels]
    trained = [label for label in labels if not label.startswith("random")]
    above = [(f"`{name}`", *(_above(by_cell.get((name, label))) for label in trained)) for name in questions]
    return {
        "answers": table(("", *shown), rows),
        "above": table(("", *(_name(label) for label in trained)), above),
        "controls": table(("", "n", *CONTROLS), [_controls(name, found) for name in questions]),
        "parts": table(("", *shown), parts),
        "layers": table(
            ("", *map(_name, layers)),
            [(f"`{name}`", *(_value(by_cell.get((name, label))) for label in layers)) for name in questions],
        ),
        "layers-above": table(
            ("", *map(_name, layers)),
            [(f"`{name}`", *(_above(by_cell.get((name, label))) for label in layers)) for name in questions],
        ),
    }


def _layers(found: list[ProbeResult]) -> list[str]:
    """Return the labels of the layers of transformers, from the input up."""
    some = {(list(ENCODERS).index(one.model), one.layer or 0): one.label for one in found if one.model in ENCODERS}
    return [some[place] for place in sorted(some)]


def _value(result: ProbeResult | None) -> str:
    return "–" if result is None else f"{result.value:.1f}"


def _name(label: str) -> str:
    model, _, layer = label.partition(", layer ")
    return NAMES.get(label) or f"{ENCODERS[model]} {layer}"


def _parts(result: ProbeResult | None) -> dict[str, float]:
    return result.parts if result is not None else {}


def _cell(result: ProbeResult | None) -> str:
    if result is None:
        return "–"
    low, high = result.interval or (result.value, result.value)
    return f"{result.value:.1f} ± {(high - low) / 2:.1f}"


def _above(result: ProbeResult | None) -> str:
    """Return how far a score is above the best of its controls; control labels are another question."""
    if result is None or (best := best_control(result)) is None:
        return "–"
    return f"{result.value - best:.1f}"


def _part(result: ProbeResult | None, part: str) -> str:
    return f"{result.parts[part]:.1f}" if result is not None and part in result.parts else "–"


def _controls(name: str, found: list[ProbeResult]) -> tuple[str, ...]:
    """Return what controls reach: of everyword-en, whose dimension random vectors share."""
    some = [result for result in found if result.probe == name]
    result = next((one for one in some if one.model == "everyword-en"), some[0])
    cells = (f"{result.controls[control]:.1f}" if control in result.controls else "–" for control in CONTROLS)
    return (f"`{name}`", f"{result.n:,}", *cells)


def draw(path: Path) -> None:
    """Draw static vectors and one layer of an encoder: more bars than these nobody tells apart."""
    shown = [one for one in answers() if one.label in DRAWN]
    asked = Counter(one.probe for one in shown)
    draw_profile([one for one in shown if asked[one.probe] > 1], Frame(path))


def draw_by_layer(path: Path) -> None:
    """Draw the layers of both encoders, for the questions in which they differ most."""
    draw_layers([one for one in answers() if one.model in ENCODERS and one.probe in LAYERED], Frame(path))
