"""A picture from its first line to its file: one style for all, PNG or SVG, the same bytes for the same input."""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.extras import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
}
"""The forms a picture can have, and what must not be written into each: it would change from day to day."""

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
TITLE_SIZE, CAPTION_SIZE = 12, 8
LETTER_WIDTH = 0.56
"""Of a font's size; what lines are broken by."""
LONGEST_LABEL = 32
LONGEST_SERIES = 64
"""In letters; the name of a series ends with its policy, which tells it from others, so it gets more."""
NO_ROOM = "constrained_layout not applied"
"""How matplotlib's warning begins when the labels leave nothing for the drawing."""


@dataclass(frozen=True)
class Frame:
    """What every picture is told by its user."""

    output: Path
    title: str | None = None
    """Instead of the one that the picture would give itself; an empty one leaves it out."""
    size: tuple[float, float] | None = None
    """Width and height in inches."""


def check_output(output: Path) -> None:
    """Refuse, before any work is done, a picture that could not be written."""
    if output.suffix[1:].lower() not in METADATA:
        forms = " or ".join(f".{form}" for form in METADATA)
        raise InputError(f"A picture's name must end in {forms}. Got {output.name!r} instead.")
    if not output.absolute().parent.is_dir():
        raise InputError(f"There is no folder {output.parent}; make it first, or choose another.")
    require("matplotlib", "Drawing")


@contextmanager
def picture(frame: Frame, *, title: str, caption: str, size: tuple[float, float]) -> Iterator[Figure]:
    """A figure to draw on, in the style of the house; it is written when the drawing went well."""
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
            figure.suptitle(_broken(heading, width, TITLE_SIZE), x=0.01, ha="left", size=TITLE_SIZE, weight="bold")
        figure.supxlabel(_broken(caption, width, CAPTION_SIZE), x=0.01, ha="left", size=CAPTION_SIZE, color=GREY)
        form = frame.output.suffix[1:].lower()
        drawn = io.BytesIO()
        try:
            yield figure
            figure.savefig(drawn, format=form, metadata=METADATA[form])
        except UserWarning as warning:
            if not str(warning).startswith(NO_ROOM):
                raise
            raise InputError(
                f"There is no room for the picture on {width:g} by {height:g} inches; give it more."
            ) from None
    write_atomic(frame.output, drawn.getvalue())


def readable(text: str, longest: int = LONGEST_LABEL) -> str:
    """A text as a label: of bearable length, without what no page can hold.

    >>> readable("a\\tb")
    'a�b'
    """
    printable = "".join(character if character.isprintable() else "\ufffd" for character in text)
    return printable if len(printable) <= longest else printable[: longest - 1] + "…"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "word"), counted(1200, "word"), counted(3, "class", "classes")
    ('1 word', '1,200 words', '3 classes')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _broken(text: str, width: float, size: int) -> str:
    printable = "".join(character if character.isprintable() else " " for character in text)
    return textwrap.fill(printable, max(12, int(width * 72 / (size * LETTER_WIDTH))))
