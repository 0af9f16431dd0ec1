"""Phrases: is a phrase that is composed of its words as close to another as people say?

A term of several words is the sum of the directions of its words. Two controls show what composing adds: the vector of
the last word alone, which is the head of an English noun phrase, and the share of words that both terms have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.arrays import BoolArray, FloatArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.similarity import correlation_of, spearman
from everyword.vectors.neighbours import unit_rows

Words = tuple[str, ...]
Units = Callable[[Sequence[Words]], FloatArray]
JOINTS = (" ", "_", "-")
"""What may stand between the words of a term that is stored as one."""


@dataclass(frozen=True)
class PhraseSet:
    """Pairs of terms, of one word or several, with human scores."""

    name: str
    pairs: Sequence[tuple[Words, Words]]
    scores: npt.NDArray[np.float64]
    noisy: bool = False
    """Whether words are misspelt on purpose, so that they may all be unknown."""

    @classmethod
    def load(cls, path: Path) -> PhraseSet:
        """Read tab-separated term1, term2 and score."""
        pairs, scores = [], []
        for number, (first, second, score) in read_rows(path, "set of phrases", ("term1", "term2", "score")):
            pairs.append((tuple(first.split()), tuple(second.split())))
            scores.append(_number(path, number, score))
        if len(pairs) < 2:
            raise InputError(f"{path} holds {len(pairs)} pairs; a rank correlation needs two or more.")
        return cls(path.name.partition(".")[0], pairs, np.array(scores))


def _number(path: Path, line: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise InputError(f"{path}:{line}: the score must be a number. Got {text!r}; fix this line.")
    return value


def run(model: EvaluatedModel, data: PhraseSet, seed: int) -> Scores:
    """Correlate cosines of composed terms with human scores, and beside them those of the controls."""
    known = np.array([all(map(model.known, (*first, *second))) for first, second in data.pairs])
    if model.policy == "zero" and not (data.noisy or known.any()):
        raise NoOverlapError(f"No pair of {data.name} has all its words in {model.name}; is it of another language?")
    composed = _cosines(data.pairs, lambda terms: _sums(model, terms))
    heads = _cosines(data.pairs, lambda terms: model.units([term[-1] for term in terms]))
    shared = np.array([len({*first} & {*second}) / len({*first, *second}) for first, second in data.pairs])
    stored = np.array([all(_stored(model, term) is not None for term in pair) for pair in data.pairs])
    values: dict[str, float | None] = {
        "spearman": 100 * spearman(composed, data.scores),
        "spearman_known": correlation_of(known, composed, data.scores),
        "head_only": 100 * spearman(heads, data.scores),
        "shared_words": 100 * spearman(shared, data.scores),
        "composed_of_stored": correlation_of(stored, composed, data.scores),
        "stored_terms": None,
        "terms_with_a_vector": 100 * float(stored.mean()),
    }
    if stored.sum() > 1:
        whole = _cosines(data.pairs, lambda terms: model.units([_stored(model, term) or term[-1] for term in terms]))
        values["stored_terms"] = correlation_of(stored, whole, data.scores)
    phrases = np.array([min(len(first), len(second)) > 1 for first, second in data.pairs])
    sections = {
        name: {"n": int(chosen.sum()), "spearman": 100 * spearman(composed[chosen], data.scores[chosen])}
        for name, chosen in _kinds(phrases).items()
        if chosen.sum() > 1
    }
    return Scores(values, len(data.pairs), int(known.sum()), sections=sections)


def _kinds(phrases: BoolArray) -> dict[str, BoolArray]:
    return {"two phrases": phrases, "phrase and word": ~phrases}


def _cosines(pairs: Sequence[tuple[Words, Words]], units: Units) -> FloatArray:
    first, second = (units([pair[side] for pair in pairs]) for side in (0, 1))
    cosines: FloatArray = np.einsum("ij,ij->i", first, second)
    return cosines


def _sums(model: EvaluatedModel, terms: Sequence[Words]) -> FloatArray:
    """Return the directions of the sums of the words' directions."""
    units = model.units([word for term in terms for word in term])
    starts = np.concatenate([[0], np.cumsum([len(term) for term in terms])[:-1]])
    return unit_rows(np.add.reduceat(units, starts, axis=0))


def _stored(model: EvaluatedModel, term: Words) -> str | None:
    """Return how a term is stored as a whole; None if it is not."""
    return next((whole for joint in JOINTS if model.known(whole := joint.join(term))), None)


def misspelt(data: PhraseSet, misspell: Misspell) -> PhraseSet:
    """Return the same pairs with their words in other spellings."""
    pairs = [(tuple(map(misspell, first)), tuple(map(misspell, second))) for first, second in data.pairs]
    return replace(data, pairs=pairs, noisy=True)


TASK = Task(
    name="phrase-similarity",
    version=1,
    kind="phrases",
    summary="Do cosines of phrases, composed of their words, rank like human judgements? Spearman.",
    main="spearman",
    load=PhraseSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
