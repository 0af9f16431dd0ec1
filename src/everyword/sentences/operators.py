"""Word operators: the scale and shift of every word, and what they say about texts.

A word that has no operator gets one through an everyword model: the blend of the operators of the words that it is read
as. Without a model, or if none of those has an operator, it gets the one operator of unknown words.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray, read_tensors
from everyword.atomic import write_atomic
from everyword.errors import InputError
from everyword.files import parse_json
from everyword.models.model import Model
from everyword.models.word_list import WordList, joined
from everyword.sentences.bags import bag_of
from everyword.sentences.gaussian import DoubleArray, Gaussians, compose, log_sizes
from everyword.sentences.tokens import tokens_of
from everyword.vectors.neighbours import unit_rows

FORMAT = "word-operators.v1"
TEXTS_AT_ONCE = 1024


def operator_tokens(text: str) -> list[str]:
    """Return the tokens of a text as operators are stored: in lower case.

    >>> operator_tokens("The cat sat.")
    ['the', 'cat', 'sat']
    """
    return [token.lower() for token in tokens_of(text)]


class WordOperators:
    """Operators of words, by which texts become Gaussians.

    Args:
        words: The words that have operators, in lower case.
        scales: A of each word, and of unknown words in one more row, (words + 1, dim).
        shifts: B of the same.
        model: Reads words without an operator of their own.
        record: How they were trained.

    Raises:
        InputError: If the arrays do not fit the words, or hold NaN or infinity.
    """

    def __init__(
        self,
        words: Sequence[str],
        scales: FloatArray,
        shifts: FloatArray,
        model: Model | None = None,
        record: Mapping[str, Any] | None = None,
    ) -> None:
        if scales.shape != shifts.shape or scales.ndim != 2 or len(scales) != len(words) + 1:
            raise InputError(
                f"{len(words):,} words and the unknown one need {len(words) + 1:,} scales and shifts. "
                f"Got arrays of shape {scales.shape} and {shifts.shape}."
            )
        if not (np.isfinite(scales).all() and np.isfinite(shifts).all()):
            raise InputError("Operators must be finite. Got NaN or infinity; train them again.")
        self.words, self.scales, self.shifts = list(words), scales, shifts
        self.model, self.record = model, dict(record or {})
        self._rows = {word: row for row, word in enumerate(self.words)}
        self._read: dict[str, tuple[FloatArray, FloatArray] | None] = {}

    @property
    def dim(self) -> int:
        """The dimension of the Gaussians."""
        return int(self.scales.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._rows

    def operators_of(self, words: Sequence[str]) -> tuple[FloatArray, FloatArray]:
        """Return scales and shifts of words, one row each."""
        rows = np.array([self._rows.get(word, len(self.words)) for word in words], dtype=np.int64)
        scales, shifts = self.scales[rows], self.shifts[rows]
        if self.model is not None:
            unknown = np.flatnonzero(rows == len(self.words))
            self._read_words(self.model, [words[each] for each in unknown.tolist()])
            for each in unknown.tolist():
                if (found := self._read[words[each]]) is not None:
                    scales[each], shifts[each] = found
        return scales, shifts

    def encode(self, texts: Iterable[str | Sequence[str]]) -> Gaussians:
        """Return the Gaussians of texts, given as texts or as lists of words."""
        lists = [operator_tokens(text) if isinstance(text, str) else list(text) for text in texts]
        parts = []
        for first in range(0, len(lists), TEXTS_AT_ONCE):
            some = lists[first : first + TEXTS_AT_ONCE]
            operators = self.operators_of([word for words in some for word in words])
            parts.append(compose(*operators, [len(words) for words in some]))
        if not parts:
            return Gaussians(np.empty((0, self.dim)), np.empty((0, self.dim)))
        return Gaussians(*(np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS))

    def entropies(self, texts: Iterable[str | Sequence[str]]) -> DoubleArray:
        """Return the entropies of texts: the higher, the more general."""
        return self.encode(texts).entropies()

    def specificities(self, texts: Iterable[str | Sequence[str]]) -> DoubleArray:
        """Return how specific texts are: minus their entropies."""
        return -self.entropies(texts)

    def word_specificities(self, words: Sequence[str]) -> DoubleArray:
        """Return how much each word lowers the entropy of every text that contains it."""
        specificities: DoubleArray = -log_sizes(self.operators_of(words)[0]).sum(axis=1)
        return specificities

    def likelihoods(self, first: Iterable[str | Sequence[str]], second: Iterable[str | Sequence[str]]) -> DoubleArray:
        """Return the log expected likelihood of each text and its partner, which training maximises for paraphrases."""
        return self.encode(first).expected_likelihoods(self.encode(second))

    def similarities(self, first: Iterable[str | Sequence[str]], second: Iterable[str | Sequence[str]]) -> DoubleArray:
        """Return the cosine of mean and variance, side by side, of each text and its partner."""
        one, other = (unit_rows(self.encode(texts).vectors().astype(np.float32)) for texts in (first, second))
        if len(one) != len(other):
            raise InputError(f"Both lists must have as many texts. Got {len(one)} and {len(other)}.")
        cosines: DoubleArray = np.einsum("ij,ij->i", one, other).astype(np.float64)
        return cosines

    def most_specific(self, texts: Sequence[str], k: int = 5) -> list[tuple[str, float]]:
        """Return the texts of the lowest entropy, with their entropies; of equal ones the first comes first."""
        entropies = self.entropies(texts)
        return [(texts[row], float(entropies[row])) for row in np.argsort(entropies, kind="stable")[:k].tolist()]

    def save(self, path: str | Path) -> None:
        """Write all of it to one safetensors file."""
        from safetensors.numpy import save

        tensors: dict[str, AnyArray] = {"words": joined(self.words), "scale": self.scales, "shift": self.shifts}
        write_atomic(Path(path), save(tensors, metadata={"format": FORMAT, "record": json.dumps(self.record)}))

    @classmethod
    def load(cls, path: str | Path, model: Model | None = None) -> WordOperators:
        """Read what `save` wrote.

        Args:
            path: The file.
            model: Reads words without an operator of their own.

        Raises:
            InputError: If the file is missing, damaged or something else.
        """
        try:
            tensors, metadata = read_tensors(Path(path))
            if metadata.get("format") != FORMAT:
                raise ValueError(f"its format is {metadata.get('format')!r:.40}, not {FORMAT!r}")
            words = list(WordList(tensors["words"].astype(np.uint8)))
            scales, shifts = (tensors[name].astype(np.float32) for name in ("scale", "shift"))
            return cls(words, scales, shifts, model, parse_json(metadata.get("record", "{}")))
        except FileNotFoundError:
            raise InputError(f"There is no file {path}; check the path.") from None
        except (ValueError, KeyError) as error:
            raise InputError(f"{path} cannot be read as word operators: {error}. Train or copy it again.") from None

    def _read_words(self, model: Model, words: Iterable[str]) -> None:
        """Find the operators of words that have none, by what the model reads them as."""
        new = [word for word in dict.fromkeys(words) if word not in self._read]
        if not new:
            return
        bag = bag_of(model, new)
        rows = np.array([self._rows.get(model.known_words.words[row], -1) for row in bag.row.tolist()], dtype=np.int64)
        for number, word in enumerate(new):
            mine = np.flatnonzero((bag.token == number) & (rows >= 0))
            self._read[word] = self._blend(rows[mine], bag.share[mine]) if len(mine) else None

    def _blend(self, rows: IndexArray, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the mean operator: of the logarithms of scales, so that a blend's entropy is the mean of entropies."""
        weights = shares / shares.sum()
        signs = np.where(self.scales[rows[weights.argmax()]] < 0, -1.0, 1.0)
        scale = signs * np.exp(weights @ log_sizes(self.scales[rows]))
        return scale.astype(np.float32), (weights @ self.shifts[rows]).astype(np.float32)


_FIELDS = ("means", "log_deviations")
