"""Teachers: the words to learn and their vectors, from a table or from a language model's input matrix."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from everyword.arrays import ByteArray, FloatArray, IndexArray
from everyword.config import Count, Natural, OpenFraction
from everyword.errors import InputError
from everyword.files import checksum, fingerprint, read_object
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.text.normalise import Normaliser
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

SECTIONS_SUFFIX, RELIABILITY_SUFFIX = ".sections.json", ".reliability.npy"
"""Of files beside a table: the number of words of each section, and how much each vector can be relied on."""
SHORTEST_EVALUATED = 4
"""Shorter words are mostly abbreviations, whose spelling says nothing."""


@dataclass(frozen=True)
class WordsConfig:
    """Which words of the teacher are learnt."""

    limit: Count | None = None
    """How many words that pass, in the teacher's order; None takes all."""
    alphabetic: bool = False
    """Only words that consist of letters."""
    min_length: Natural = 1
    held_out: OpenFraction = 0.01
    """This fraction of them is never trained on; it chooses the best epoch, and the gate learns new words from it."""
    evaluated: Natural = 0
    """How many more words, drawn by a hash of their spelling, take no part in anything, so that a score on them shows
    how the model does on words it has never seen. Their vectors are stored all the same."""
    evaluated_from: Natural = 5_000
    evaluated_to: Natural = 100_000
    """The ranks that those words come from: real words, neither the commonest nor the rarest."""

    def problems(self) -> Iterator[str]:
        """Yield a message if the ranks are in the wrong order."""
        if self.evaluated_from > self.evaluated_to:
            yield (
                "evaluated_from must not be above evaluated_to. "
                f"Got {self.evaluated_from} and {self.evaluated_to} instead"
            )


@dataclass(frozen=True)
class Teacher:
    """Normalised words, each once, and their vectors."""

    words: list[str]
    matrix: FloatArray
    description: str
    sha256: str
    sections: dict[str, int] = field(default_factory=dict)
    """How many words of each section come one after another; empty if all are of one kind."""
    reliability: ByteArray | None = None
    """How much each vector can be relied on, in 255ths; None if nothing is known about that."""

    @classmethod
    def load(cls, path: Path, normalise: Normaliser, *, lenient: bool = False) -> Teacher:
        """Read a table of vectors, of any format that everyword reads."""
        table = read_table(path, lenient=lenient)
        words, matrix = merge_spellings(table, normalise)
        described = f"{path.name}, {len(table):,} vectors of dimension {table.dim}"
        sections = _sections(path, table.words, words, normalise)
        return cls(words, matrix, described, checksum(path), sections, _reliability(path, table, words, normalise))

    @classmethod
    def from_language_model(cls, source: str, normalise: Normaliser) -> Teacher:
        """Read the input vectors of a language model, for words that are a single piece."""
        # On every machine the same numbers: they are not computed, only read.
        table = input_table(LanguageModel.load(source, device="cpu", precision="float32"))
        words, matrix = merge_spellings(table, normalise)
        name = Path(source).absolute().name if Path(source).is_dir() else source
        sha256 = hashlib.sha256("\n".join(table.words).encode("utf-8") + table.matrix.tobytes()).hexdigest()
        return cls(words, matrix, f"input vectors of {name}, {len(table):,} words of dimension {table.dim}", sha256)

    @property
    def first_section(self) -> int:
        """How many words, from the first, are single words of the teacher's own language."""
        return next(iter(self.sections.values()), len(self.words))

    def choose(self, config: WordsConfig, leave_out: Collection[str] = frozenset()) -> IndexArray:
        """Return the rows of the words to learn, most frequent first."""
        rows = [
            row
            for row, word in enumerate(self.words[: self.first_section])
            if len(word) >= config.min_length and (word.isalpha() or not config.alphabetic) and word not in leave_out
        ][: config.limit]
        if len(rows) < 2:
            raise InputError(f"The teacher ({self.description}) has no words that pass the filter of the recipe.")
        return np.array(rows, dtype=np.int64)


def _sections(path: Path, before: Sequence[str], words: Sequence[str], normalise: Normaliser) -> dict[str, int]:
    """Read the sections beside a table, and count those of its words that are left once spellings are merged."""
    beside = path.with_suffix(SECTIONS_SUFFIX)
    if not beside.exists():
        return {}
    try:
        sizes = {name: int(size) for name, size in read_object(beside).items()}
    except (ValueError, TypeError) as error:
        raise InputError(f"{beside} must have the number of words of each section: {error}.") from None
    if sum(sizes.values()) != len(before):
        raise InputError(f"{beside} counts {sum(sizes.values()):,} words, and {path} has {len(before):,}.")
    left, counted, start = set(words), {}, 0
    for name, size in sizes.items():
        spelt = dict.fromkeys(map(normalise, before[start : start + size]))
        own = [word for word in spelt if word in left]
        left.difference_update(own)
        counted[name], start = len(own), start + size
    return counted


def _reliability(path: Path, table: VectorTable, words: Sequence[str], normalise: Normaliser) -> ByteArray | None:
    """Read the bytes beside a table; of several spellings of a word, the first one's counts."""
    beside = path.with_suffix(RELIABILITY_SUFFIX)
    if not beside.exists():
        return None
    try:
        values: ByteArray = np.load(beside, allow_pickle=False)
    except (EOFError, ValueError) as error:
        raise InputError(f"{beside} is damaged; remove it, or make the table anew.") from error
    if values.shape != (len(table),) or values.dtype != np.uint8:
        raise InputError(f"{beside} must have a byte for each of the {len(table):,} words of {path}.")
    first: dict[str, int] = {}
    for row, word in enumerate(table.words):
        first.setdefault(normalise(word), row)
    return values[[first[word] for word in words]]


def merge_spellings(table: VectorTable, normalise: Normaliser) -> tuple[list[str], FloatArray]:
    """Return normalised words and their rows, without zero rows; of "the", "The" and "THE" the first one is kept."""
    row_of: dict[str, int] = {}
    nonzero = np.abs(table.matrix).max(axis=1) > 0
    for row, word in enumerate(table.words):
        spelt = normalise(word)
        if spelt and nonzero[row]:
            row_of.setdefault(spelt, row)
    return list(row_of), np.asarray(table.matrix[list(row_of.values())], dtype=np.float32)


def draw_evaluated(words: Sequence[str], config: WordsConfig) -> list[str]:
    """Draw the words for evaluation by a hash of their spelling, so that other words in the list change nothing."""
    from_ranks = words[config.evaluated_from : config.evaluated_to]
    eligible = [word for word in from_ranks if len(word) >= SHORTEST_EVALUATED and word.isalpha()]
    if len(eligible) < config.evaluated:
        raise InputError(
            f"Only {len(eligible):,} words can be kept for evaluation, not {config.evaluated:,}; lower words.evaluated "
            "or widen words.evaluated_from and words.evaluated_to."
        )
    return sorted(sorted(eligible, key=fingerprint)[: config.evaluated])


def split_held_out(count: int, share: float, seed: int) -> tuple[IndexArray, IndexArray]:
    """Draw indices to train on and indices to hold out (at least one of each) by seed, both in order."""
    held = max(1, min(count - 1, round(count * share)))
    order = np.random.default_rng([seed, count]).permutation(count)
    return np.sort(order[held:]), np.sort(order[:held])
