"""Teachers: the words to learn and their vectors, from a table or from a language model's input matrix."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.errors import InputError
from everyword.files import checksum
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.text.normalise import Normaliser
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable

SHORTEST_EVALUATED = 4
"""Shorter words are mostly abbreviations, whose spelling says nothing."""


@dataclass(frozen=True)
class WordsConfig:
    """Which words of the teacher are learnt."""

    limit: int | None = None
    """The first so many words that pass, in the teacher's order; None takes all."""
    alphabetic: bool = False
    """Only words that consist of letters."""
    min_length: int = 1
    held_out: float = 0.01
    """This share of them is never trained on; it chooses the best epoch, and a gate learns from it what is new."""
    evaluated: int = 0
    """So many more words, drawn by a hash of their spelling, take no part in anything, so that a score on them says
    what the model makes of words it has never seen. Their vectors are stored all the same."""
    evaluated_from: int = 5_000
    evaluated_to: int = 100_000
    """The ranks that those words come from: real words, neither the commonest nor the rarest."""

    def problems(self) -> list[str]:
        """Values that cannot be."""
        problems = []
        if self.limit is not None and self.limit < 1:
            problems.append(f"limit must be 1 or more. Got {self.limit} instead")
        if not 0 < self.held_out < 1:
            problems.append(f"held_out must lie between 0 and 1. Got {self.held_out} instead")
        if self.evaluated < 0 or not 0 <= self.evaluated_from <= self.evaluated_to:
            problems.append("evaluated must be 0 or more, and evaluated_from no more than evaluated_to")
        return problems


@dataclass(frozen=True)
class Teacher:
    """Normalised words, each once, and their vectors."""

    words: list[str]
    matrix: FloatArray
    description: str
    sha256: str

    @classmethod
    def load(cls, path: Path, normalise: Normaliser, *, lenient: bool = False) -> Teacher:
        """Read any vector format that everyword reads."""
        table = read_table(path, lenient=lenient)
        words, matrix = merge_spellings(table, normalise)
        return cls(words, matrix, f"{path.name}, {len(table):,} vectors of dimension {table.dim}", checksum(path))

    def choose(self, config: WordsConfig, leave_out: Collection[str] = frozenset()) -> IndexArray:
        """Rows of the words to learn, most frequent first."""
        rows = [
            row
            for row, word in enumerate(self.words)
            if len(word) >= config.min_length and (word.isalpha() or not config.alphabetic) and word not in leave_out
        ][: config.limit]
        if len(rows) < 2:
            raise InputError(f"The teacher ({self.description}) has no words that pass the filter of the recipe.")
        return np.array(rows, dtype=np.int64)


def merge_spellings(table: VectorTable, normalise: Normaliser) -> tuple[list[str], FloatArray]:
    """Normalised words and their rows: of "the", "The" and "THE" the first, most frequent one wins; zero rows go."""
    row_of: dict[str, int] = {}
    nonzero = np.abs(table.matrix).max(axis=1) > 0
    for row, word in enumerate(table.words):
        spelt = normalise(word)
        if spelt and nonzero[row]:
            row_of.setdefault(spelt, row)
    return list(row_of), np.asarray(table.matrix[list(row_of.values())], dtype=np.float32)


def draw_evaluated(words: Sequence[str], config: WordsConfig) -> list[str]:
    """The words kept for evaluation, drawn by a hash of their spelling: other words in the list change nothing."""
    from_ranks = words[config.evaluated_from : config.evaluated_to]
    drawn = sorted((word for word in from_ranks if len(word) >= SHORTEST_EVALUATED and word.isalpha()), key=_draw)
    if len(drawn) < config.evaluated:
        raise InputError(
            f"Only {len(drawn):,} words can be kept for evaluation, not {config.evaluated:,}; lower words.evaluated "
            "or widen words.evaluated_from and words.evaluated_to."
        )
    return sorted(drawn[: config.evaluated])


def _draw(word: str) -> str:
    return hashlib.sha256(word.encode("utf-8")).hexdigest()


def split_held_out(count: int, share: float, seed: int) -> tuple[IndexArray, IndexArray]:
    """Places to train on and places to hold out (at least one of each), drawn by seed, both in order."""
    held = max(1, min(count - 1, round(count * share)))
    order = np.random.default_rng([seed, count]).permutation(count)
    return np.sort(order[held:]), np.sort(order[:held])


def input_teacher(source: str, normalise: Normaliser) -> Teacher:
    """The teacher that a model is, whatever `LanguageModel.load` finds under its name."""
    # On every machine the same numbers: they are not computed, only read.
    table = input_table(LanguageModel.load(source, device="cpu", precision="float32"))
    words, matrix = merge_spellings(table, normalise)
    name = Path(source).absolute().name if Path(source).is_dir() else source
    return Teacher(
        words, matrix, f"input vectors of {name}, {len(table):,} words of dimension {table.dim}", _checksum(table)
    )


def _checksum(table: VectorTable) -> str:
    digest = hashlib.sha256("\n".join(table.words).encode("utf-8"))
    digest.update(table.matrix.tobytes())
    return digest.hexdigest()
