"""The specification of a search: the words and options that decide the result, saved where every worker finds them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from everyword import config
from everyword.atomic import write_atomic
from everyword.corpus.contexts.scan import SentenceBounds
from everyword.corpus.contexts.word_matcher import WordMatcher
from everyword.errors import InputError
from everyword.files import read_object

RARE, MEDIUM, FREQUENT = "rare", "medium", "frequent"
NAMES = (RARE, MEDIUM, FREQUENT)


@dataclass(frozen=True)
class FrequencyBands:
    """The counts at which the bands begin.

    >>> [FrequencyBands().of(count) for count in (9, 10, 99, 100)]
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


FORMAT = 1
SPEC_FILE = "job.json"
MOST_BYTES = 1 << 31
"""Of a job: it has all words."""


@dataclass(frozen=True)
class SearchOptions:
    """All that decides the result besides words and corpus."""

    sentences: int = 100
    """Of each word at most."""
    bounds: SentenceBounds = field(default_factory=SentenceBounds)
    bands: FrequencyBands = field(default_factory=FrequencyBands)
    text_field: str = "text"
    """Where JSON lines and Parquet files have their texts."""

    def __post_init__(self) -> None:
        if self.sentences < 1:
            raise InputError(f"The number of sentences of a word must be 1 or more. Got {self.sentences} instead.")


@dataclass(frozen=True)
class SearchSpec:
    """Words and options."""

    words: Sequence[str]
    options: SearchOptions

    @cached_property
    def stamp(self) -> str:
        """Differs whenever the result could."""
        asked = [FORMAT, list(self.words), asdict(self.options)]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    def save(self, folder: Path) -> None:
        """Write the job where `load_spec` finds it."""
        described = {"stamp": self.stamp, "options": asdict(self.options), "words": list(self.words)}
        write_atomic(folder / SPEC_FILE, json.dumps(described))


def fingerprint_in(folder: Path) -> str | None:
    """The stamp of the job that a folder belongs to, if it belongs to one."""
    return str(_described(folder)["stamp"]) if (folder / SPEC_FILE).is_file() else None


def _described(folder: Path) -> dict[str, Any]:
    path = folder / SPEC_FILE
    try:
        found = read_object(path, MOST_BYTES)
        for name, kind in (("stamp", str), ("options", dict), ("words", list)):
            if not isinstance(found.get(name), kind):
                raise ValueError(f"it has no {name}")
        return found
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is no job of 'everyword contexts' ({error!s:.80}); remove its folder.") from None


@lru_cache(maxsize=1)
def load_spec(folder: Path, stamp: str) -> tuple[SearchSpec, WordMatcher]:
    """The job of a folder and its words, ready to be found; kept, because a worker does many shards of one job."""
    described = _described(folder)
    job = SearchSpec(described["words"], config.build(SearchOptions, described["options"], "the options"))
    if job.stamp != stamp:
        raise InputError(f"{folder} belongs to another run now; start this one again in a folder of its own.")
    return job, WordMatcher(job.words)
