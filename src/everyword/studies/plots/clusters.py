"""Words of several classes on a plane: do they lie together, and do misspelt words lie among them?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.tasks import clustering
from everyword.evaluation.tasks.clustering import ClusteringSet
from everyword.space.projection import project
from everyword.studies.plots.labels import name_points
from everyword.studies.plots.maps import draw_plane, read_couples, with_vectors
from everyword.studies.plots.picture import COLOURS, MARKERS, Frame, counted, picture, readable

Classed = Sequence[tuple[str, str]]
"""Words and their classes."""

WORDS: Classed = [
    (word, name)
    for name, words in {
        "chemical": "nitrogen methane chlorine sulfur ammonia nitrogenn",
        "illness": "measles asthma malaria bronchitis diabetes diabtes",
        "occupation": "carpenter teacher lawyer plumber journalist carpentar",
    }.items()
    for word in words.split()
]
"""Five words of each class and a typo of one of them."""


def read_words(path: Path) -> Classed:
    """Words and classes, tab-separated, one couple a line; the header of a clustering set is left out."""
    return read_couples(path, "list of words and classes", ("word", "class"), ("word", "category"))


def draw(way: EvaluatedModel, words: Classed, frame: Frame, method: str = "pca") -> None:
    """Colours are classes; a hollow mark is a word that is not stored."""
    usable, units = with_vectors(way, [word for word, _ in words])
    kept = [words[place] for place in usable]
    plane = project(units, method)
    points = plane.points
    classes = list(dict.fromkeys(name for _, name in kept))
    known = np.array([way.known(word) for word, _ in kept])
    # More classes than colours take another shape.
    colour_of = {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(classes)}
    marker_of = {name: MARKERS[place // len(COLOURS) % len(MARKERS)] for place, name in enumerate(classes)}
    caption = [f"n = {counted(len(kept), 'word')}, {(~known).sum()} of them not stored (hollow)"]
    if len(kept) < len(words):
        caption.append(f"{len(words) - len(kept)} without a vector left out")
    caption.append(plane.caption)
    if len(classes) > 1:
        caption.append(f"purity of k-means in all dimensions {_purity(way, kept):.0f}%")
    title = f"Where words of {counted(len(classes), 'class', 'classes')} lie in {way.name}, policy {way.policy}"
    with picture(frame, title=title, caption="; ".join(caption) + ".", size=(7, 5.2)) as figure:
        axes = draw_plane(figure, plane)
        handles = []
        for name in classes:
            of_class = np.array([other == name for _, other in kept])
            colour, marker = colour_of[name], marker_of[name]
            for chosen, fill in ((of_class & known, colour), (of_class & ~known, "white")):
                axes.scatter(
                    points[chosen, 0],
                    points[chosen, 1],
                    s=42,
                    marker=marker,
                    facecolor=fill,
                    edgecolor=colour,
                    linewidth=1.6,
                )
            handles.append(axes.scatter([], [], s=42, marker=marker, color=colour))
        names = [readable(name) for name in classes]
        axes.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, handletextpad=0.1, borderpad=0.2)
        name_points(figure, points, [word for word, _ in kept], [colour_of[name] for _, name in kept])


def _purity(way: EvaluatedModel, kept: Classed) -> float:
    data = ClusteringSet("shown", [word for word, _ in kept], np.array([name for _, name in kept]))
    return clustering.run(way, data, seed=0).values["purity"] or 0.0
