"""How the units of one word look at each other: the positional kernel and the self-attention as heat maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from everyword import registry
from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.models.model import Model
from everyword.models.unit_weights import weights_between
from everyword.studies.plots.picture import Frame, counted, picture, readable

MOST_UNITS = 60
"""More rows than this cannot be read."""
LARGEST_SIDE = 7.5
"""Of a square, in inches."""
NUMBERS_UP_TO = 14
WORTH_A_NUMBER = 0.095
"""With so few units, each cell that is not nearly nothing holds its number."""


def weights_of(model: Model, word: str) -> tuple[list[str], dict[str, FloatArray]]:
    """The units of a word, and for each kind of weights the encoder has a square of them; rows sum to one."""
    imputer, spelt = model.imputer, model.normalise(word)
    if not imputer.units.usable(spelt):
        raise InputError(f"{model.name} knows no character of {word!r}, so there is nothing to attend to.")
    ids = imputer.units.ids(spelt)
    if len(ids) > MOST_UNITS:
        raise InputError(f"{readable(word)!r} has {len(ids)} units, and no more than {MOST_UNITS} can be read.")
    weights = weights_between(imputer, ids)
    if not weights:
        having = ", ".join(name for name in registry.forward_passes if "pam" in name or name == "self-attention.v1")
        raise InputError(
            f"{model.name} is of the encoder {imputer.encoder}, which has no weights between units to show; "
            f"choose a model of {having}."
        )
    return imputer.units.shown(spelt), weights


def draw(model: Model, word: str, frame: Frame) -> None:
    """One square for each kind of weights, rows attending to columns."""
    units, weights = weights_of(model, word)
    names = [readable(unit) for unit in units]
    caption = (
        f"{model.name}, encoder {model.imputer.encoder}; n = {counted(len(units), 'unit')}. "
        "Each row is a unit, and shows how it shares out its attention, which sums to 1, over the columns."
    )
    draw_weights(weights, (names, names), frame, f"What the units of “{readable(word)}” attend to", caption)


def draw_weights(
    weights: Mapping[str, FloatArray],
    names: tuple[Sequence[str], Sequence[str]],
    frame: Frame,
    title: str,
    caption: str,
) -> None:
    """Heat maps side by side, with the names of their rows and of their columns."""
    rows, columns = names
    brightest = max(float(square.max()) for square in weights.values())
    side = min(max(3.2, 0.26 * len(columns) + 1.2), LARGEST_SIDE)
    letters = min(9.0, 0.75 * 72 * side / len(columns))
    with picture(frame, title=title, caption=caption, size=(side * len(weights) + 0.9, side + 0.6)) as figure:
        panels = figure.subplots(1, len(weights), squeeze=False)[0]
        for axes, (kind, square) in zip(panels, weights.items(), strict=True):
            shown = axes.imshow(square, cmap="cividis", vmin=0, vmax=brightest)
            axes.set_title(kind, size=10)
            axes.grid(False)
            axes.set_xticks(range(len(columns)), columns, rotation=90, size=letters)
            axes.set_yticks(range(len(rows)), rows, size=letters)
            axes.tick_params(length=0)
            if len(columns) <= NUMBERS_UP_TO:
                for (row, column), weight in _numbered(square):
                    ink = "black" if weight > 0.6 * brightest else "white"
                    axes.text(column, row, f"{100 * weight:.0f}", ha="center", va="center", size=6.5, color=ink)
        bar = figure.colorbar(shown, ax=list(panels), shrink=0.8, aspect=30)
        bar.set_label("share of attention" + ("; in the cells %, from 10 up" if len(columns) <= NUMBERS_UP_TO else ""))
        bar.outline.set_visible(False)


def _numbered(square: FloatArray) -> list[tuple[tuple[int, int], float]]:
    """The cells that get a number."""
    rows, columns = (square >= WORTH_A_NUMBER).nonzero()
    return [
        ((row, column), float(square[row, column])) for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
