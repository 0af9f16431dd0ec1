"""Kinds of tokens: is a word that a sensible person would accept among the ten nearest of a strange token?

Data: tokens of many kinds (names, numbers, slang, emoji, misspellings …), each with a short list of accepted words, and
beside it the list of candidates. The token itself is left out. A token without a vector is a miss, and so is a zero
vector. Accepted lists are short, so scores are lower bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from everyword.arrays import AnyArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import Scores, Task
from everyword.evaluation.tasks.given_candidates import NEAREST, NEVER, GivenCandidates, read_candidates

TOKENS_AT_ONCE = 256


@dataclass(frozen=True)
class Token:
    """A token, its kind, and the words that are accepted as its neighbours."""

    kind: str
    text: str
    accepted: Sequence[str]


@dataclass(frozen=True)
class KindsSet:
    """Tokens of several kinds, and the candidates among which neighbours are searched."""

    name: str
    tokens: Sequence[Token]
    candidates: Sequence[str]

    @classmethod
    def load(cls, path: Path) -> KindsSet:
        """Read tab-separated kind, token and accepted words (with commas between them), and the list beside it."""
        candidates = read_candidates(path)
        listed, tokens = frozenset(candidates), []
        for number, (kind, text, accepted) in read_rows(path, "set of tokens", ("kind", "token", "accept")):
            words = [word for word in accepted.split(",") if word in listed]
            if not words:
                raise InputError(f"{path}:{number}: none of {accepted!r} is a candidate; accept one that is.")
            tokens.append(Token(kind, text, words))
        if not tokens:
            raise InputError(f"{path} holds no tokens; a line needs kind, token and accepted words.")
        return cls(path.name.partition(".")[0], tokens, candidates)

    def by_kind(self) -> dict[str, AnyArray]:
        """Return which tokens are of each kind."""
        kinds = [token.kind for token in self.tokens]
        return {kind: np.array([other == kind for other in kinds]) for kind in dict.fromkeys(kinds)}


@dataclass(frozen=True)
class Reading:
    """What a model makes of a token."""

    token: Token
    rank: int
    """The rank of the best accepted word among all candidates, from 1; 0 if there is no vector."""
    nearest: Sequence[str]

    @property
    def hit(self) -> bool:
        """Whether an accepted word is among the ten nearest."""
        return 0 < self.rank <= NEAREST


def readings(model: EvaluatedModel, data: KindsSet, candidates: GivenCandidates | None = None) -> Iterator[Reading]:
    """Yield what the model makes of each token, in their order."""
    candidates = candidates or GivenCandidates(data.candidates, model)
    for start in range(0, len(data.tokens), TOKENS_AT_ONCE):
        part = data.tokens[start : start + TOKENS_AT_ONCE]
        units = model.units([token.text for token in part])
        cosines = candidates.cosines(units, [token.text.casefold() for token in part])
        nearest = candidates.nearest(cosines)
        for place, token in enumerate(part):
            best = max(cosines[place, candidates.row[word]] for word in token.accepted)
            if not units[place].any() or best <= NEVER:
                yield Reading(token, 0, ())
                continue
            rank = int(np.count_nonzero(cosines[place] > best)) + 1
            yield Reading(token, rank, [candidates.words[row] for row in nearest[place]])


def run(model: EvaluatedModel, data: KindsSet, seed: int) -> Scores:
    """Score hits among ten and mean reciprocal rank, over all tokens and for each kind."""
    found = list(readings(model, data))
    ranks = np.array([reading.rank for reading in found])
    known = np.array([model.known(token.text) for token in data.tokens])
    sections = {kind: {"n": int(some.sum()), **scores_of(ranks[some])} for kind, some in data.by_kind().items()}
    values: dict[str, float | None] = dict(scores_of(ranks))
    values |= {f"{name}_known": score for name, score in scores_of(ranks[known]).items()} if known.any() else {}
    values["lowest_kind"] = min(section["hit@10"] for section in sections.values())
    return Scores(values, len(ranks), int(known.sum()), sections=sections, items={"rank": ranks.tolist()})


def scores_of(ranks: AnyArray) -> dict[str, float]:
    """Return hits among ten, mean reciprocal rank and the share of tokens with a vector, in percent."""
    answered = ranks > 0
    inverse = np.divide(1.0, ranks, out=np.zeros(len(ranks)), where=answered)
    return {
        "hit@10": 100 * float((answered & (ranks <= NEAREST)).mean()),
        "mrr": 100 * float(inverse.mean()),
        "answered": 100 * float(answered.mean()),
    }


def misspelt(data: KindsSet, misspell: Misspell) -> KindsSet:
    """Return the same tokens in other spellings."""
    return replace(data, tokens=[replace(token, text=misspell(token.text)) for token in data.tokens])


TASK = Task(
    name="kinds",
    version=1,
    kind="kinds",
    summary="Is an accepted word among the ten nearest of a strange token? Hits, by kind of token.",
    main="hit@10",
    load=KindsSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
