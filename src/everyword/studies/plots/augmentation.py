"""Augmentations alone and in twos as squares, from a kept study: which of them help, and which help each other?

After the LOVE paper's Figures A3 and A4: the diagonal is one augmentation alone, a cell above it two together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from everyword.errors import InputError
from everyword.files import parse_json, read_lines
from everyword.space.projection import Floats
from everyword.studies.plots.picture import GREY, Frame, counted, picture, readable
from everyword.text.corruption import TYPOS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AUGMENTATIONS = (*TYPOS, "synonym")
TOGETHER = re.compile(r"\s*(?:\+|&|,|\band\b)\s*")
"""What stands between two augmentations in the label of a variant."""
SIDE = 3.6
"""Of a square, in inches."""
PANELS_IN_A_ROW = 3
BRIGHT = 0.6
"""From this share of the scale up, black letters are easier to read than white ones."""


@dataclass(frozen=True)
class Square:
    """The scores of one test, and those of the variants that are no cell: all augmentations, or none."""

    title: str
    scores: Floats
    """Rows and columns are augmentations; NaN where nothing was trained, and below the diagonal."""
    beside: Mapping[str, float]


def read_squares(path: Path) -> tuple[str, list[Square]]:
    """The name of a study, and a square for each of its tests, ours and, where it has them, the paper's."""
    record = _read(path)
    variants = record["variants"]
    squares = []
    for test in dict.fromkeys(name for variant in variants for name in variant["ours"]):
        for whose in ("ours", "paper"):
            found = {
                variant["label"]: float(score)
                for variant in variants
                if (score := variant.get(whose, {}).get(test)) is not None
            }
            square = _square(f"{test}, {whose}", found)
            if not np.isnan(square.scores).all():
                squares.append(square)
    if not squares:
        raise InputError(
            f"{path} has no scores of augmentations: variants are named {', '.join(AUGMENTATIONS)}, or two of them "
            "with a plus between; the study love-augmentation is such a one."
        )
    return str(record["study"]), squares


def _read(path: Path) -> dict[str, Any]:
    try:
        record = parse_json("\n".join(read_lines(path, "kept study")))
        if "study" not in record or not all({"label", "ours"} <= variant.keys() for variant in record["variants"]):
            raise ValueError("it names no study, or no variants with a label and scores")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(
            f"{path} is no kept study: {error}. 'everyword reproduce love-augmentation' makes one."
        ) from None
    return dict(record)


def _square(title: str, found: Mapping[str, float]) -> Square:
    scores = np.full((len(AUGMENTATIONS), len(AUGMENTATIONS)), np.nan)
    beside = {}
    for label, score in found.items():
        cell = cell_of(label)
        if cell is None:
            beside[label] = score
        else:
            scores[cell] = score
    return Square(title, scores, beside)


def cell_of(label: str) -> tuple[int, int] | None:
    """Row and column of a variant; None for one that is neither an augmentation nor two of them.

    >>> cell_of("drop"), cell_of("synonym + swap"), cell_of("all")
    ((1, 1), (0, 4), None)
    """
    names = TOGETHER.split(label.strip())
    if len(names) > 2 or not set(names) <= set(AUGMENTATIONS):
        return None
    places = sorted(AUGMENTATIONS.index(name) for name in names)
    return places[0], places[-1]


def draw(name: str, squares: Sequence[Square], frame: Frame) -> None:
    """A square for each test, each with its own scale of brightness and its number in every cell."""
    columns = min(len(squares), PANELS_IN_A_ROW)
    rows = -(-len(squares) // columns)
    size = (SIDE * columns + 0.6, (SIDE + 0.3) * rows + 0.7)
    title = f"Augmentations alone and in twos, {readable(name)}"
    with picture(frame, title=title, caption=_caption(squares), size=size) as figure:
        grid = figure.subplots(rows, columns, squeeze=False).flatten()
        for axes, square in zip(grid, squares, strict=False):
            _draw_square(axes, square)
        for axes in grid[len(squares) :]:
            axes.set_axis_off()


def _draw_square(axes: Axes, square: Square) -> None:
    scores = square.scores
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    axes.imshow(scores, cmap="cividis", vmin=low, vmax=high if high > low else low + 1)
    axes.set_title(readable(square.title, 48), size=10, loc="left")
    axes.grid(False)
    axes.set_xticks(range(len(AUGMENTATIONS)), AUGMENTATIONS, rotation=40, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(AUGMENTATIONS)), AUGMENTATIONS)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    for row, column in _cells():
        score = scores[row, column]
        if np.isnan(score):
            axes.text(column, row, "–", ha="center", va="center", color=GREY)
            continue
        ink = "black" if score - low > BRIGHT * (high - low) else "white"
        weight = "bold" if score == high else "normal"
        axes.text(column, row, f"{score:.1f}", ha="center", va="center", color=ink, weight=weight)


def _cells() -> Iterable[tuple[int, int]]:
    """The diagonal and what is above it."""
    return zip(*(indices.tolist() for indices in np.triu_indices(len(AUGMENTATIONS))), strict=True)


def _caption(squares: Sequence[Square]) -> str:
    lines = ["Scores in %; the diagonal is one augmentation alone, the best is bold"]
    for square in squares:
        if square.beside:
            lines.append(f"{square.title}: " + ", ".join(f"{readable(k)} {v:.1f}" for k, v in square.beside.items()))
    lacking = sum(int(np.isnan([square.scores[cell] for cell in _cells()]).sum()) for square in squares)
    if lacking:
        lines.append(f"{counted(lacking, 'cell')} without a score (–)")
    return "; ".join(lines) + "."
