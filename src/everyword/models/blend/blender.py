"""Unknown word → candidates → comparison → gate → blended vector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from everyword import kernel
from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.models.blend.cache import VectorCache
from everyword.models.blend.gate import Weights
from everyword.models.blend.readers import AnyGate, Found, Reading, reader_for
from everyword.models.explanation import Explanation, Origin, Share, Source, source_of
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords
from everyword.models.retrieval.candidates import Candidates
from everyword.models.retrieval.runs import run_lengths, run_starts, run_sums
from everyword.models.retrieval.similar_words import Pairs
from everyword.vectors.neighbours import rows_of_length

CHUNK = 2048
"""Words that are blended together: enough that calls cost nothing."""
BY_SOUND = 0.5
"""How much of the gate's confidence is left for a word found by the sound of letters of another alphabet.

Names and loanwords are right, others only sound like a word: of Russian words that a German and a Finnish model found,
the cosine to their translations was 0.61 and 0.37 times the gate's confidence.
"""


@dataclass(frozen=True)
class Mixture:
    """Words as weighted means of unit vectors."""

    reading: Reading
    form: FloatArray
    """Unit vectors from spelling alone; zeros for a word of which nothing is known."""
    form_counts: BoolArray
    """Whether each word's form is part of the mean."""
    blended: FloatArray
    """The weighted mean: the more its parts agree, the longer it is."""

    @property
    def candidates(self) -> Candidates | Pairs | Found:
        """Return the known words that may be meant."""
        return self.reading.candidates

    @property
    def weights(self) -> Weights:
        """Return the shares of candidates and form."""
        return self.reading.weights

    @property
    def usable(self) -> BoolArray:
        """Return whether anything is known of each word."""
        return np.asarray(self.form.any(axis=1)) | ~self.form_counts


@dataclass(frozen=True)
class Blend:
    """Vectors of unknown words and where they come from."""

    vectors: FloatArray
    mixture: Mixture
    confidence: FloatArray
    """The expected cosine to the true vector."""


TINY = np.finfo(np.float32).tiny


def signs_of_certainty(mixture: Mixture) -> FloatArray:
    """Return what tells a sure blend from a guess, (words, signs of the gate)."""
    weights, query = mixture.weights, mixture.candidates.query
    length = np.linalg.norm(mixture.blended, axis=1)
    first, second = _greatest_two(mixture)
    columns = [
        length,
        np.maximum(first, weights.form),
        weights.form,
        np.bincount(query, weights.candidates**2, minlength=len(length)) + weights.form**2,
        (mixture.blended * mixture.form).sum(axis=1) / np.maximum(length, TINY),
    ]
    if mixture.reading.best is not None:
        columns += [second, *mixture.reading.best.T]
    return np.stack(columns, axis=1).astype(np.float32)


def _greatest_two(mixture: Mixture) -> tuple[FloatArray, FloatArray]:
    """Return the greatest and the second greatest share of a candidate of each word."""
    query, shares = mixture.candidates.query, mixture.weights.candidates
    order = np.lexsort((-shares, query))
    starts = run_starts(query)
    greatest = np.zeros((2, len(mixture.form)), dtype=np.float32)
    greatest[0, query[starts]] = shares[order[starts]]
    several = starts[run_lengths(starts, len(query)) > 1]
    greatest[1, query[several]] = shares[order[several + 1]]
    return greatest[0], greatest[1]


