"""How words are compared: by the cosine of their vectors, or by their feature tuples."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Annotated, Literal

from everyword import config
from everyword.config import Range
from everyword.errors import InputError, UnknownNameError, did_you_mean
from everyword.space.divergences import MEASURES, Direction, Measure
from everyword.space.steps.features import Features, Normalise

COSINE = "cosine"
NAMES = (COSINE, *MEASURES)


@dataclass(frozen=True)
class Scorer:
    """A measure of feature tuples, and how they are made of vectors."""

    measure: Measure = "cross-entropy"
    normalise: Normalise = "column"
    base: Annotated[float, Range(1, open_low=True)] = math.e
    unit: bool = False
    """Whether vectors are scaled to length 1 first."""
    direction: Direction = "both"
    """From the first word to the second, or from the query to each candidate; back; or the mean of both."""
    renormalise: bool = True
    """Whether tuples that are made of several get the size of a word's before they are compared."""

    @property
    def features(self) -> Features:
        """The step that makes feature tuples."""
        return Features(self.normalise, self.base, self.unit)

    @property
    def higher_is_closer(self) -> bool:
        """Whether larger numbers mean closer words."""
        return self.measure == "overlap"

    def __str__(self) -> str:
        return ":".join([self.measure, *self._changes()])

    def _changes(self) -> Iterator[str]:
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            if value != field.default:
                yield f"{field.name}={str(value).lower() if isinstance(value, bool) else value}"


def read_scorer(text: str) -> Scorer | None:
    """Parse a scorer from its name and options; None is the cosine.

    >>> read_scorer("kl:normalise=row:direction=from")
    Scorer(measure='kl', normalise='row', base=2.718281828459045, unit=False, direction='from', renormalise=True)
    """
    name, *options = (part.strip() for part in text.split(":"))
    if name not in NAMES:
        raise UnknownNameError(f"There is no scorer {name!r}: {did_you_mean(name, NAMES)}")
    if name == COSINE:
        if options:
            raise InputError(f"The scorer {COSINE!r} takes no options. Got {text!r}; write {COSINE!r}.")
        return None
    given = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise InputError(f"An option of a scorer must read key=value, as in kl:normalise=row. Got {option!r}.")
        given[key.strip()] = value.strip() if key.strip() in WORDS else config.parse_value(value.strip())
    return config.build(Scorer, {"measure": name, **given}, f"the scorer {text!r}")


WORDS: tuple[Literal["normalise"], Literal["direction"]] = ("normalise", "direction")
"""Options whose value is a word, never a number or a truth value."""
