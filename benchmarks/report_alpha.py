"""The page of alpha vectors: time and memory, scores, the numbers that were chosen, and scores by alpha."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from record import read
from tables import table

from everyword.studies.plots.curves import draw_curves
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.points import Panel, Point

SWEEP = "alpha-sweep"
KINDS = {
    "similarity/mean": "similarity, mean of 8 sets",
    "analogy/google": "Google analogies",
    "texts/newsgroups20": "20 Newsgroups",
    "texts/imdb": "IMDB",
}
PANELS = [
    ("skip-gram", "similarity/mean", "similarity"),
    ("skip-gram", "analogy/google", "analogies"),
]
OF_PAIRS = {
    "similarity/wordsim353_sim": "WordSim-353, similarity",
    "similarity/wordsim353_rel": "relatedness",
    "similarity/men3000": "MEN",
    "similarity/simverb3500": "SimVerb",
    **KINDS,
}
CHOSEN = {
    "similarity": "similarity",
    "analogy": "analogies",
    "texts/newsgroups20": "20 Newsgroups",
    "texts/imdb": "IMDB",
}


def memory() -> str:
    """Return time and peak memory of each kind of vectors."""
    result = read("alpha-vectors")
    rows = [
        (
            name,
            f"{row['fit_seconds']:.1f} s",
            f"{row['seconds_per_1000_words']:.1f} s",
            f"{row['seconds_per_1000_words'] * result['words'] / 60_000:.0f} min",
            f"{row['peak_megabytes'] / 1024:.1f} GB",
        )
        for name, row in result["rows"].items()
    ]
    head = (
        f"{result['words']:,} words of {result['dim']} dimensions, one thread of {result['machine']['processor']}, "
        f"processor time measured on {result['sample']:,} words over all contexts:"
    )
    return f"{head}\n\n" + table(("", "fit", "1,000 words", "all words, from that", "peak memory"), rows)


def chosen() -> str:
    """Return the alphas that development halves chose."""
    sweep = read(SWEEP)
    rows = [
        (label, *(f"{row['chosen'][kind]:g}" if kind in row["chosen"] else "–" for kind in CHOSEN))
        for label, row in sweep["rows"].items()
    ]
    return table(("alpha chosen for", *CHOSEN.values()), rows)


def pairs() -> str:
    """Return the scores of a larger pair, which was not trained by the study."""
    result = read("alpha-pairs")
    rows = [
        (label, *(f"{row['test'][column]:.1f}" for column in OF_PAIRS), _numbers(row.get("chosen", {})))
        for label, row in result["rows"].items()
    ]
    head = f"{result['trained']}; the {result['words']:,} most frequent words, one seed:"
    return f"{head}\n\n" + table(("", *OF_PAIRS.values(), "alphas chosen"), rows)


def _numbers(chosen: dict[str, float]) -> str:
    return ", ".join(f"{chosen[kind]:g}" for kind in CHOSEN if kind in chosen) or "–"


def draw(path: Path) -> None:
    """Draw the scores on development halves by alpha, a panel for each pair and kind of score."""
    rows = read(SWEEP)["rows"]
    alphas = next(iter(rows.values()))["alphas"]
    panels = [
        Panel(_points(rows, pair, column), "alpha", f"{pair}: {title}", tick_names=[f"{alpha:g}" for alpha in alphas])
        for pair, column, title in PANELS
    ]
    draw_curves(panels, Frame(path, title="Scores of alpha vectors on development halves, by alpha"))


def _points(rows: dict[str, Any], pair: str, column: str) -> list[Point]:
    return [
        Point(label.partition(": ")[2], place, scores[column])
        for label, row in rows.items()
        for place, scores in enumerate(row["dev"])
        if label.startswith(pair)
    ]
