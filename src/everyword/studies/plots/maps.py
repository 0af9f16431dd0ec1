"""Maps of words on a plane: classes of words, misspellings with their words, pairs in one relation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from everyword.arrays import FloatArray
from everyword.corpus.rows import COMMENT
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.tasks import clustering
from everyword.evaluation.tasks.clustering import ClusteringSet
from everyword.files import read_lines
from everyword.space.projection import Floats, Plane, project
from everyword.studies.plots.labels import label_points
from everyword.studies.plots.picture import COLOURS, GREY, MARKERS, Frame, picture, plural, readable
from everyword.vectors.neighbours import unit_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Pairs = Sequence[tuple[str, str]]
"""Words with their classes, misspellings with their words, or words in one relation."""
CLASSES: Pairs = [
    (word, name)
    for name, words in {
        "chemical": "nitrogen methane chlorine sulfur ammonia nitrogenn",
        "illness": "measles asthma malaria bronchitis diabetes diabtes",
        "occupation": "carpenter teacher lawyer plumber journalist carpentar",
    }.items()
    for word in words.split()
]
"""Five words of each class and a typo of one of them."""
_WRONG = "goverment neccessary recieve tommorow enviroment hospitl gardenning phisics restuarant musicain"
_RIGHT = "government necessary receive tomorrow environment hospital gardening physics restaurant musician"
MISSPELLINGS: Pairs = [*zip(_WRONG.split(), _RIGHT.split(), strict=True)]
_MALE = "he man king father son husband uncle actor prince grandfather"
_FEMALE = "she woman queen mother daughter wife aunt actress princess grandmother"
RELATION: Pairs = [*zip(_MALE.split(), _FEMALE.split(), strict=True)]
SIZE = (7.0, 5.2)
HEADERS = {
    "words and classes": (("word", "class"), ("word", "category")),
    "misspellings": (("wrong", "right"),),
    "pairs": (("first", "second"),),
}
"""The names of the two columns of each kind of list, as a first line may give them."""


def read_pairs(path: Path, what: str) -> Pairs:
    """Read a list of "words and classes", "misspellings" or "pairs": two tab-separated columns, a header if any."""
    pairs: dict[tuple[str, str], None] = {}
    for number, line in enumerate(read_lines(path, f"list of {what}"), start=1):
        cells = tuple(cell.strip() for cell in line.split("\t")[:2])
        if not line.strip() or line.startswith(COMMENT) or (number == 1 and cells in HEADERS[what]):
            continue
        if len(cells) < 2 or not all(cells):
            names = " and ".join(HEADERS[what][0])
            raise InputError(f"{path}:{number}: needs {names} with a tab between them. Got {line[:60]!r}.")
        pairs[cells[0], cells[1]] = None
    if not pairs:
        raise InputError(f"{path} is empty; a list of {what} was expected.")
    return list(pairs)


def draw_clusters(model: EvaluatedModel, words: Pairs, frame: Frame, method: str = "pca") -> None:
    """Draw words in the colours of their classes; the marker of a word that is not stored is hollow.

    Args:
        model: Gives the vectors.
        words: Words and their classes.
        frame: The file, and perhaps a title and a size.
        method: How the vectors become points: "pca", "tsne" or "umap".
    """
    units = model.units([word for word, _ in words])
    usable = np.flatnonzero(units.any(axis=1))
    if len(usable) < 2:
        raise InputError(
            f"A map needs 2 or more words with vectors; {model.name}, policy {model.policy}, has {len(usable)} of "
            f"{len(words)}. Give other words, or choose another policy."
        )
    shown = [words[index] for index in usable.tolist()]
    plane = project(units[usable], method)
    classes = list(dict.fromkeys(name for _, name in shown))
    known = np.array([model.known(word) for word, _ in shown])
    # More classes than colours take another shape.
    colours = {name: COLOURS[index % len(COLOURS)] for index, name in enumerate(classes)}
    markers = {name: MARKERS[index // len(COLOURS) % len(MARKERS)] for index, name in enumerate(classes)}
    caption = [f"n = {plural(len(shown), 'word')}, {(~known).sum()} of them not stored (hollow)"]
    if len(shown) < len(words):
        caption.append(f"{len(words) - len(shown)} without a vector left out")
    caption.append(plane.caption)
    if len(classes) > 1:
        caption.append(f"purity of k-means in all dimensions {_purity(model, shown):.0f}%")
    title = f"Words of {plural(len(classes), 'class', 'classes')} in {model.name}, policy {model.policy}"
    with picture(frame, title=title, caption="; ".join(caption) + ".", size=SIZE) as figure:
        axes = _axes(figure, plane)
        handles = []
        for name in classes:
            members = np.array([other == name for _, other in shown])
            _scatter(axes, plane.points[members & known], colours[name], marker=markers[name])
            _scatter(axes, plane.points[members & ~known], colours[name], marker=markers[name], hollow=True)
            handles.append(axes.scatter([], [], s=42, marker=markers[name], color=colours[name]))
        names = [readable(name) for name in classes]
        axes.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, handletextpad=0.1, borderpad=0.2)
        label_points(figure, plane.points, [word for word, _ in shown], [colours[name] for _, name in shown])


def _purity(model: EvaluatedModel, shown: Pairs) -> float:
    data = ClusteringSet("shown", [word for word, _ in shown], np.array([name for _, name in shown]))
    return clustering.run(model, data, seed=0).values["purity"] or 0.0


def draw_pairs(model: EvaluatedModel, pairs: Pairs, frame: Frame, method: str = "pca") -> None:
    """Draw misspellings (hollow) and their words (full), joined by lines: the shorter, the better understood."""
    shown, wrong, right = _with_vectors(model, pairs)
    if not shown:
        raise InputError(
            f"A map of misspellings needs a pair with two vectors; {model.name}, policy {model.policy}, has none in "
            f"{plural(len(pairs), 'pair')}. Give other words, or choose another policy."
        )
    cosines = wrong @ right.T
    understood = int((cosines.diagonal() >= cosines.max(axis=1)).sum())
    caption = (
        "hollow: misspelt, full: right; "
        f"{understood} of {len(shown)} misspellings are nearest to their own word, of those shown, in all dimensions; "
        f"mean cosine within a pair {cosines.diagonal().mean():.2f}"
    )
    title = f"Misspellings and their words in {model.name}, policy {model.policy}"
    line = {"arrowstyle": "-", "color": GREY, "linewidth": 1, "shrinkA": 0, "shrinkB": 0}
    plane = project(np.concatenate([wrong, right]), method)
    _draw_joined(shown, plane, frame, left_out=len(pairs) - len(shown), title=title, caption=caption, join=line)


def draw_relations(model: EvaluatedModel, pairs: Pairs, frame: Frame, method: str = "pca") -> None:
    """Draw pairs in one relation, joined by arrows: the more alike the arrows, the better the relation is modelled."""
    shown, first, second = _with_vectors(model, pairs)
    if len(shown) < 2:
        raise InputError(
            f"Arrows are compared, so two pairs with vectors are needed; {model.name}, policy {model.policy}, has "
            f"{plural(len(shown), 'pair')} of {len(pairs)}. Give other words, or choose another policy."
        )
    offsets = unit_rows(second - first)
    between = (offsets @ offsets.T)[np.triu_indices(len(shown), 1)]
    caption = (
        f"hollow: the first word, full: the second; mean cosine of two arrows {between.mean():.2f}, in all dimensions"
    )
    title = f"Words in one relation in {model.name}, policy {model.policy}"
    arrow = {"arrowstyle": "->", "color": GREY, "linewidth": 1, "shrinkA": 4, "shrinkB": 4}
    plane = project(np.concatenate([first, second]), method)
    _draw_joined(shown, plane, frame, left_out=len(pairs) - len(shown), title=title, caption=caption, join=arrow)


def _with_vectors(model: EvaluatedModel, pairs: Pairs) -> tuple[Pairs, FloatArray, FloatArray]:
    """Return the pairs whose two words have vectors, with the unit vectors of their first and second words."""
    first, second = (model.units(list(words)) for words in zip(*pairs, strict=True))
    usable = np.flatnonzero(first.any(axis=1) & second.any(axis=1))
    return [pairs[index] for index in usable.tolist()], first[usable], second[usable]


def _draw_joined(
    shown: Pairs, plane: Plane, frame: Frame, *, left_out: int, title: str, caption: str, join: dict[str, Any]
) -> None:
    """Draw the first words of pairs hollow, the second ones full, and what joins them."""
    half = len(shown)
    caption = f"n = {plural(half, 'pair')}; {caption}; {plane.caption}"
    caption += f"; {plural(left_out, 'pair')} without a vector left out" if left_out else ""
    with picture(frame, title=title, caption=caption + ".", size=SIZE) as figure:
        axes = _axes(figure, plane)
        lines = list(np.stack(np.split(plane.points, 2), axis=1))
        for start, stop in lines:
            axes.annotate("", stop, start, arrowprops=join, zorder=1)
        _scatter(axes, plane.points[:half], COLOURS[1], hollow=True, zorder=2)
        _scatter(axes, plane.points[half:], COLOURS[0], zorder=2)
        names = [first for first, _ in shown] + [second for _, second in shown]
        label_points(figure, plane.points, names, [COLOURS[1]] * half + [COLOURS[0]] * half, lines)


def _axes(figure: Figure, plane: Plane) -> Axes:
    """Return axes with equal units and margins for labels, named where they mean something."""
    axes = figure.subplots()
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.14)
    axes.tick_params(labelbottom=False, labelleft=False, length=0)
    axes.set_xlabel(plane.axes[0])
    axes.set_ylabel(plane.axes[1])
    return axes


def _scatter(
    axes: Axes, points: Floats, colour: str, *, marker: str = "o", hollow: bool = False, zorder: float = 1
) -> None:
    face = "white" if hollow else colour
    x, y = points.T
    axes.scatter(x, y, s=42, marker=marker, facecolor=face, edgecolor=colour, linewidth=1.6, zorder=zorder)
