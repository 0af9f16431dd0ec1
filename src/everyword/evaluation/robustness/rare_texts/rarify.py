"""Rarify labelled texts: hide the words that a classifier needs most until it fails, then insert rare words there.

The classifier never sees the rare words while the set is made. A perfect vector for each of them would restore the
correct label, so the set compares vectors of rare words inside this classifier; it does not compare classifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

import numpy as np

from everyword.arrays import FloatArray
from everyword.corpus.labelled.sets import Texts
from everyword.errors import InputError
from everyword.evaluation.robustness.rare_texts.items import RareText, Replacement
from everyword.evaluation.robustness.rare_texts.substitutes import Substitute, Substitutes


class Classifier(Protocol):
    """Anything that returns the probabilities of labels for texts."""

    labels: Sequence[str]
    mask: str | None
    """The token for a hidden word; None if hidden words are removed."""

    def predict_proba(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """Return a row per text, given as tokens, and a column per label."""


@dataclass
class _Candidate:
    """A text, and which of its words are hidden so far."""

    tokens: tuple[str, ...]
    label: int
    substitutes: list[list[Substitute]]
    hidden: list[int] = field(default_factory=list)

    def open_positions(self) -> list[int]:
        return [index for index, found in enumerate(self.substitutes) if found and index not in self.hidden]


def rarify(
    classifier: Classifier, data: Texts, substitutes: Substitutes, *, max_words: int = 5, seed: int = 0
) -> list[RareText]:
    """Return the texts that can be made to depend on rare words, in the order of the data.

    In each correctly classified text, the word is hidden whose absence lowers the probability of the correct label
    most, then the next, up to `max_words`. Texts whose label does not change are skipped.
    """
    if max_words < 1:
        raise InputError(f"At least one word must be replaced. Got max_words = {max_words}; give 1 or more.")
    if unknown := set(data.labels) - set(classifier.labels):
        raise InputError(
            f"The classifier has the labels {', '.join(classifier.labels)}. Got {min(unknown)!r} in {data.name}."
        )
    rng = Random(seed)
    candidates = [
        _Candidate(tokens, classifier.labels.index(label), substitutes.of(tokens, seed))
        for tokens, label in zip(data.tokens, data.labels, strict=True)
    ]
    candidates = [one for one in candidates if one.open_positions()]
    active = _correct_ones(classifier, candidates)
    flipped: set[int] = set()
    for _ in range(max_words):
        active = [one for one in active if id(one) not in flipped and one.open_positions()]
        flipped |= _hide_one_more(classifier, active)
    return [_rare_text(one, classifier, rng) for one in candidates if id(one) in flipped]


def _correct_ones(classifier: Classifier, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    if not candidates:
        return []
    guesses = classifier.predict_proba([one.tokens for one in candidates]).argmax(axis=1)
    return [one for one, guess in zip(candidates, guesses.tolist(), strict=True) if guess == one.label]


def _hide_one_more(classifier: Classifier, active: Sequence[_Candidate]) -> set[int]:
    """Hide the most important word of each text, and return the ids of the texts whose label changes.

    All words of all texts are tried together: a classifier is fastest with many texts at once.
    """
    tried = [(one, index) for one in active for index in one.open_positions()]
    if not tried:
        return set()
    shown = [_shown(one, [*one.hidden, index], classifier.mask) for one, index in tried]
    chances = classifier.predict_proba(shown)
    flipped, start = set(), 0
    for one in active:
        positions = one.open_positions()
        rows = chances[start : start + len(positions)]
        start += len(positions)
        worst = int(np.argmin(rows[:, one.label]))
        one.hidden.append(positions[worst])
        if int(rows[worst].argmax()) != one.label:
            flipped.add(id(one))
    return flipped


def _shown(one: _Candidate, hidden: Sequence[int], mask: str | None) -> list[str]:
    shown = [mask if index in hidden else token for index, token in enumerate(one.tokens)]
    return [token for token in shown if token is not None]


def _rare_text(one: _Candidate, classifier: Classifier, rng: Random) -> RareText:
    tokens, replaced = list(one.tokens), []
    for index in sorted(one.hidden):
        chosen = rng.choice(one.substitutes[index])
        replaced.append(Replacement(tokens[index], chosen.word, chosen.kind, chosen.count))
        tokens[index] = chosen.word
    return RareText(" ".join(tokens), classifier.labels[one.label], " ".join(one.tokens), replaced)
