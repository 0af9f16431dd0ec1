"""What is asked of a corpus: the words and the options that decide the result, kept where every worker finds them."""

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
from everyword.corpus.contexts.bands import Bands
from everyword.corpus.contexts.passages import Bounds
from everyword.corpus.contexts.wanted import Wanted
from everyword.errors import InputError
from everyword.files import read_object

FORMAT = 1
JOB_FILE = "job.json"
MOST_BYTES = 1 << 31
"""Of a job: it has all words."""


@dataclass(frozen=True)
class Options:
    """All that decides the result besides words and corpus."""

    sentences: int = 100
    """Of each word at most."""
    bounds: Bounds = field(default_factory=Bounds)
    bands: Bands = field(default_factory=Bands)
    text_field: str = "text"
    """Where JSON lines and Parquet files have their texts."""

    def __post_init__(self) -> None:
        if self.sentences < 1:
            raise InputError(f"The number of sentences of a word must be 1 or more. Got {self.sentences} instead.")


@dataclass(frozen=True)
class Job:
    """Words and options."""

    words: Sequence[str]
    options: Options

    @cached_property
    def stamp(self) -> str:
        """Differs whenever the result could."""
        asked = [FORMAT, list(self.words), asdict(self.options)]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    def save(self, folder: Path) -> None:
        """Write the job where `load_job` finds it."""
        described = {"stamp": self.stamp, "options": asdict(self.options), "words": list(self.words)}
        write_atomic(folder / JOB_FILE, json.dumps(described))


def stamp_in(folder: Path) -> str | None:
    """The stamp of the job that a folder belongs to, if it belongs to one."""
    return str(_described(folder)["stamp"]) if (folder / JOB_FILE).is_file() else None


def _described(folder: Path) -> dict[str, Any]:
    path = folder / JOB_FILE
    try:
        found = read_object(path, MOST_BYTES)
        for name, kind in (("stamp", str), ("options", dict), ("words", list)):
            if not isinstance(found.get(name), kind):
                raise ValueError(f"it has no {name}")
        return found
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is no job of 'everyword contexts' ({error!s:.80}); remove its folder.") from None


@lru_cache(maxsize=1)
def load_job(folder: Path, stamp: str) -> tuple[Job, Wanted]:
    """The job of a folder and its words, ready to be found; kept, because a worker does many shards of one job."""
    described = _described(folder)
    job = Job(described["words"], config.build(Options, described["options"], "the options"))
    if job.stamp != stamp:
        raise InputError(f"{folder} belongs to another run now; start this one again in a folder of its own.")
    return job, Wanted(job.words)
