"""Words and their misspellings on a plane, joined by lines: the shorter, the better understood."""

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

Pairs = Sequence[tuple[str, str]]
"""Misspellings and what was meant."""

PAIRS: Pairs = [
    ("goverment", "government"),
    ("neccessary", "necessary"),
    ("recieve", "receive"),
    ("tommorow", "tomorrow"),
    ("enviroment", "environment"),
    ("hospitl", "hospital"),
    ("gardenning", "gardening"),
    ("phisics", "physics"),
    ("restuarant", "restaurant"),
    ("musicain", "musician"),
]


def read_pairs(path: Path) -> Pairs:
    """Misspellings and right words, tab-separated, one pair a line; the header of a misspelling set is left out."""
    return read_couples(path, "list of misspellings", ("wrong", "right"))


def draw(way: EvaluatedModel, pairs: Pairs, frame: Frame, method: str = "pca") -> None:
    """A hollow mark for the misspelling, a full one for the word, a line between them."""
    wrong, right = (way.units(list(words)) for words in zip(*pairs, strict=True))
    usable = np.flatnonzero(wrong.any(axis=1) & right.any(axis=1))
    if not len(usable):
        found = int(wrong.any(axis=1).sum() + right.any(axis=1).sum())
        raise InputError(
            f"A map of pairs needs one with two vectors; {way.name}, policy {way.policy}, has vectors for {found} of "
            f"{counted(2 * len(pairs), 'word')}. Give other words, or choose another policy."
        )
    kept = [pairs[place] for place in usable.tolist()]
    wrong, right = wrong[usable], right[usable]
    plane = project(np.concatenate([wrong, right]), method)
    points = plane.points
    cosines = wrong @ right.T
    understood = int((cosines.diagonal() >= cosines.max(axis=1)).sum())
    caption = [
        f"n = {counted(len(kept), 'pair')}; hollow: misspelt, full: right",
        f"{understood} of {len(kept)} misspellings lie nearest to their own word, of those shown, in all dimensions",
        f"mean cosine within a pair {cosines.diagonal().mean():.2f}",
        plane.caption,
    ]
    if len(kept) < len(pairs):
        caption.append(f"{counted(len(pairs) - len(kept), 'pair')} without a vector left out")
    title = f"Misspellings and what was meant in {way.name}, policy {way.policy}"
    with picture(frame, title=title, caption="; ".join(caption) + ".", size=(7, 5.2)) as figure:
        axes = draw_plane(figure, plane)
        half = len(kept)
        lines = list(np.stack([points[:half], points[half:]], axis=1))
        for line in lines:
            axes.plot(line[:, 0], line[:, 1], color=GREY, linewidth=1, zorder=1)
        axes.scatter(points[half:, 0], points[half:, 1], s=42, color=COLOURS[0], zorder=2)
        axes.scatter(
            points[:half, 0], points[:half, 1], s=42, facecolor="white", edgecolor=COLOURS[1], linewidth=1.6, zorder=2
        )
        names = [wrong for wrong, _ in kept] + [right for _, right in kept]
        name_points(figure, points, names, [COLOURS[1]] * half + [COLOURS[0]] * half, lines)
