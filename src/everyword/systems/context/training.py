"""Train the networks that score candidates, and choose how likely another word must be to be taken.

One hidden layer and a softmax over the candidates of a word and the word itself, by Adam; in NumPy, since there is so
little of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from everyword.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from everyword.sentences.context.features import FEATURES
from everyword.sentences.context.reader import ContextReader, Thresholds
from everyword.sentences.context.scorer import Scorer
from everyword.sentences.context.stream import items_of
from everyword.systems.context.cases import Case
from everyword.systems.context.config import ContextConfig

DECAY, SECOND_DECAY, EPSILON = 0.9, 0.999, 1e-8
LOWEST, MARGIN = 0.3, 1e-6
"""Of thresholds: however few right words that changes, another word must be so likely."""


@dataclass(frozen=True)
class Examples:
    """Words with their candidates; those of a word are one after the other."""

    place: IndexArray
    """The index of the word, for each candidate."""
    features: FloatArray
    meant: BoolArray
    """Whether the candidate is the right word."""
    words: int

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """Return all examples of some."""
        first = np.cumsum([0, *(part.words for part in parts)])
        return cls(
            np.concatenate([part.place + begin for part, begin in zip(parts, first, strict=False)]),
            np.concatenate([part.features for part in parts]),
            np.concatenate([part.meant for part in parts]),
            int(first[-1]),
        )

    def of(self, chosen: BoolArray) -> Examples:
        """Return some of the words."""
        kept = chosen[self.place]
        numbers = np.cumsum(chosen) - 1
        return Examples(numbers[self.place[kept]], self.features[kept], self.meant[kept], int(chosen.sum()))


def examples_of(
    reader: ContextReader, cases: Sequence[Case], *, wrong_words: bool, stored_words: bool = True
) -> tuple[Examples, Examples]:
    """Return examples of stored words, if they are wanted, and of others.

    They are the wrong words of texts, those with the right one among their candidates, or the right ones.
    """
    known, unknown = list[Examples](), list[Examples]()
    for stream in reader.streams(case.text for case in cases):
        places = [cases[stream.text[which]].right.keys() for which in stream.asked]
        stream.asked = [
            which
            for which, wrong in zip(stream.asked, places, strict=True)
            if (stored_words or stream.own[which] < 0) and (stream.items[which].begin in wrong) == wrong_words
        ]
        pairs = reader.pairs_of(stream)
        words = [cases[stream.text[which]].right.get(stream.items[which].begin) for which in stream.asked]
        right = reader.numbering.rows_of([word or "" for word in words])
        meant = pairs.row == right[pairs.place]
        chosen = np.full(len(words), not wrong_words)
        chosen[pairs.place[meant]] = True
        stored = np.array([stream.own[which] >= 0 for which in stream.asked], dtype=np.bool_)
        every = Examples(pairs.place, pairs.features, meant, len(words))
        known.append(every.of(chosen & stored))
        unknown.append(every.of(chosen & ~stored))
    return Examples.joined(known), Examples.joined(unknown)


def train_scorer(examples: Examples, config: ContextConfig) -> Scorer:
    """Train a network to tell the right candidates of words."""
    rng = np.random.default_rng(config.seed)
    mean, scale = examples.features.mean(axis=0), examples.features.std(axis=0) + 1e-3
    width = len(FEATURES)
    tables: list[AnyArray] = [
        rng.normal(0, width**-0.5, (width, config.hidden)),
        np.zeros(config.hidden),
        rng.normal(0, config.hidden**-0.5, config.hidden),
        np.zeros(1),
    ]
    first, second = ([np.zeros_like(table) for table in tables] for _ in range(2))
    steps = config.epochs * -(-examples.words // config.batch)
    for step, (features, place, meant, words) in enumerate(_batches(examples, config, rng), start=1):
        gradients = _gradients(tables, (features - mean) / scale, place, meant, words)
        rate = config.learning_rate * (1 - (step - 1) / steps)
        for nth, gradient in enumerate(gradients):
            first[nth] += (1 - DECAY) * (gradient - first[nth])
            second[nth] += (1 - SECOND_DECAY) * (gradient**2 - second[nth])
            size = np.sqrt(second[nth] / (1 - SECOND_DECAY**step)) + EPSILON
            tables[nth] -= rate * first[nth] / (1 - DECAY**step) / size
    features, bias, score, score_bias = tables
    features = features / scale[:, None]
    bias = bias - mean @ features
    return Scorer(*(table.astype(np.float32) for table in (features, bias, score, score_bias)))


def _batches(
    examples: Examples, config: ContextConfig, rng: np.random.Generator
) -> Iterator[tuple[FloatArray, IndexArray, BoolArray, int]]:
    begins = np.searchsorted(examples.place, np.arange(examples.words + 1))
    for _ in range(config.epochs):
        order = rng.permutation(examples.words)
        for first in range(0, examples.words, config.batch):
            words = order[first : first + config.batch]
            sizes = begins[words + 1] - begins[words]
            place = np.repeat(np.arange(len(words)), sizes)
            chosen = np.arange(len(place)) + np.repeat(begins[words] - (np.cumsum(sizes) - sizes), sizes)
            yield examples.features[chosen], place, examples.meant[chosen], len(words)


def _gradients(
    tables: Sequence[AnyArray], features: AnyArray, place: IndexArray, meant: BoolArray, words: int
) -> list[AnyArray]:
    """Return the gradients of the mean cross-entropy."""
    weights, bias, score, score_bias = tables
    hidden = np.maximum(features @ weights + bias, 0)
    scores = hidden @ score + score_bias
    top = np.zeros(words)
    np.maximum.at(top, place, scores)
    shares = np.exp(scores - top[place])
    shares /= (np.bincount(place, shares, minlength=words) + np.exp(-top))[place]
    error = (shares - meant) / words
    before = np.outer(error, score) * (hidden > 0)
    return [features.T @ before, before.sum(axis=0), hidden.T @ error, np.array([error.sum()])]


def chosen_thresholds(reader: ContextReader, texts: Sequence[str], config: ContextConfig) -> Thresholds:
    """Return the lowest thresholds that change no more words of right texts than the configuration allows."""
    shares: dict[bool, list[float]] = {True: [], False: []}
    for decision in reader.read(texts):
        shares[decision.known].append(decision.share)
    words = sum(item.is_token for text in texts for item in items_of(text))
    unknown = config.changed * config.changed_unknown
    return Thresholds(
        known=_threshold(shares[True], (config.changed - unknown) * words),
        unknown=_threshold(shares[False], unknown * words),
    )


def _threshold(shares: Sequence[float], allowed: float) -> float:
    """Return the smallest threshold that at most so many shares reach.

    >>> _threshold([0.9, 0.5, 0.7], 1), _threshold([0.9], 1)
    (0.700001, 0.3)
    """
    over = sorted(shares, reverse=True)[int(allowed) :]
    return min(1.0, max([LOWEST, *(share + MARGIN for share in over[:1])]))
