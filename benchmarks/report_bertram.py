"""The section about BERTRAM in the docs, from saved studies; one that is not saved is left out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from record import RESULTS, read_study
from tables import table

from everyword.evaluation.catalogue import DATA_SETS
from everyword.studies.plots.curves import SENTENCES, draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point

CONTEXTS, RARIFIED, PROBE = "bertram-contexts", "bertram-rarified", "bertram-probe"
BYTE_PAIRS = "bertram-byte-pairs"
CURVE = "context-similarity/crw#spearman@"
PICTURE, BY_FREQUENCY = "bertram-contexts.svg", "bertram-frequency.svg"
TEXTS = {"sst2": "SST-2", "mr": "MR", "agnews": "AG News"}
LIMITS = {f"count <= {limit}": f"≤ {limit}" for limit in (0, 5, 25, 100)}
INTERVALS = {"count 0 to 0": "0", "count 1 to 5": "1–5", "count 6 to 25": "6–25", "count 26 to 100": "26–100"}
BASELINE = "plain"
COMPARED = (BASELINE, "BERTRAM SLASH", "BERTRAM SLASH, in-domain", "BERTRAM SLASH with everyword-en")
DRAWN = (
    "mean of pieces",
    "n-grams (form)",
    "words around it",
    "A La Carte",
    "Attentive Mimicking",
    "BERTRAM ADD",
    "BERTRAM ADD with everyword-en",
)
"""With more lines the picture would be illegible."""
BANDS = {
    "all rare": "rare",
    "all medium": "medium",
    "all rare (mean of phrases)": "rare, mean of phrases",
    "all medium (mean of phrases)": "medium, mean of phrases",
}
COLUMNS = {
    CONTEXTS: {
        f"{CURVE}1": "1 sentence",
        f"{CURVE}8": "8",
        f"{CURVE}64": "64",
        "chimera/chimeras": "chimeras",
        "nonce/definitional": "definitions",
    },
    RARIFIED: {
        f"{name} {part}": f"{title}, {part}" if part != "all" else title
        for name, title in TEXTS.items()
        for part in ("all", "misspelling", "synonym")
    },
    PROBE: BANDS,
    BYTE_PAIRS: BANDS,
}
INTRODUCTIONS = {
    CONTEXTS: "Spearman × 100 with human similarity on CRW, from 1, 8 and 64 sentences, and on chimeras; mean "
    "reciprocal rank × 100 for definitions:",
    RARIFIED: "Accuracy on texts whose important words were replaced by rare ones:",
    PROBE: "Mean reciprocal rank × 100 of a BERT of our own in the cloze test, with the best phrase of each entry "
    "unless stated otherwise:",
    BYTE_PAIRS: "The same for a model of byte pairs:",
}


def section() -> str:
    """Return a table for each saved study, and how many of its claims hold."""
    names = [name for name in COLUMNS if is_saved(name)]
    if not names:
        return "No run of `everyword reproduce bertram-contexts`, `bertram-rarified` or `bertram-probe` is saved yet."
    return "\n\n".join(_study(read_study(name)) for name in names)


def is_saved(name: str) -> bool:
    return (RESULTS / "studies" / f"{name}.json").exists()


def _study(result: dict[str, Any]) -> str:
    measured = result["variants"][0]["ours"]
    columns = {name: title for name, title in COLUMNS[result["study"]].items() if name in measured}
    rows = [(variant["label"], *(_cell(variant, name) for name in columns)) for variant in result["variants"]]
    verdicts = Counter(claim["verdict"] for claim in result["claims"])
    counted = ", ".join(f"“{verdict}” {count}" for verdict, count in verdicts.most_common())
    parts = [
        f"### {result['title']}",
        INTRODUCTIONS[result["study"]],
        table(("", *columns.values()), rows),
        f"Verdicts on its {len(result['claims'])} claims: {counted}. "
        f"[All columns and claims](../studies/bertram.md#{result['study']}).",
    ]
    if result["study"] == CONTEXTS:
        parts.insert(3, f"![Spearman by the number of sentences](../pictures/{PICTURE})")
    if result["study"] == RARIFIED:
        parts[3:3] = [_examples(result["details"]["sets"][0])] if "details" in result else []
        parts.insert(3, f"![Accuracy and gain by the frequency of rare words](../pictures/{BY_FREQUENCY})")
    return "\n\n".join(parts)


def _examples(sets: dict[str, dict[str, Any]]) -> str:
    """Return some replaced words of each set, as the paper's table 2 has them, and how many there are in a text."""
    lines = [
        f"| {TEXTS[name]} | {made['rarified']:,} | {made['replaced_words']:.2f} | {', '.join(made['examples'][:8])} |"
        for name, made in sets.items()
    ]
    head = ["| set of seed 0 | texts | replaced words in each | some of them |", "|---|--:|--:|---|"]
    return "\n".join([*head, *lines])


def _cell(variant: dict[str, Any], column: str) -> str:
    value, spread = variant["ours"].get(column), variant["spread"].get(column)
    return "–" if value is None else f"{value:.1f}" + (f" ± {spread:.1f}" if spread else "")


def draw_contexts(folder: Path) -> None:
    """Draw scores against the number of sentences, if they are saved."""
    if not is_saved(CONTEXTS):
        return
    pairs = next(data.items for data in DATA_SETS if data.name == "crw")
    points = [
        Point(variant["label"], float(name.removeprefix(CURVE)), value, variant["spread"].get(name), pairs)
        for variant in read_study(CONTEXTS)["variants"]
        if variant["label"] in DRAWN
        for name, value in variant["ours"].items()
        if name.startswith(CURVE) and value is not None
    ]
    panel = Panel(points, "sentences", "Spearman × 100", "CRW", log_scale=True)
    draw_curves([panel], Frame(folder / PICTURE, size=(8, 4.5)), title=SENTENCES)


def draw_by_frequency(folder: Path) -> None:
    """Draw the accuracy up to a frequency, and the gain within an interval (the paper's figures 3 and 4)."""
    if not is_saved(RARIFIED):
        return
    rows = {variant["label"]: variant for variant in read_study(RARIFIED)["variants"]}
    compared = [rows[label] for label in COMPARED]
    texts = [name for name in TEXTS if f"{name} all" in rows[BASELINE]["ours"]]
    accuracy = [_panel(compared, name, LIMITS, "accuracy, %") for name in texts]
    gain = [_panel(compared[1:], name, INTERVALS, "points over the plain model", rows[BASELINE]) for name in texts]
    frame = Frame(folder / BY_FREQUENCY, size=(10, 6.5))
    draw_curves([*accuracy, *gain], frame, title="Rare words by their count in the corpus")


def _panel(
    variants: list[dict[str, Any]],
    name: str,
    steps: dict[str, str],
    score: str,
    baseline: dict[str, Any] | None = None,
) -> Panel:
    """Return a panel with a line for each variant: its scores, or their gain over a baseline."""
    points = []
    for variant in variants:
        for index, step in enumerate(f"{name} {part}" for part in steps):
            if variant["ours"].get(step) is None:  # a set of some seed has no such words
                continue
            below = baseline["ours"][step] if baseline else 0.0
            # The spread of a difference is not kept, so a gain is drawn without one.
            spread = None if baseline else variant["spread"].get(step)
            points.append(Point(variant["label"], index, variant["ours"][step] - below, spread))
    return Panel(points, "count of the most frequent rare word", score, TEXTS[name], tick_names=list(steps.values()))
