"""What the maps of words share: reading couples, choosing words that have vectors, an empty plane."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from everyword.arrays import FloatArray
from everyword.corpus.rows import COMMENT
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.files import read_lines
from everyword.space.projection import Plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FEWEST = 2


def read_couples(path: Path, what: str, *headers: tuple[str, str]) -> list[tuple[str, str]]:
    """Two tab-separated columns, each couple once; a first line that is one of the headers is left out."""
    couples: dict[tuple[str, str], None] = {}
    for number, line in enumerate(read_lines(path, what), start=1):
        cells = tuple(cell.strip() for cell in line.split("\t")[:2])
        if not line.strip() or line.startswith(COMMENT) or (number == 1 and cells in headers):
            continue
        if len(cells) < 2 or not all(cells):
            names = " and ".join(headers[0])
            raise InputError(f"{path}:{number}: needs {names} with a tab between them. Got {line[:60]!r}.")
        couples[cells[0], cells[1]] = None
    if not couples:
        raise InputError(f"{path} is empty; a {what} was expected.")
    return list(couples)


def with_vectors(way: EvaluatedModel, words: Sequence[str]) -> tuple[list[int], FloatArray]:
    """The places of the words that have a vector, and their vectors, of length 1."""
    units = way.units(words)
    usable = np.flatnonzero(units.any(axis=1)).tolist()
    if len(usable) < FEWEST:
        raise InputError(
            f"A map needs {FEWEST} or more words with vectors; {way.name}, policy {way.policy}, has {len(usable)} of "
            f"{len(words)}. Give other words, or choose another policy."
        )
    return usable, units[usable]


def draw_plane(figure: Figure, plane: Plane) -> Axes:
    """Axes with equal units, named where they mean something, with room for names at the border."""
    axes = figure.subplots()
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.14)
    axes.tick_params(labelbottom=False, labelleft=False, length=0)
    axes.set_xlabel(plane.axes[0])
    axes.set_ylabel(plane.axes[1])
    return axes
