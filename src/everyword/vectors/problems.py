"""Problems of an input file: raised at once, or skipped and counted.

Strict reading stops at the first problem. Lenient reading drops the row, counts it by kind and remembers the
first location, so that every shortened table can be explained.
"""

from __future__ import annotations

from collections import Counter

from everyword.errors import InputError


class Problems:
    """Raises on the first problem, or counts them all when `lenient`.

    >>> problems = Problems(lenient=True)
    >>> problems.skip("ragged row", "x.vec:17", "3 numbers where 4 were expected")
    >>> problems.summary()
    'skipped 1 row: 1 ragged row (first at x.vec:17)'
    """

    def __init__(self, *, lenient: bool = False) -> None:
        self.lenient = lenient
        self.skipped: Counter[str] = Counter()
        self.remarks: list[str] = []
        self._first_location = ""

    def skip(self, kind: str, location: str, message: str) -> None:
        """Report a row that cannot be used."""
        if not self.lenient:
            raise InputError(
                f"{location}: {message}; repair the file, or skip such rows with lenient=True (--lenient in the shell)."
            )
        self._first_location = self._first_location or location
        self.skipped[kind] += 1

    def remark(self, location: str, message: str) -> None:
        """Report a problem of the file as a whole that costs no usable row."""
        if not self.lenient:
            raise InputError(
                f"{location}: {message}; repair the file, or keep the rest with lenient=True (--lenient in the shell)."
            )
        self.remarks.append(f"{location}: {message}")

    def __bool__(self) -> bool:
        return bool(self.skipped or self.remarks)

    def summary(self) -> str:
        """Return all problems in one line; empty if there were none."""
        parts = [self._skipped_text()] if self.skipped else []
        return "; ".join(parts + self.remarks)

    def _skipped_text(self) -> str:
        total = sum(self.skipped.values())
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.skipped.most_common())
        return f"skipped {total} row{'' if total == 1 else 's'}: {kinds} (first at {self._first_location})"
