"""Residual entropy and accuracy of codes by the capacity of their channel: a line per size of the networks."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any

from everyword.errors import InputError
from everyword.studies.plots.picture import COLOURS, GREY, MARKERS, Frame, panels, picture

PANELS = {"residual entropy": "residual entropy", "test accuracy": "unseen strings that arrive, %"}
"""What a game is measured by, and how it is called."""


def draw_codes(games: Mapping[str, Mapping[str, Any]], frame: Frame, *, enough: Mapping[int, str]) -> None:
    """Draw the games of a study.

    Args:
        games: The details of a study about codes: rows with bits, units, and values of all seeds by measure.
        frame: The file, and what is to be different.
        enough: Bits that are marked, and why.
    """
    if not games:
        raise InputError("The study has no games to draw.")
    sizes = sorted({int(game["units"]) for game in games.values()})
    caption = "Every dot is a game, lines are means; " + "; ".join(
        f"{bits} bits: {why}" for bits, why in enough.items()
    )
    with picture(frame, title="Codes by the bits of their channel", caption=caption, size=(7.5, 3.6)) as figure:
        for axes, (measure, name) in zip(panels(figure, len(PANELS), 2), PANELS.items(), strict=True):
            for bits in enough:
                axes.axvline(bits, color=GREY, linewidth=0.8, linestyle=":")
            for index, size in enumerate(sizes):
                rows = sorted((game for game in games.values() if game["units"] == size), key=lambda game: game["bits"])
                style: dict[str, Any] = {
                    "color": COLOURS[index % len(COLOURS)],
                    "marker": MARKERS[index % len(MARKERS)],
                }
                label = f"{size} units, up to {rows[-1]['parameters']:,} weights"
                axes.plot([row["bits"] for row in rows], [fmean(row[measure]) for row in rows], label=label, **style)
                dots = [(row["bits"], value) for row in rows for value in row[measure]]
                axes.plot(*zip(*dots, strict=True), linestyle="", markersize=2.5, alpha=0.5, **style)
            axes.set_xlabel("bits")
            axes.set_ylabel(name)
        handles, labels = figure.axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper right", ncols=len(sizes), fontsize=8)
