"""What a task is, and what it hands back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from everyword.errors import NoScoreError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Corrupt


class NoOverlapError(NoScoreError):
    """A data set of which a way to get vectors knows nothing: there is no score, not even a bad one."""


@dataclass(frozen=True)
class Scores:
    """What a task found. All scores are in percent, so 100 is perfect."""

    values: Mapping[str, float | None]
    """Each score by name. One that ends in "_known" counts only items whose words are all known, or is None."""
    n: int
    """How many items were counted."""
    known: int
    """How many of them have all their words among the known ones."""
    spread: Mapping[str, float] = field(default_factory=dict)
    """Standard deviation over the seeds, for scores that depend on chance; each value is then the mean."""
    seeds: int = 0
    """How many seeds that was."""
    sections: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """The scores of parts of the data set, where it has parts."""


@dataclass(frozen=True)
class Task:
    """A question asked of vectors. Changed arithmetic is a new version: scores of two versions never share a column."""

    name: str
    version: int
    kind: str
    """The kind of data sets it runs on."""
    summary: str
    main: str
    """The score that stands for the others in tables."""
    load: Callable[..., Any]
    """Read a data set from its file, or files."""
    run: Callable[[EvaluatedModel, Any, int], Scores]
    """Score a way to get vectors on what `load` returned; the number is the seed."""
    corrupt: Corrupt[Any] | None = None
    """A noisy copy of what `load` returned; None for a task that is about misspelt words already."""
    run_copies: Callable[[EvaluatedModel, Sequence[Any], int], Iterator[Scores]] | None = None
    """Score several copies that differ only in what is asked, so that what is trained is trained once.

    None for a task that trains nothing: each copy is then run by itself.
    """
    reads_characters: bool = False
    """Whether it can train character features beside the vectors: the policy "characters"."""
    reads_sentences: bool = False
    """Whether it gives words in sentences, which only some policies read."""
    slow: bool = False
    """Whether it trains something: minutes to hours."""

    @property
    def by_name_only(self) -> bool:
        """Whether "all" leaves it out: it takes long, or is not for every way to get vectors."""
        return self.slow or self.reads_sentences

    @property
    def full_name(self) -> str:
        """The name under which it is registered."""
        return f"{self.name}.v{self.version}"
