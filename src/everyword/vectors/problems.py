"""What was wrong with an input file: an error at once, or a counted skip.

Strict reading stops at the first problem. Lenient reading drops the row, counts it by kind and remembers where the
first one stood, so that a shortened table can always say how it came to be short.
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
        self._first_place = ""

    def skip(self, kind: str, place: str, message: str) -> None:
        """Report a row that cannot be used."""
        if not self.lenient:
            raise InputError(
                f"{place}: {message}; repair the file, or skip such rows with lenient=True (--lenient in the shell)."
            )
        self._first_place = self._first_place or place
        self.skipped[kind] += 1

    def remark(self, place: str, message: str) -> None:
        """Report something wrong with the file as a whole that loses no row we could have kept."""
        if not self.lenient:
            raise InputError(
                f"{place}: {message}; repair the file, or keep the rest with lenient=True (--lenient in the shell)."
            )
        self.remarks.append(f"{place}: {message}")

    def __bool__(self) -> bool:
        return bool(self.skipped or self.remarks)

    def summary(self) -> str:
        """All problems in one line; empty when there were none."""
        parts = [self._skipped_text()] if self.skipped else []
        return "; ".join(parts + self.remarks)

    def _skipped_text(self) -> str:
        total = sum(self.skipped.values())
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.skipped.most_common())
        return f"skipped {total} row{'' if total == 1 else 's'}: {kinds} (first at {self._first_place})"
