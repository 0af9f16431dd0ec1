"""The one style of all pictures, written as PNG or SVG: the same input gives the same bytes."""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

    from everyword.arrays import FloatArray
    from everyword.space.projection import Floats

METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
}
"""The metadata of each format that is left out, because it would change from day to day."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, which most colour-blind readers tell apart; the strongest come first, yellow is left out."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREY = "#666666"
FAINT = "#dddddd"

STYLE: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "axes.labelsize": 9,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "savefig.dpi": 160,
    "svg.fonttype": "none",  # letters stay letters: they can be searched, and read aloud
    "svg.hashsalt": "everyword",
    "text.parse_math": False,  # a word may hold a dollar sign
}
BRIGHT = 0.6
"""Above this brightness, black digits are easier to read than white ones."""
TITLE_SIZE, CAPTION_SIZE = 12, 8
LETTER_WIDTH = 0.56
"""The mean width of a letter as a fraction of the font size, for wrapping lines."""
LONGEST_LABEL = 32
LONGEST_SERIES = 64
"""In letters; the name of a series ends with its policy, which sets it apart, so it may be longer."""
NO_ROOM = "constrained_layout not applied"
"""How matplotlib's warning begins when the labels leave nothing for the drawing."""


@dataclass(frozen=True)
class Frame:
    """The file of a picture, and what its user wants to be different: title and size."""

    output: Path
    title: str | None = None
    """Replaces the default title; an empty text leaves the title out."""
    size: tuple[float, float] | None = None
    """Width and height in inches."""


def check_output(output: Path) -> None:
    """Raise `InputError` if a picture could not be written to this file."""
    if output.suffix[1:].lower() not in METADATA:
        suffixes = " or ".join(f".{name}" for name in METADATA)
        raise InputError(f"The file name of a picture must end in {suffixes}. Got {output.name!r} instead.")
    if not output.absolute().parent.is_dir():
        raise InputError(f"There is no folder {output.parent}; make it first, or choose another.")
    require("matplotlib", "Drawing")


@contextmanager
def picture(frame: Frame, *, title: str, caption: str, size: tuple[float, float]) -> Iterator[Figure]:
    """Open a figure to draw on; it is saved to the file of the frame unless the drawing raises an error."""
    check_output(frame.output)
    matplotlib = require("matplotlib", "Drawing")
    with matplotlib.rc_context(), warnings.catch_warnings():
        # A script that the font lacks is boxes in a PNG and whole in an SVG; the documentation says so, once.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("error", message=NO_ROOM)
        matplotlib.rcdefaults()  # what the user's own settings change would change the bytes
        matplotlib.rcParams.update(STYLE)
        width, height = frame.size or size
        figure: Figure = require("matplotlib.figure", "Drawing").Figure(figsize=(width, height), layout="constrained")
        require("matplotlib.backends.backend_agg", "Drawing").FigureCanvasAgg(figure)
        heading = title if frame.title is None else frame.title
        if heading:
            figure.suptitle(_wrapped(heading, width, TITLE_SIZE), x=0.01, ha="left", size=TITLE_SIZE, weight="bold")
        figure.supxlabel(_wrapped(caption, width, CAPTION_SIZE), x=0.01, ha="left", size=CAPTION_SIZE, color=GREY)
        suffix = frame.output.suffix[1:].lower()
        buffer = io.BytesIO()
        try:
            yield figure
            figure.savefig(buffer, format=suffix, metadata=METADATA[suffix])
        except UserWarning as warning:
            if not str(warning).startswith(NO_ROOM):
                raise
            raise InputError(
                f"There is no room for the picture on {width:g} by {height:g} inches; choose a larger size."
            ) from None
    write_atomic(frame.output, buffer.getvalue())


def readable(text: str, longest: int = LONGEST_LABEL) -> str:
    """Shorten a text to a label and replace characters that cannot be printed.

    >>> readable("a\\tb")
    'a�b'
    """
    printable = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return printable if len(printable) <= longest else printable[: longest - 1] + "…"


def plural(number: int, noun: str, plural_noun: str | None = None) -> str:
    """Return a number with its noun.

    >>> plural(1, "word"), plural(1200, "word"), plural(3, "class", "classes")
    ('1 word', '1,200 words', '3 classes')
    """
    return f"{number:,} {noun if number == 1 else plural_noun or noun + 's'}"


def add_line(axes: Axes, ends: Floats, colour: str) -> None:
    """Draw a thin line; unlike a plotted one it does not change the limits of the axes."""
    axes.add_artist(require("matplotlib.lines", "Drawing").Line2D(*ends.T, color=colour, linewidth=0.6, zorder=0.9))


def panels(figure: Figure, count: int, columns: int, **options: Any) -> list[Axes]:
    """Return the axes of panels in rows of the given number of columns; the rest of the last row stays empty."""
    grid = figure.subplots(-(-count // columns), columns, squeeze=False, **options).flatten()
    for axes in grid[count:]:
        axes.set_axis_off()
    return list(grid[:count])


def draw_heat_map(
    axes: Axes, square: Floats | FloatArray, names: tuple[Sequence[str], Sequence[str]], limits: tuple[float, float]
) -> AxesImage:
    """Draw a heat map with the names of its rows and columns; `limits` are the darkest and the brightest value."""
    image = axes.imshow(square, cmap="cividis", vmin=limits[0], vmax=limits[1])
    axes.grid(False)
    axes.set_yticks(range(len(names[0])), names[0])
    axes.set_xticks(range(len(names[1])), names[1])
    axes.tick_params(length=0)
    return image


def write_cell(axes: Axes, cell: tuple[int, int], text: str, share: float, **options: Any) -> None:
    """Write into a cell of a heat map; `share` is the brightness of the cell, from 0 to 1."""
    ink = "black" if share > BRIGHT else "white"
    axes.text(cell[1], cell[0], text, ha="center", va="center", **{"color": ink, **options})


def _wrapped(text: str, width: float, size: int) -> str:
    printable = "".join(character if character.isprintable() else " " for character in text)
    return textwrap.fill(printable, max(12, int(width * 72 / (size * LETTER_WIDTH))))
