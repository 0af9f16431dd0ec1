"""Heat maps of the weights between the units of a word: the positional kernel and the self-attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.models.unit_weights import weights_between
from everyword.studies.plots.picture import Frame, draw_heat_map, panels, picture, plural, readable, write_cell

MOST_UNITS = 60
"""More rows than this would be illegible."""
WITH_ATTENTION = "love-en"
"""A shipped model that has attention, which the default one does not."""
LARGEST_SIDE = 7.5
"""The longest side of a heat map, in inches."""
NUMBERS_UP_TO = 14
SMALLEST_NUMBER = 0.095
"""Up to this many units, each cell with at least this weight holds its number."""


def weights_of(model: Model, word: str) -> tuple[list[str], dict[str, FloatArray]]:
    """Return the units of a word, and a square for each kind of weights that the encoder has; rows sum to 1."""
    form_encoder, spelling = model.form_encoder, model.normalise(word)
    if not form_encoder.units.usable(spelling):
        raise InputError(f"{model.name} knows no character of {word!r}; give another word.")
    ids = form_encoder.units.ids(spelling)
    if len(ids) > MOST_UNITS:
        raise InputError(
            f"{readable(word)!r} has {len(ids)} units, but at most {MOST_UNITS} are shown; give a shorter word."
        )
    weights = weights_between(form_encoder, ids)
    if not weights:
        raise InputError(
            f"The encoder of {model.name}, {form_encoder.encoder}, has no attention to show; choose a model that has "
            f"some, as in --model {WITH_ATTENTION}."
        )
    return form_encoder.units.shown(spelling), weights


def draw_attention(model: Model, word: str, frame: Frame) -> None:
    """Draw a heat map for each kind of weights between the units of a word; rows attend to columns.

    Args:
        model: A model whose encoder has attention or a positional kernel.
        word: The word, of at most 60 units.
        frame: The file, and perhaps a title and a size.
    """
    units, weights = weights_of(model, word)
    names = [readable(unit) for unit in units]
    caption = (
        f"{model.name}, encoder {model.form_encoder.encoder}; n = {plural(len(units), 'unit')}. "
        "Each row is a unit and shows how its attention, which sums to 1, is distributed over the columns."
    )
    draw_weights(weights, (names, names), frame, f"What the units of “{readable(word)}” attend to", caption)


def draw_weights(
    weights: Mapping[str, FloatArray],
    names: tuple[Sequence[str], Sequence[str]],
    frame: Frame,
    title: str,
    caption: str,
) -> None:
    """Draw heat maps side by side; `names` are those of their rows and of their columns."""
    columns = names[1]
    brightest = max(float(square.max()) for square in weights.values())
    side = min(max(3.2, 0.26 * len(columns) + 1.2), LARGEST_SIDE)
    letters = min(9.0, 0.75 * 72 * side / len(columns))
    with picture(frame, title=title, caption=caption, size=(side * len(weights) + 0.9, side + 0.6)) as figure:
        maps = panels(figure, len(weights), len(weights))
        for axes, (kind, square) in zip(maps, weights.items(), strict=True):
            image = draw_heat_map(axes, square, names, (0, brightest))
            axes.set_title(kind, size=10)
            axes.tick_params(labelsize=letters)
            axes.tick_params(axis="x", rotation=90)
            if len(columns) <= NUMBERS_UP_TO:
                for row, column in np.argwhere(square >= SMALLEST_NUMBER).tolist():
                    weight = float(square[row, column])
                    write_cell(axes, (row, column), f"{100 * weight:.0f}", weight / brightest, size=6.5)
        bar = figure.colorbar(image, ax=maps, shrink=0.8, aspect=30)
        bar.set_label("share of attention" + ("; in the cells %, from 10 up" if len(columns) <= NUMBERS_UP_TO else ""))
        bar.outline.set_visible(False)
