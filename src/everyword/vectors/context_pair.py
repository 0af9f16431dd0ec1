"""Word vectors and the context vectors that they were trained with, of skip-gram, CBOW, fastText or GloVe.

A pair is saved as two vector files. Beside the context vectors, `CONTEXTS.pair.json` holds the counts of the words, the
biases of the contexts (GloVe has them) and what kind of model the pair was trained for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.files import read_object
from everyword.vectors.formats import fasttext
from everyword.vectors.formats.fasttext_file import NEGATIVE_SAMPLING, SOFTMAX, open_file
from everyword.vectors.formats.guess import guess
from everyword.vectors.read import read_table
from everyword.vectors.table import VectorTable, as_float32

ContextModel = Literal["softmax", "negative-sampling"]
"""What a product u · v estimates: the logarithm of p(context | word), or of p(context | word) / q(context)."""
POWER = 0.75
"""Negative samples are usually drawn by counts to this power."""
FASTTEXT_POWER = 0.5
"""The official fastText draws them by their square root."""


@dataclass(frozen=True)
class ContextPair:
    """Words with two vectors each: one as a word, one as a context of other words."""

    words: list[str]
    vectors: FloatArray
    contexts: FloatArray
    counts: IndexArray | None = None
    """How often each word occurs in the corpus."""
    biases: FloatArray | None = None
    """A number per context that is added to its products, as in GloVe."""
    model: ContextModel | None = None
    """What the pair was trained for, if it is known."""
    power: float = POWER
    """Exponent of the counts by which negative samples were drawn."""

    def __post_init__(self) -> None:
        for name in ("vectors", "contexts"):
            object.__setattr__(self, name, as_float32(getattr(self, name)))
        count = len(self.words)
        if self.vectors.shape != self.contexts.shape or len(self.vectors) != count:
            raise InputError(
                "A word needs a word vector and a context vector of the same dimension. "
                f"Got {count} words and arrays of shape {self.vectors.shape} and {self.contexts.shape}."
            )
        for name in ("counts", "biases"):
            values: AnyArray | None = getattr(self, name)
            if values is not None and values.shape != (count,):
                raise InputError(f"The {name} must be one per word. Got {len(values)} for {count} words.")

    def __len__(self) -> int:
        return len(self.words)

    @property
    def table(self) -> VectorTable:
        """The word vectors as a table."""
        return VectorTable.from_checked(self.words, self.vectors)

    def head(self, n: int) -> ContextPair:
        """Return the pair of the first `n` words."""
        cut = {name: value[:n] for name in ("counts", "biases") if (value := getattr(self, name)) is not None}
        return replace(self, words=self.words[:n], vectors=self.vectors[:n], contexts=self.contexts[:n], **cut)

    def save(self, vectors: str | Path, contexts: str | Path) -> None:
        """Write two vector files, and what else is known in `CONTEXTS.pair.json`."""
        described = {
            "model": self.model,
            "power": self.power,
            "counts": None if self.counts is None else self.counts.tolist(),
            "biases": None if self.biases is None else self.biases.tolist(),
        }
        self.table.save(vectors)
        VectorTable.from_checked(self.words, self.contexts).save(contexts)
        write_atomic(description_of(Path(contexts)), json.dumps(described) + "\n")

    @classmethod
    def load(cls, vectors: str | Path, contexts: str | Path | None = None, *, limit: int | None = None) -> ContextPair:
        """Read a pair.

        Args:
            vectors: A vector file, or a fastText model `.bin`, which holds both matrices.
            contexts: The vector file of the contexts.
            limit: Read only the first `limit` words.

        Raises:
            InputError: If a file cannot be read, or the two do not belong together.
        """
        if contexts is None:
            return _read_fasttext(Path(vectors), limit)
        table, other = read_table(vectors, limit=limit), read_table(contexts, limit=limit)
        _check_words(table, other, Path(vectors), Path(contexts))
        same_order = table.words == other.words
        pair = cls(table.words, table.matrix, other.matrix if same_order else other.select(table.words).matrix)
        return pair._described(other.words, Path(contexts))

    @classmethod
    def from_gensim(cls, model: Any) -> ContextPair:
        """Take both matrices from a Word2Vec or FastText model of gensim that was trained with negative sampling."""
        contexts = getattr(model, "syn1neg", None)
        if contexts is None:
            raise InputError(
                f"{type(model).__name__} has no context vectors (syn1neg); give a whole gensim model, not its "
                "KeyedVectors, that was trained with negative sampling."
            )
        words = list(model.wv.index_to_key)
        counts = np.array([model.wv.get_vecattr(word, "count") for word in words], dtype=np.int64)
        return cls(words, model.wv.vectors, contexts, counts, None, "negative-sampling", float(model.ns_exponent))

    def _described(self, words: Sequence[str], contexts: Path) -> ContextPair:
        """Add what is known beside a file of contexts, whose words are these."""
        path = description_of(contexts)
        if not path.is_file():
            return self
        try:
            described = read_object(path)
            row_of = {word: row for row, word in enumerate(words)}
            rows = np.array([row_of[word] for word in self.words], dtype=np.intp)
            counts, biases = (
                None if described[name] is None else np.array(described[name][: len(words)], dtype=np.float64)[rows]
                for name in ("counts", "biases")
            )
            if described["model"] not in (None, *get_args(ContextModel)):
                raise ValueError(f"there is no model {described['model']!r}")
            model, power = described["model"], float(described["power"])
            return replace(
                self,
                counts=None if counts is None else counts.astype(np.int64),
                biases=None if biases is None else biases.astype(np.float32),
                model=model,
                power=power,
            )
        except (ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
            raise InputError(f"{path} does not describe {contexts} ({error!s:.200}); save both again.") from None


def description_of(contexts: Path) -> Path:
    """Return the file beside context vectors that has counts and biases."""
    return contexts.with_name(contexts.name + ".pair.json")


def with_counts(pair: ContextPair, counts: Mapping[str, int], source: str) -> ContextPair:
    """Return the pair with counts from elsewhere, looked up as they are and then in lower case; none may be missing."""
    found = [counts.get(word, counts.get(word.lower())) for word in pair.words]
    missing = [word for word, count in zip(pair.words, found, strict=True) if count is None]
    if missing:
        raise InputError(
            f"{source} has no count for {len(missing):,} of {len(pair):,} words, such as {missing[0]!r}; give counts "
            "of the corpus that the vectors were trained on."
        )
    return replace(pair, counts=np.array(found, dtype=np.int64))


def _check_words(table: VectorTable, other: VectorTable, vectors: Path, contexts: Path) -> None:
    if table.dim != other.dim:
        raise InputError(
            f"{vectors} has vectors of dimension {table.dim} and {contexts} of dimension {other.dim}; give word and "
            "context vectors of one training."
        )
    shared = sum(word in other for word in table.words)
    if not shared:
        raise InputError(f"{vectors} and {contexts} have no word in common; give both files of one training.")
    if not len(table) == len(other) == shared:
        raise InputError(
            f"{vectors} has {len(table):,} words and {contexts} has {len(other):,}, of which {shared:,} are the same; "
            "give word and context vectors of the same words."
        )


def _read_fasttext(path: Path, limit: int | None) -> ContextPair:
    if guess(path).name != fasttext.NAME:
        raise InputError(f"{path} has no context vectors; give the file that has them, too (--contexts in the shell).")
    parts = open_file(path, with_output=True)
    assert parts.output is not None
    if parts.supervised or parts.loss not in (NEGATIVE_SAMPLING, SOFTMAX) or len(parts.output) != len(parts.raw_words):
        raise InputError(
            f"{path} has no context vectors of words: it is a classifier, or was trained with a hierarchical softmax; "
            "give a skip-gram or CBOW model that was trained with negative sampling or softmax."
        )
    table = read_table(path, limit=limit)
    row_of = {raw: row for row, raw in enumerate(parts.raw_words)}
    rows = np.array([row_of[word.encode("utf-8")] for word in table.words], dtype=np.intp)
    counts = np.array(parts.counts, dtype=np.int64)[rows]
    model: ContextModel = "negative-sampling" if parts.loss == NEGATIVE_SAMPLING else "softmax"
    return ContextPair(table.words, table.matrix, np.asarray(parts.output[rows]), counts, None, model, FASTTEXT_POWER)
