"""Rare, medium, frequent: words by how often a corpus mentions them."""

from __future__ import annotations

from dataclasses import dataclass

from everyword.errors import InputError

RARE, MEDIUM, FREQUENT = "rare", "medium", "frequent"
NAMES = (RARE, MEDIUM, FREQUENT)


@dataclass(frozen=True)
class Bands:
    """The counts at which the bands begin.

    >>> [Bands().of(count) for count in (9, 10, 99, 100)]
    ['rare', 'medium', 'medium', 'frequent']
    """

    medium: int = 10
    frequent: int = 100

    def __post_init__(self) -> None:
        if not 0 < self.medium <= self.frequent:
            raise InputError(
                "The bands begin at two counts above 0, the lower one first, as in 10 and 100. "
                f"Got {self.medium} and {self.frequent} instead."
            )

    def of(self, count: int) -> str:
        """The band of a word that was mentioned so often."""
        return RARE if count < self.medium else MEDIUM if count < self.frequent else FREQUENT
