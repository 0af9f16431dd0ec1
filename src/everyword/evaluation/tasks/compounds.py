"""Compounds: is a term whose parts are close to each other the one that people call literal?

The first question needs vectors of the parts alone: how close are they to each other, as in "graduate student" and
"rat race"? The second needs a vector of the term as well: how close is it to its parts, and to what is composed of
them? That is the sum of their directions, or the intersection of their feature tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import isfinite
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.closeness import closeness_of, feature_tuples, pair_closeness
from everyword.evaluation.tasks.similarity import spearman
from everyword.files import read_lines
from everyword.vectors.neighbours import unit_rows

Values = npt.NDArray[np.float64]
JOINTS = (" ", "_", "-", "")
"""What may stand between the parts of a term that is stored as one."""
RATINGS: Mapping[str, Callable[[float], float]] = {
    "score": lambda given: given,
    "noncompositional": lambda given: -given,
}
"""Columns that say how literal a term is, and the order in which they say it."""


class Term(NamedTuple):
    """A term, how literal people call it, and the set it belongs to."""

    parts: tuple[str, ...]
    rating: float
    section: str


@dataclass(frozen=True)
class CompoundSet:
    """Terms with ratings."""

    name: str
    terms: Sequence[Term]
    noisy: bool = False
    """Whether parts are misspelt on purpose, so that they may all be unknown."""

    @classmethod
    def load(cls, path: Path) -> CompoundSet:
        """Read tab-separated modifier and head, or phrase; score or noncompositional; perhaps set and original."""
        lines = read_lines(path, "set of compounds")
        header = lines[0].split("\t")
        rating = next((name for name in RATINGS if name in header), None)
        parts = [name for name in ("modifier", "head", "phrase") if name in header]
        if rating is None or parts not in (["modifier", "head"], ["phrase"]):
            raise InputError(
                f"{path}:1: the columns must include modifier and head, or phrase, and {' or '.join(RATINGS)}. "
                f"Got {lines[0][:60]!r}."
            )
        rows = (_row(path, number, header, line) for number, line in enumerate(lines[1:], start=2))
        terms = list(_terms(path, rows, parts, rating))
        if len(terms) < 2:
            raise InputError(f"{path} holds {len(terms)} compounds; a correlation needs two or more.")
        return cls(path.name.partition(".")[0], terms)


def _row(path: Path, number: int, header: Sequence[str], line: str) -> dict[str, str]:
    cells = line.split("\t")
    if len(cells) != len(header):
        raise InputError(f"{path}:{number}: needs {', '.join(header)} between tabs. Got {line[:60]!r}; fix this line.")
    return {"": str(number), **dict(zip(header, cells, strict=True))}


def _terms(path: Path, rows: Iterator[dict[str, str]], parts: Sequence[str], rating: str) -> Iterator[Term]:
    """Yield the terms, without other spellings of one, which the data marks."""
    for row in rows:
        try:
            given = float(row[rating])
        except ValueError:
            given = float("nan")
        words = tuple(word for name in parts for word in row[name].split())
        if not isfinite(given) or len(words) < 2:
            raise InputError(f"{path}:{row['']}: needs two words or more and a number as {rating}; fix this line.")
        if row.get("original", "true") != "false":
            yield Term(words, RATINGS[rating](given), row.get("set", ""))


def run(model: EvaluatedModel, data: CompoundSet, seed: int) -> Scores:
    """Correlate ratings with the closeness of parts, and of terms with a vector to their parts and to the whole."""
    ratings = np.array([term.rating for term in data.terms])
    known = np.array([all(map(model.known, term.parts)) for term in data.terms])
    if model.policy == "zero" and not (data.noisy or known.any()):
        raise NoOverlapError(f"No compound of {data.name} has all its parts in {model.name}.")
    close = _means(model, [list(combinations(term.parts, 2)) for term in data.terms])
    values = {**_correlations(close, ratings), **_correlations(close[known], ratings[known], "_known")}
    stored = [_stored(model, term.parts) for term in data.terms]
    some = [place for place, whole in enumerate(stored) if whole is not None and known[place]]
    wholes, parts = [str(stored[place]) for place in some], [data.terms[place].parts for place in some]
    if len(some) > 1:
        to_parts = _means(model, [[(whole, part) for part in of] for whole, of in zip(wholes, parts, strict=True)])
        values |= _correlations(to_parts, ratings[some], "_term_parts")
        values |= _correlations(_to_composed(model, wholes, parts), ratings[some], "_term_composed")
    sections = {
        name: {"n": int(chosen.sum()), "known": int((chosen & known).sum())}
        | {key: value for key, value in _correlations(close[chosen], ratings[chosen]).items() if value is not None}
        for name, chosen in _sections(data).items()
    }
    values["terms_with_a_vector"] = 100 * len(some) / len(data.terms)
    return Scores(values, len(data.terms), int(known.sum()), sections=sections)


def _means(model: EvaluatedModel, pairs: Sequence[Sequence[tuple[str, str]]]) -> Values:
    """Return the mean closeness of each term's pairs."""
    close = pair_closeness(model, [pair for of in pairs for pair in of])
    ends = np.cumsum([len(of) for of in pairs])
    return np.array([part.mean() for part in np.split(close, ends[:-1])], dtype=np.float64)


