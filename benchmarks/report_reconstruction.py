"""The page about Reconstruction, from saved studies and learning curves; it says what is not saved yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from record import RESULTS, read, read_study
from tables import table

from everyword.studies.claims import Score, seeds_in_words
from everyword.studies.findings import cell
from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.distances import draw_distances
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point

CURVES = "reconstruction-curves"
DISTANCES = {"D1": "Manhattan, D1", "D2": "squared, D2", "Dinf": "maximum, D∞", "Dcos": "cosine, Dcos"}
EPOCHS = (10, 20, 30, 50)
DRAWN = (
    "64 words a step",
    "256 words a step",
    "16 words a step",
    "20,000 words",
    "targets centred",
    "contrastive loss",
)
"""With more lines the picture would be illegible."""
CURVES_TOLD = (
    "The last two columns are about the last epoch: the cosine of held-out words with their vectors, in brackets that "
    "of a constant output, and the mean cosine of two words' outputs, which is 1 for a constant."
)


def sections() -> dict[str, str]:
    """Return the generated parts of the page."""
    return {
        "similarity": similarity(),
        "analogy": of_study("reconstruction-analogy", {"msr#3cosmul": "syntactic (MSR)"}),
        "nearest": nearest(),
        "pos": of_study("reconstruction-pos", {"ud-ewt": "UD-EWT", "ud-ewt#accuracy_unseen": "words not in train"}),
        "curves": curves(),
    }


def kept(name: str) -> dict[str, Any] | None:
    """Return a study at full size, else at the small one; None if neither is saved as the study is now."""
    saved = [one for one in (f"{name}-full", name) if (RESULTS / "studies" / f"{one}.json").exists()]
    return next((result for result in map(read_study, saved) if not result["changed_since"]), None)


def missing(name: str) -> str:
    """Return what stands in place of a study that is not saved."""
    return f"No run of `everyword reproduce {name}` is saved yet."


def head(result: dict[str, Any]) -> str:
    """Return the command, the teacher and the seeds behind a table."""
    words = result.get("sizes", {}).get("words learnt from")
    size = f"{result['size']} size" + (f", {words:,} words" if words else "")
    made = f"{seeds_in_words(result['seeds'])}, teacher {result['teacher'].split()[0]}, {result['date']}"
    return f"`everyword reproduce {result['study']}`, {size}, {made}; ours (the paper's):"


def shown(variant: dict[str, Any], column: str, digits: int = 1) -> str:
    """Return our score with its spread, and the paper's in brackets."""
    value = variant["ours"].get(column)
    ours = None if value is None else Score(value, variant["spread"].get(column))
    return cell(ours, variant["paper"].get(column), digits)


def similarity() -> str:
    """Return the means of three similarity sets by distance and number of epochs."""
    result = kept("reconstruction-similarity")
    if result is None:
        return missing("reconstruction-similarity")
    rows = {variant["label"]: variant for variant in result["variants"]}
    lines = [
        (title, shown(rows["untrained"], "mean"), *(shown(rows[f"{name}, {count} epochs"], "mean") for count in EPOCHS))
        for name, title in DISTANCES.items()
    ]
    top = ("distance", "no epochs", *map(str, EPOCHS))
    return f"{head(result)}\n\n{table(top, lines)}\n\nThe teacher has {shown(rows['teacher'], 'mean')}."


def of_study(name: str, titles: dict[str, str]) -> str:
    """Return the table of a study, a line per variant."""
    result = kept(name)
    if result is None:
        return missing(name)
    columns = list(result["variants"][0]["ours"])
    plain = [column.partition("/")[2] for column in columns]
    top = ["", *(titles.get(one, one.replace("google#3cosmul_", "Google, ")) for one in plain)]
    rows = [(row["label"], *(shown(row, column, result["digits"]) for column in columns)) for row in result["variants"]]
    return f"{head(result)}\n\n{table(top, rows)}"


def nearest() -> str:
    """Return the nearest words of three words: of the teacher, of an untrained and of a trained student."""
    result = kept("reconstruction-analogy")
    found = ((result or {}).get("details") or {}).get("nearest words", {})
    if not found:
        return "No nearest words are saved yet."
    rows = [
        (word if label == "teacher" else "", label, ", ".join(found[label][word]))
        for word in next(iter(found.values()))
        for label in ("teacher", "untrained", "D1")
    ]
    return table(("word", "vectors", "nearest"), rows)


def curves() -> str:
    """Return the scores of each setting by the number of epochs, and what a constant output would have."""
    if not (RESULTS / f"{CURVES}.json").exists():
        return "They are not measured yet; `python benchmarks/reconstruction_curves.py` does it, on a GPU."
    result = read(CURVES)
    counts = sorted({point["epochs"] for one in result["settings"].values() for point in one["runs"][0]})
    rows = []
    for name, setting in result["settings"].items():
        points = {point["epochs"]: point for point in setting["runs"][0]}
        last = points[max(points)]
        cosines = f"{last['held_out_cosine']:.3f} ({last['constant_cosine']:.3f})"
        scores = (f"{points[count]['similarity']:.1f}" if count in points else "" for count in counts)
        rows.append((name, *scores, cosines, f"{last['cosine_of_two_words']:.2f}"))
    top = ("", *(f"{count}" for count in counts), "held-out cosine (of a constant)", "cosine of two words")
    made = f"{result['words']:,} words of {result['teacher'].split()[0]}, {seeds_in_words(result['seeds'])}"
    return f"{CURVES_TOLD}\n\n{made}; mean of SimLex, MTurk and SimVerb by epochs:\n\n{table(top, rows)}"


def draw(folder: Path) -> None:
    """Draw the distances and, if they are saved, the learning curves."""
    draw_distances(Frame(folder / "distances.svg"))
    if (RESULTS / f"{CURVES}.json").exists():
        settings = read(CURVES)["settings"]
        points = [
            Point(name, point["steps"], point["similarity"])
            for name in DRAWN
            if name in settings
            for point in settings[name]["runs"][0]
            if point["steps"]
        ]
        panel = Panel(points, "steps", "Spearman × 100", log_scale=True)
        title = "Mean of SimLex, MTurk and SimVerb by steps of training"
        draw_curves([panel], Frame(folder / f"{CURVES}.svg", title=title))
