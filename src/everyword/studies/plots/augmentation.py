"""Scores of augmentations, alone and in pairs, as heat maps: which of them help, and which help each other?

After Figures A3 and A4 of the LOVE paper: the diagonal is one augmentation alone, a cell above it a pair.
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
from everyword.studies.plots.picture import GREY, Frame, draw_heat_map, panels, picture, plural, readable, write_cell
from everyword.text.corruption import TYPOS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AUGMENTATIONS = (*TYPOS, "synonym")
SEPARATOR = re.compile(r"\s*(?:\+|&|,|\band\b)\s*")
"""Between the two augmentations of a pair in the label of a variant."""
SIDE = 3.6
"""The side of a heat map, in inches."""
PANELS_IN_A_ROW = 3


@dataclass(frozen=True)
class Square:
    """The scores of one test, and those of variants outside the heat map, such as all augmentations or none."""

    title: str
    scores: Floats
    """Rows and columns are augmentations; NaN where nothing was trained, and below the diagonal."""
    others: Mapping[str, float]


def read_squares(path: Path) -> tuple[str, list[Square]]:
    """Read the result of a study: its name, and a square for each test, ours and the paper's if there is one."""
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
            f"{path} has no scores of augmentations: its variants must be named {', '.join(AUGMENTATIONS)}, or as a "
            "pair with a plus between them, like those of the study love-augmentation."
        )
    return str(record["study"]), squares


def _read(path: Path) -> dict[str, Any]:
    try:
        record = parse_json("\n".join(read_lines(path, "result of a study")))
        if "study" not in record or not all({"label", "ours"} <= variant.keys() for variant in record["variants"]):
            raise ValueError("the name of the study, or the label or scores of a variant, are missing")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(
            f"{path} is not the result of a study: {error}. 'everyword reproduce love-augmentation' saves one."
        ) from None
    return dict(record)


def _square(title: str, found: Mapping[str, float]) -> Square:
    scores = np.full((len(AUGMENTATIONS), len(AUGMENTATIONS)), np.nan)
    others = {}
    for label, score in found.items():
        cell = cell_of(label)
        if cell is None:
            others[label] = score
        else:
            scores[cell] = score
    return Square(title, scores, others)


def cell_of(label: str) -> tuple[int, int] | None:
    """Return the row and column of a variant; None for one that is neither an augmentation nor a pair.

    >>> cell_of("drop"), cell_of("synonym + swap"), cell_of("all")
    ((1, 1), (0, 4), None)
    """
    names = SEPARATOR.split(label.strip())
    if len(names) > 2 or not set(names) <= set(AUGMENTATIONS):
        return None
    indices = sorted(AUGMENTATIONS.index(name) for name in names)
    return indices[0], indices[-1]


def draw_augmentation(name: str, squares: Sequence[Square], frame: Frame) -> None:
    """Draw a heat map for each test, each with its own scale of brightness."""
    columns = min(len(squares), PANELS_IN_A_ROW)
    size = (SIDE * columns + 0.6, (SIDE + 0.3) * -(-len(squares) // columns) + 0.7)
    title = f"Augmentations alone and in pairs, {readable(name)}"
    with picture(frame, title=title, caption=_caption(squares), size=size) as figure:
        for axes, square in zip(panels(figure, len(squares), columns), squares, strict=True):
            _draw_square(axes, square)


def _draw_square(axes: Axes, square: Square) -> None:
    scores = square.scores
    low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    high = high if high > low else low + 1
    draw_heat_map(axes, scores, (AUGMENTATIONS, AUGMENTATIONS), (low, high))
    axes.set_title(readable(square.title, 48), size=10, loc="left")
    axes.set_xticks(range(len(AUGMENTATIONS)), AUGMENTATIONS, rotation=40, ha="right", rotation_mode="anchor")
    axes.spines[:].set_visible(False)
    best = np.nanmax(scores)
    for cell in _cells():
        score = scores[cell]
        if np.isnan(score):
            write_cell(axes, cell, "–", 0, color=GREY)
        else:
            weight = "bold" if score == best else "normal"
            write_cell(axes, cell, f"{score:.1f}", (score - low) / (high - low), weight=weight)


def _cells() -> Iterable[tuple[int, int]]:
    """Return the diagonal and the cells above it."""
    return zip(*(indices.tolist() for indices in np.triu_indices(len(AUGMENTATIONS))), strict=True)


def _caption(squares: Sequence[Square]) -> str:
    lines = ["Scores in %; the diagonal is one augmentation alone, the best score is bold"]
    for square in squares:
        if square.others:
            lines.append(f"{square.title}: " + ", ".join(f"{readable(k)} {v:.1f}" for k, v in square.others.items()))
    missing = sum(int(np.isnan([square.scores[cell] for cell in _cells()]).sum()) for square in squares)
    if missing:
        lines.append(f"{plural(missing, 'cell')} without a score (–)")
    return "; ".join(lines) + "."