def _to_composed(model: EvaluatedModel, wholes: Sequence[str], parts: Sequence[tuple[str, ...]]) -> Values:
    """Return how close terms are to what is composed of their parts."""
    if model.scorer is None:
        sums = np.array([model.units(list(of)).sum(axis=0) for of in parts])
        cosines: Values = np.einsum("ij,ij->i", model.units(wholes), unit_rows(sums)).astype(np.float64)
        return cosines
    words = list(dict.fromkeys([*wholes, *(part for of in parts for part in of)]))
    tuples = dict(zip(words, feature_tuples(model, model.scorer, words), strict=True))
    composed = np.array([np.prod([tuples[part] for part in of], axis=0) for of in parts])
    own = np.array([tuples[whole] for whole in wholes])
    if model.scorer.renormalise:
        sizes = composed.sum(axis=1, keepdims=True)
        composed *= np.divide(own.sum(axis=1, keepdims=True), sizes, out=np.ones_like(sizes), where=sizes > 0)
    return closeness_of(model.scorer, np.minimum(composed, 1.0), own)


def _stored(model: EvaluatedModel, parts: Sequence[str]) -> str | None:
    return next((term for joint in JOINTS if model.known(term := joint.join(parts))), None)


def _correlations(close: Values, ratings: Values, ending: str = "") -> dict[str, float | None]:
    if len(close) < 2:
        return {f"spearman{ending}": None, f"pearson{ending}": None}
    return {f"spearman{ending}": 100 * spearman(close, ratings), f"pearson{ending}": 100 * pearson(close, ratings)}


def pearson(first: Values, second: Values) -> float:
    """Return Pearson's correlation; 0.0 if one side is constant.

    >>> round(pearson(np.array([1.0, 2, 3]), np.array([1.0, 2, 2])), 3)
    0.866
    """
    one, other = first - first.mean(), second - second.mean()
    spread = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / spread if spread > 0 else 0.0


def _sections(data: CompoundSet) -> dict[str, npt.NDArray[np.bool_]]:
    names = [term.section for term in data.terms]
    return {name: np.array([other == name for other in names]) for name in dict.fromkeys(names) if name}


def misspelt(data: CompoundSet, misspell: Misspell) -> CompoundSet:
    """Return the same terms with their parts in other spellings."""
    terms = [term._replace(parts=tuple(map(misspell, term.parts))) for term in data.terms]
    return replace(data, terms=terms, noisy=True)


TASK = Task(
    name="compounds",
    version=1,
    kind="compounds",
    summary="Are terms whose parts are close to each other those that people call literal? Spearman.",
    main="spearman",
    load=CompoundSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
    takes_scorers=True,
)