class Blender:
    """Vectors for words that are not stored, from known words of similar spelling and from the word's own spelling."""

    def __init__(self, known: KnownWords, form_encoder: FormEncoder, gate: AnyGate) -> None:
        self.known, self.form_encoder, self.gate = known, form_encoder, gate
        self.reader = reader_for(gate, known)
        self.cache = VectorCache(self._made)
        """Remembers the vectors of the last words that were asked for."""

    @cached_property
    def _packed(self) -> kernel.Rows | kernel.CodedRows | None:
        return self.known.matrix.packed

    @property
    def _norm(self) -> float:
        return 1.0 if self.form_encoder.norm is None else self.form_encoder.norm

    def __call__(self, words: Sequence[str]) -> FloatArray:
        """Return the vectors of normalised words; zeros for a word about which nothing is known."""
        return self.cache(words)

    def _made(self, words: Sequence[str]) -> FloatArray:
        if len(words) == 1:
            return self._vector_of_one(words)
        if kernel.compiled and self._packed is not None:
            return self._made_by_kernel(words, self._packed)
        if len(words) <= CHUNK:
            return self._vectors(self.mix(words, all_forms=False))
        vectors = np.empty((len(words), self.form_encoder.dim), dtype=np.float32)
        for first in range(0, len(words), CHUNK):
            vectors[first : first + CHUNK] = self._vectors(self.mix(words[first : first + CHUNK], all_forms=False))
        return vectors

    def _made_by_kernel(self, words: Sequence[str], known: kernel.Rows | kernel.CodedRows) -> FloatArray:
        """Return what `mix` and `_vectors` make, without the arrays that only explanations need."""
        vectors = np.zeros((len(words), self.form_encoder.dim), dtype=np.float32)
        for first in range(0, len(words), CHUNK):
            part = vectors[first : first + CHUNK]
            self._blend_into(part, words[first : first + CHUNK], known)
            rows_of_length(part, self._norm)
        return vectors

    def _blend_into(self, vectors: FloatArray, words: Sequence[str], known: kernel.Rows | kernel.CodedRows) -> None:
        reading = self.reader.read(words)
        shares, found = reading.weights.form, reading.candidates
        known.add_directions((found.query, found.row, reading.weights.candidates), self.gate.LEAST_SHARE, vectors)
        made = (shares >= self.gate.LEAST_OF_FORM).nonzero()[0]
        if not len(made):
            return
        forms = self.form_encoder([words[index] for index in made.tolist()])
        kernel.add_directions(forms, (made, np.arange(len(made)), shares[made]), vectors)
        if not (usable := forms.any(axis=1)).all():
            vectors[made[~usable]] = 0

    def _vector_of_one(self, words: Sequence[str]) -> FloatArray:
        """Return what `mix` and `_vectors` make of one word, which should not pay for the bookkeeping of many."""
        reading = self.reader.read(words)
        share = reading.weights.form[0]
        if share >= self.gate.LEAST_OF_FORM:
            blended = self.form_encoder(words)
            if not blended.any():
                return blended
            rows_of_length(blended, float(share))
        else:
            blended = np.zeros((1, self.form_encoder.dim), dtype=np.float32)
        found, shares = reading.candidates, reading.weights.candidates
        if kernel.compiled and self._packed is not None:
            self._packed.add_directions((found.query, found.row, shares), self.gate.LEAST_SHARE, blended)
        elif len(counting := (shares >= self.gate.LEAST_SHARE).nonzero()[0]):
            blended += self.known.matrix.sum_of_directions(found.row.take(counting), shares.take(counting))
        return rows_of_length(blended, self._norm)

    def with_origins(self, words: Sequence[str]) -> tuple[FloatArray, list[Origin]]:
        """Return the vectors of normalised words, and the origin of each."""
        vectors, origins = np.empty((len(words), self.form_encoder.dim), dtype=np.float32), list[Origin]()
        for first in range(0, len(words), CHUNK):
            mixture = self.mix(words[first : first + CHUNK], all_forms=False)
            vectors[first : first + CHUNK] = self._vectors(mixture)
            origins += self._origins(words[first : first + CHUNK], mixture)
        return vectors, origins

    def _origins(self, words: Sequence[str], mixture: Mixture) -> Iterator[Origin]:
        rows, largest = _greatest(mixture)
        told = (mixture.usable, mixture.weights.form, rows, largest)
        for word, usable, form, row, share in zip(words, *(column.tolist() for column in told), strict=True):
            best = self.known.words[row] if row >= 0 else None
            yield Origin(source_of(form, word, best), share) if usable else Origin(Source.NONE, 0.0)

    def with_explanations(self, words: Sequence[str]) -> tuple[FloatArray, list[Explanation]]:
        """Return the vectors of normalised words, and an explanation of each."""
        vectors, explanations = np.empty((len(words), self.form_encoder.dim), dtype=np.float32), list[Explanation]()
        for first in range(0, len(words), CHUNK):
            part = words[first : first + CHUNK]
            blend = self.blend(part)
            vectors[first : first + CHUNK] = blend.vectors
            explanations += self._explanations(part, blend)
        return vectors, explanations

    def _explanations(self, words: Sequence[str], blend: Blend) -> Iterator[Explanation]:
        mixture = blend.mixture
        shares: list[list[Share]] = [[] for _ in words]
        counting = (mixture.weights.candidates >= self.gate.LEAST_SHARE).nonzero()[0]
        pairs = (mixture.candidates.query, mixture.candidates.row, mixture.weights.candidates)
        for query, row, share in zip(*(column[counting].tolist() for column in pairs), strict=True):
            shares[query].append(Share(self.known.words[row], share))
        per_word = (mixture.usable, mixture.weights.form, blend.confidence)
        columns = zip(words, shares, *(column.tolist() for column in per_word), strict=True)
        for word, found, usable, form, confidence in columns:
            if usable:
                found.sort(key=lambda share: -share.share)
                source = source_of(form, word, found[0].word if found else None)
                sure = confidence * BY_SOUND if source is Source.TRANSLITERATED else confidence
                yield Explanation(word, source, tuple(found), form, sure)
            else:
                yield Explanation(word, Source.NONE, (), 0.0, 0.0)

    def blend(self, words: Sequence[str]) -> Blend:
        """Return the vectors of words with all that went into them."""
        mixture = self.mix(words)
        confidence = self.gate.confidence(signs_of_certainty(mixture)) * mixture.usable
        return Blend(self._vectors(mixture), mixture, confidence)

    def _vectors(self, mixture: Mixture) -> FloatArray:
        vectors = rows_of_length(mixture.blended.copy(), self._norm)
        if not (usable := mixture.usable).all():
            vectors[~usable] = 0  # not by a product, which would leave negative zeros
        return vectors

    def mix(self, words: Sequence[str], *, all_forms: bool = True) -> Mixture:
        """Return the weighted means of candidates and form.

        The second gate leaves out a form of negligible share, as it does candidates; `all_forms` makes it nevertheless.
        """
        reading = self.reader.read(words)
        counts = reading.weights.form >= self.gate.LEAST_OF_FORM
        if all_forms or counts.all():
            form = rows_of_length(self.form_encoder(words), 1.0)
        else:
            form, made = np.zeros((len(words), self.form_encoder.dim), dtype=np.float32), counts.nonzero()[0]
            form[made] = rows_of_length(self.form_encoder([words[index] for index in made.tolist()]), 1.0)
        return Mixture(reading, form, counts, self._weighted_mean(reading, form, counts))

    def _weighted_mean(self, reading: Reading, form: FloatArray, form_counts: BoolArray) -> FloatArray:
        candidates, weights, least = reading.candidates, reading.weights, self.gate.LEAST_SHARE
        blended = form * (weights.form * form_counts)[:, None]
        if kernel.compiled and self._packed is not None:
            self._packed.add_directions((candidates.query, candidates.row, weights.candidates), least, blended)
            return blended
        counting = (weights.candidates >= least).nonzero()[0]
        if len(counting):
            query = candidates.query[counting]
            vectors = rows_of_length(self.known.matrix.floats(candidates.row[counting]), 1.0)
            vectors *= weights.candidates[counting, None]
            starts = run_starts(query)
            blended[query[starts]] += run_sums(vectors, starts)
        return blended


def _greatest(mixture: Mixture) -> tuple[IndexArray, FloatArray]:
    """Return the candidate of each word with the greatest share, -1 if there is none, and its share."""
    query, shares = mixture.candidates.query, mixture.weights.candidates
    rows, largest = np.full(len(mixture.form), -1, dtype=np.int64), np.zeros(len(mixture.form), dtype=np.float32)
    order = np.lexsort((shares, query))  # of all candidates of a word, the last one is written last
    rows[query[order]], largest[query[order]] = mixture.candidates.row[order], shares[order]
    return rows, largest
