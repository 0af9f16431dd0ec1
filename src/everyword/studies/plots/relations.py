"""Pairs of words in one relation on a plane, joined by arrows: the more alike, the better the relation is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.space.projection import project
from everyword.studies.plots.labels import name_points
from everyword.studies.plots.maps import draw_plane, read_couples
from everyword.studies.plots.picture import COLOURS, GREY, Frame, counted, picture
from everyword.vectors.neighbours import unit_rows

Pairs = Sequence[tuple[str, str]]
PAIRS: Pairs = [
    ("he", "she"),
    ("man", "woman"),
    ("king", "queen"),
    ("father", "mother"),
    ("son", "daughter"),
    ("husband", "wife"),
    ("uncle", "aunt"),
    ("actor", "actress"),
    ("prince", "princess"),
    ("grandfather", "grandmother"),
]


def read_relation(path: Path) -> Pairs:
    """Two words in a relation, tab-separated, one pair a line."""
    return read_couples(path, "list of pairs", ("first", "second"))


def draw(way: EvaluatedModel, pairs: Pairs, frame: Frame, method: str = "pca") -> None:
    """A hollow mark for the first word, a full one for the second, an arrow between them."""
    first, second = (way.units(list(words)) for words in zip(*pairs, strict=True))
    usable = np.flatnonzero(first.any(axis=1) & second.any(axis=1))
    if len(usable) < 2:
        raise InputError(
            f"Arrows are compared, so two pairs with vectors are needed; {way.name}, policy {way.policy}, has "
            f"{counted(len(usable), 'pair')} of {len(pairs)}. Give other words, or choose another policy."
        )
    kept, first, second = [pairs[place] for place in usable.tolist()], first[usable], second[usable]
    offsets = unit_rows(second - first)
    between = (offsets @ offsets.T)[np.triu_indices(len(kept), 1)]
    plane = project(np.concatenate([first, second]), method)
    half, points = len(kept), plane.points
    caption = [
        f"n = {counted(half, 'pair')}; hollow: the first word, full: the second",
        f"mean cosine of two arrows {between.mean():.2f}, in all dimensions",
        plane.caption,
    ]
    if half < len(pairs):
        caption.append(f"{counted(len(pairs) - half, 'pair')} without a vector left out")
    title = f"Words in one relation in {way.name}, policy {way.policy}"
    with picture(frame, title=title, caption="; ".join(caption) + ".", size=(7, 5.2)) as figure:
        axes = draw_plane(figure, plane)
        lines = list(np.stack([points[:half], points[half:]], axis=1))
        for start, stop in lines:
            arrow = {"arrowstyle": "->", "color": GREY, "linewidth": 1, "shrinkA": 4, "shrinkB": 4}
            axes.annotate("", stop, start, arrowprops=arrow, zorder=1)
        axes.scatter(
            points[:half, 0], points[:half, 1], s=42, facecolor="white", edgecolor=COLOURS[1], linewidth=1.6, zorder=2
        )
        axes.scatter(points[half:, 0], points[half:, 1], s=42, color=COLOURS[0], zorder=2)
        names = [word for word, _ in kept] + [word for _, word in kept]
        name_points(figure, points, names, [COLOURS[1]] * half + [COLOURS[0]] * half, lines)
