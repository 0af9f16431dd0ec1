"""What trained taggers score in a study about auxiliary languages, and what is made of several of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from everyword.corpus.labelled.bio import span_scores, spans_of, token_accuracy
from everyword.corpus.labelled.sets import TaggedSentences
from everyword.evaluation.language_distance import rankings_for
from everyword.evaluation.tasks.similarity import spearman
from everyword.systems.taggers.train import TrainedTagger


@dataclass(frozen=True)
class Outcome:
    """A trained tagger's scores on test."""

    score: float
    unseen: float | None
    """Accuracy over tokens that train does not have."""
    dev: float
    counts: Sequence[Sequence[int]]
    """For each sentence a part and a whole, for paired tests."""
    weights: Mapping[str, float]
    """The mean weight of each source over the tokens of test."""


def outcome_of(trained: TrainedTagger, train: TaggedSentences, test: TaggedSentences, names: Sequence[str]) -> Outcome:
    """Score a tagger on test; `names` are those of its sources."""
    given = trained.tagger.tag(test.tokens)
    weights = np.concatenate(trained.tagger.weights(test.tokens)).mean(axis=0)
    is_spans = test.scheme == "bio"
    return Outcome(
        score=span_scores(test.tags, given)["f1"] if is_spans else token_accuracy(test.tags, given),
        unseen=_unseen(train, test, given),
        dev=trained.dev,
        counts=_counts(test, given),
        weights={name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)},
    )


def _unseen(train: TaggedSentences, test: TaggedSentences, given: Sequence[Sequence[str]]) -> float | None:
    seen = {word for tokens in train.tokens for word in tokens}
    correct = [
        one == other
        for tokens, tags, guessed in zip(test.tokens, test.tags, given, strict=True)
        for token, one, other in zip(tokens, tags, guessed, strict=True)
        if token not in seen
    ]
    return 100 * fmean(correct) if correct else None


def _counts(test: TaggedSentences, given: Sequence[Sequence[str]]) -> list[list[int]]:
    counts = []
    for tags, guessed in zip(test.tags, given, strict=True):
        if test.scheme == "bio":
            one, other = spans_of(tags), spans_of(guessed)
            counts.append([2 * len(one & other), len(one) + len(other)])
        else:
            counts.append([sum(a == b for a, b in zip(tags, guessed, strict=True)), len(tags)])
    return counts


def average(outcomes: Sequence[Outcome]) -> Outcome:
    """Return mean scores, without what cannot be averaged."""
    unseen = [one.unseen for one in outcomes if one.unseen is not None]
    return Outcome(
        score=fmean(one.score for one in outcomes),
        unseen=fmean(unseen) if unseen else None,
        dev=fmean(one.dev for one in outcomes),
        counts=(),
        weights={},
    )


def correlations(
    distances: Mapping[str, Mapping[tuple[str, str], float]], target: str, helpers: Mapping[str, float | None]
) -> dict[str, float]:
    """Return Spearman's correlation of the closeness by each measure with the score that a helper gives."""
    rankings = rankings_for(target, distances)
    names = [name for name in helpers if all(name in ranking for ranking in rankings.values())]
    if len(names) < 3:
        return {}
    scores = np.array([helpers[name] for name in names], dtype=np.float64)
    return {
        measure: round(spearman(-np.array([ranking[name] for name in names], dtype=np.float64), scores), 4)
        for measure, ranking in rankings.items()
    }


def median(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the run with the median score on dev."""
    return sorted(outcomes, key=lambda one: one.dev)[len(outcomes) // 2]


def rounded_mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of what is there, to four places."""
    present = [value for value in values if value is not None]
    return round(fmean(present), 4) if present else None
