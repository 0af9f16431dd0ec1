"""Tasks: how vectors are scored on one kind of data set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from everyword.errors import NoScoreError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Corrupt


class NoOverlapError(NoScoreError):
    """Raised when the vectors cover no word of the data set."""


@dataclass(frozen=True)
class Scores:
    """The scores of a model in a task, in percent: 100 is perfect."""

    values: Mapping[str, float | None]
    """Each score by name. One that ends in "_known" counts only items whose words are all known, or is None."""
    n: int
    """How many items were counted."""
    known: int
    """How many of them consist of known words only."""
    spread: Mapping[str, float] = field(default_factory=dict)
    """Standard deviation over the seeds, for scores that depend on chance; each value is then the mean."""
    seeds: int = 0
    """The number of these seeds."""
    sections: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Scores of parts of the data set, where it has parts."""
    changed: float | None = None
    """The share of words that noise really changed; None for clean data."""
    items: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Numbers of single items, in the order of the data set, for tasks that keep them."""
    items_if_asked: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """More of them, which are kept only where asked for."""


@dataclass(frozen=True)
class Task:
    """A way to score vectors. Changed arithmetic is a new version: scores of two versions never share a column."""

    name: str
    version: int
    kind: str
    """The kind of data sets it runs on."""
    summary: str
    main: str
    """The score that represents the others in tables."""
    load: Callable[..., Any]
    """Read a data set from its file or files."""
    run: Callable[[EvaluatedModel, Any, int], Scores]
    """Score a model on what `load` returned; the number is the seed."""
    corrupt: Corrupt[Any] | None = None
    """Make a noisy copy of what `load` returned; None for a task that is already about misspellings."""
    run_copies: Callable[[EvaluatedModel, Sequence[Any], int], Iterator[Scores]] | None = None
    """Score several copies that differ in their test items only, and train once for all of them.

    None for a task that trains nothing: each copy is then run by itself.
    """
    reads_characters: bool = False
    """Whether it can train character features beside the vectors: the policy "characters"."""
    reads_sentences: bool = False
    """Whether it gives words in sentences, which only some policies read."""
    takes_scorers: bool = False
    """Whether it can compare words by other measures than the cosine, as the model's `scorer` says."""
    slow: bool = False
    """Whether it trains something, which takes minutes to hours."""

    needs_target: bool = False
    """Whether it searches in a second table, which is given beside the data set."""

    @property
    def by_name_only(self) -> bool:
        """Whether "all" excludes it, because it takes long, or needs a second table or a model that reads sentences."""
        return self.slow or self.reads_sentences or self.needs_target

    @property
    def full_name(self) -> str:
        """The name under which it is registered."""
        return f"{self.name}.v{self.version}"
