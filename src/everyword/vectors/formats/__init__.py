"""One file per format; `guess` tells which one a file has."""

from __future__ import annotations

from everyword.vectors.formats.base import Format, Rows
from everyword.vectors.formats.guess import guess

__all__ = ["Format", "Rows", "guess"]
