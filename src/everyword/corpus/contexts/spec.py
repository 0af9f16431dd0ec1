"""The specification of a search: the words and options that decide the result, saved where every worker finds them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from everyword import config
from everyword.atomic import write_atomic
from everyword.config import Count
from everyword.corpus.contexts.word_matcher import WordMatcher
from everyword.errors import InputError
from everyword.files import fingerprint, read_object

FORMAT = 1
SPEC_FILE = "job.json"
MAX_SPEC_BYTES = 1 << 31
"""A specification holds all words."""
RARE, MEDIUM, FREQUENT = BAND_NAMES = ("rare", "medium", "frequent")


@dataclass(frozen=True)
class FrequencyBands:
    """The counts at which a word is medium or frequent.

    >>> [FrequencyBands().of(count) for count in (9, 10, 99, 100)]
    ['rare', 'medium', 'medium', 'frequent']
    """

    medium: Count = 10
    frequent: Count = 100

    def problems(self) -> Iterator[str]:
        """Yield a message if the bands are in the wrong order."""
        if self.medium > self.frequent:
            yield f"the band medium must not begin above frequent. Got {self.medium} and {self.frequent} instead"

    def of(self, count: int) -> str:
        """Return the band of a word with this many mentions."""
        return RARE if count < self.medium else MEDIUM if count < self.frequent else FREQUENT


@dataclass(frozen=True)
class SentenceBounds:
    """The length of a sentence in words."""

    shortest: Count = 4
    """Mentions in shorter sentences are counted, but the sentences are not kept. Words are runs of letters."""
    longest: Count = 96
    """Longer lines are split. Words are what stands between blanks."""

    def problems(self) -> Iterator[str]:
        """Yield a message if no sentence can have such a length."""
        if self.shortest > self.longest:
            yield f"shortest must not be above longest. Got {self.shortest} and {self.longest} instead"


@dataclass(frozen=True)
class SearchOptions:
    """Everything that decides the result besides words and corpus."""

    sentences: Count = 100
    """Maximum number of sentences per word."""
    bounds: SentenceBounds = field(default_factory=SentenceBounds)
    bands: FrequencyBands = field(default_factory=FrequencyBands)
    text_field: str = "text"
    """The field of JSON lines, or the column of Parquet files, that holds the text."""


@dataclass(frozen=True)
class SearchSpec:
    """The words to find and the options of the search."""

    words: Sequence[str]
    options: SearchOptions

    @cached_property
    def fingerprint(self) -> str:
        """Return a hash that differs whenever the result could."""
        return fingerprint([FORMAT, list(self.words), asdict(self.options)], sort_keys=False)

    def save(self, folder: Path) -> None:
        """Write the specification where `load_spec` finds it."""
        described = {"stamp": self.fingerprint, "options": asdict(self.options), "words": list(self.words)}
        write_atomic(folder / SPEC_FILE, json.dumps(described))


def fingerprint_in(folder: Path) -> str | None:
    """Return the fingerprint of the specification in a folder, or None if there is none."""
    return str(_read(folder)["stamp"]) if (folder / SPEC_FILE).is_file() else None


def _read(folder: Path) -> dict[str, Any]:
    path = folder / SPEC_FILE
    try:
        found = read_object(path, MAX_SPEC_BYTES)
        for name, kind in (("stamp", str), ("options", dict), ("words", list)):
            if not isinstance(found.get(name), kind):
                raise ValueError(f"it has no {name}")
        return found
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path} is not a specification of 'everyword contexts' ({error!s:.80}); remove its folder."
        ) from None


@lru_cache(maxsize=1)
def load_spec(folder: Path, fingerprint: str) -> tuple[SearchSpec, WordMatcher]:
    """Read the specification of a folder and index its words; cached, because a worker scans many shards."""
    described = _read(folder)
    spec = SearchSpec(described["words"], config.build(SearchOptions, described["options"], "the options"))
    if spec.fingerprint != fingerprint:
        raise InputError(f"{folder} now belongs to another search; start this one again in another folder.")
    return spec, WordMatcher(spec.words)
