"""Scores by bands of a resource: a panel per benchmark, a line per model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from everyword.errors import InputError
from everyword.studies.plots.picture import COLOURS, LONGEST_SERIES, MARKERS, Frame, panels, picture, readable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Bands = Mapping[str, float | None]
"""Scores by band, from small to large."""
COLUMNS = 2


def draw_bands(found: Mapping[str, Mapping[str, Bands]], frame: Frame, *, resource: str = "frequency") -> None:
    """Draw the scores of models in the bands of several benchmarks.

    Args:
        found: Benchmark → model → bands. All models of a benchmark have the same bands.
        frame: The file, and what is to be different.
        resource: What the bands are about.
    """
    shown = {name: models for name, models in found.items() if any(_known(bands) for bands in models.values())}
    if not shown:
        raise InputError("No band has a score to draw; there are too few items.")
    labels = list(dict.fromkeys(model for models in shown.values() for model in models))
    title = f"Scores by {resource}"
    caption = "An item is as frequent as its rarest word; bands with few items are left out."
    rows = -(-len(shown) // COLUMNS)
    with picture(frame, title=title, caption=caption, size=(7.5, 1.4 + 2.4 * rows)) as figure:
        for axes, (name, models) in zip(panels(figure, len(shown), COLUMNS), shown.items(), strict=True):
            names = [band for band in next(iter(models.values())) if any(_has(one, band) for one in models.values())]
            for model, bands in models.items():
                index = labels.index(model)
                drawn = [(names.index(band), score) for band, score in bands.items() if score is not None]
                axes.plot(
                    [place for place, _ in drawn],
                    [score for _, score in drawn],
                    color=COLOURS[index % len(COLOURS)],
                    marker=MARKERS[index % len(MARKERS)],
                    label=readable(model, LONGEST_SERIES),
                )
            axes.set_title(name, loc="left", size=9)
            axes.set_xticks(range(len(names)), names, rotation=20, ha="right", size=7)
            axes.set_ylabel("score, %")
        handles, names = _handles(figure)
        figure.legend(handles, names, loc="outside upper right", ncols=1, fontsize=8)


def _handles(figure: Figure) -> tuple[list[Any], list[str]]:
    """The lines of all models, each once."""
    found: dict[str, Any] = {}
    for axes in figure.axes:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    return list(found.values()), list(found)


def _known(bands: Bands) -> bool:
    return any(score is not None for score in bands.values())


def _has(bands: Bands, band: str) -> bool:
    return bands.get(band) is not None
