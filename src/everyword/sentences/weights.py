"""How much every stored word counts in a text, and what text vectors add to word vectors.

A model without weights of its own gets those of Arora et al. (2017), a / (a + frequency), with the frequency that
Zipf's law gives a word of its rank. `systems.sentences` learns better ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from everyword.arrays import AnyArray, FloatArray, IndexArray
from everyword.errors import DamagedModelError
from everyword.models.known import PHRASES, WORDS, KnownWords
from everyword.models.model import Model
from everyword.sentences.terms import Terms
from everyword.vectors.storage.quantised import Matrix, read_matrix
from everyword.vectors.storage.quantising import Quantisation, balancing_rotation, quantise
from everyword.vectors.storage.stored import StoredMatrix

NAME, QUANTISED_NAME = "texts.v1", "texts.v2"
"""The versions of the saved part; everyword 0.1 cannot read the second, whose corrections are quantised."""
SHORTEST = 1e-9
"""The length that a quantised correction of zeros is stored with."""
SMOOTHING = 1e-3
"""a in a / (a + frequency)."""
TERM_GAIN = 0.2
"""How much a term counts beside its words, unless it was learnt."""
ZIPF_SCALE, ZIPF_OFFSET = 0.1, 2.7
"""The frequency of the word of rank r is about scale / (r + offset)."""


@dataclass(frozen=True)
class Corrections:
    """Vectors of a few numbers that are added for the most frequent words, in a space of their own."""

    rows: Matrix
    """Of the first words; further ones have none."""
    basis: FloatArray
    """From their space into that of the vectors, (numbers, dim)."""

    @classmethod
    def pack(cls, values: FloatArray, basis: FloatArray, size: int = 0) -> Corrections:
        """Store corrections in `size` bytes each, or in a byte for each number."""
        basis = basis.astype(np.float32)
        if not size:
            return cls(StoredMatrix.pack(values, "int8"), basis)
        # Their space is turned once and for all, so that no text has to be.
        rotation = balancing_rotation(values, [size])
        rows = quantise(values @ rotation, Quantisation(bytes=size, rotate=False))
        # A row without length has no direction, and the compiled kernel could not read the others.
        return cls(replace(rows, lengths=np.maximum(rows.lengths, SHORTEST)), rotation.T @ basis)

    @cached_property
    def lengths(self) -> FloatArray:
        """Return the length of each row."""
        lengths: FloatArray = np.linalg.norm(self.rows.floats(), axis=1).astype(np.float32)
        return lengths


@dataclass(frozen=True)
class TextWeights:
    """What turns the words of a text into its vector."""

    gains: FloatArray
    """How much each stored word counts."""
    made_gain: float
    """How much a vector counts that was made from spelling alone."""
    terms: Terms
    """Terms of several words that count beside their words."""
    turn: FloatArray | None = None
    """A map of the sum of words, (dim, dim)."""
    corrections: Corrections | None = None

    @property
    def version(self) -> str:
        """Return the version of the part that these weights are saved as."""
        is_quantised = self.corrections is not None and self.corrections.rows.precision == "pq"
        return QUANTISED_NAME if is_quantised else NAME

    def to_tensors(self) -> dict[str, AnyArray]:
        """Return the arrays to save, by name."""
        tensors: dict[str, AnyArray] = {"gains": self.gains.astype(np.float16), **self.terms.to_tensors()}
        tensors["numbers"] = np.array([self.made_gain, self.terms.longest], dtype=np.float32)
        if self.turn is not None:
            tensors["turn"] = self.turn
        if self.corrections is not None:
            tensors |= {**self.corrections.rows.to_tensors("corrections"), "basis": self.corrections.basis}
        return tensors

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, AnyArray], words: int, dim: int) -> TextWeights:
        """Read what `to_tensors` made; raise DamagedModelError for arrays that it cannot have made."""
        gains, numbers = tensors.get("gains"), tensors.get("numbers")
        if (
            gains is None
            or numbers is None
            or gains.shape != (words,)
            or numbers.shape != (2,)
            or not (np.isfinite(gains).all() and np.isfinite(numbers).all())
        ):
            raise DamagedModelError("The model's part for texts is incomplete: its weights do not fit its words.")
        turn, corrections = tensors.get("turn"), None
        if turn is not None and (turn.shape != (dim, dim) or turn.dtype != np.float32 or not np.isfinite(turn).all()):
            raise DamagedModelError(f"The map of the model's part for texts must be of {dim} by {dim} numbers.")
        if {"corrections", "corrections.codes0"} & tensors.keys():
            rows, basis = read_matrix(tensors, "corrections"), tensors.get("basis", np.empty(0))
            if len(rows) > words or basis.shape != (rows.shape[1], dim) or not np.isfinite(basis).all():
                raise DamagedModelError("The corrections of the model's part for texts do not fit its words.")
            corrections = Corrections(rows, basis.astype(np.float32))
        terms = Terms.from_tensors(tensors, words, int(numbers[1]))
        return cls(gains.astype(np.float32), float(numbers[0]), terms, turn, corrections)

    @classmethod
    def by_rank(cls, known: KnownWords, *, terms: bool = False) -> TextWeights:
        """Return weights from the ranks of words; terms of several words are left out unless they are asked for."""
        gains = SMOOTHING / (SMOOTHING + frequencies_by_rank(known))
        phrases = known.sections.get(PHRASES, range(0))
        gains[phrases.start : phrases.stop] = TERM_GAIN
        return cls(gains.astype(np.float32), 1.0, Terms.of(known) if terms else Terms.none())

    def taken(self, rows: IndexArray, known: KnownWords) -> TextWeights:
        """Return the weights of other known words, given their rows among those of these weights, or -1.

        Words that these weights do not have weigh by their rank and get no correction.
        """
        default = TextWeights.by_rank(known, terms=len(self.terms.keys) > 0)
        gains = np.where(rows >= 0, self.gains[rows], default.gains).astype(np.float32)
        corrections = self.corrections
        if corrections is not None:
            values = np.zeros((len(rows), corrections.rows.shape[1]), dtype=np.float32)
            have = (rows >= 0) & (rows < len(corrections.rows))
            values[have] = corrections.rows.floats(rows[have])
            last = int(np.flatnonzero(have).max(initial=-1)) + 1
            corrections = Corrections(StoredMatrix(values[:last]), corrections.basis) if last else None
        return TextWeights(gains, self.made_gain, default.terms, self.turn, corrections)


def read_weights(model: Model) -> TextWeights:
    """Return the weights that a model was saved with, or weights by the ranks of its words."""
    part = model.parts.get("texts")
    if part is None:
        return TextWeights.by_rank(model.known_words)
    part.check_name(NAME, QUANTISED_NAME)
    saved_for = model.parts_of
    weights = TextWeights.from_tensors(part.tensors(), len(saved_for), model.dim)
    if saved_for is model.known_words:
        return weights
    return weights.taken(saved_for.rows_of(list(model.known_words.words)), model.known_words)


def frequencies_by_rank(known: KnownWords) -> FloatArray:
    """Return the frequencies that Zipf's law gives words of their ranks; terms and foreign words have 0."""
    rank = np.full(len(known), np.inf, dtype=np.float32)
    section = known.sections.get(WORDS, range(0))
    rank[section.start : section.stop] = np.arange(1, len(section) + 1)
    frequencies: FloatArray = ZIPF_SCALE / (rank + ZIPF_OFFSET)
    return frequencies
