"""The pages of probes: answers of all models, question by question, and the picture of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from record import RESULTS
from tables import table

from everyword import registry
from everyword.evaluation.probes.probe_results import ProbeResult, read_all
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.profile import best_control, draw_profile

PROBES = RESULTS / "probes"
NAMES = {
    "everyword-en, encode": "everyword-en",
    "love-en, encode": "love-en",
    "glove-6b, zero": "GloVe",
    "skip-gram, zero": "skip-gram",
    "random-300": "random",
}
"""Columns, in their order; layers of transformers follow."""
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


def sections() -> dict[str, str]:
    found = answers()
    labels = list(dict.fromkeys(result.label for result in found))
    labels.sort(key=lambda label: list(NAMES).index(label) if label in NAMES else len(NAMES))
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
    }


def _name(label: str) -> str:
    return NAMES.get(label, label.replace("all-mpnet-base-v2", "MPNet"))


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
    """Draw static vectors and one layer of the encoder: more bars than these nobody tells apart."""
    shown = [one for one in answers() if one.label in NAMES or one.label.endswith("layer 4")]
    asked = Counter(one.probe for one in shown)
    draw_profile([one for one in shown if asked[one.probe] > 1], Frame(path))
