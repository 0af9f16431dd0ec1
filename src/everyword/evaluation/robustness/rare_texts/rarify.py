"""Rarify labelled texts: hide the words that a classifier needs most, until it fails, then put rare words there.

The classifier is never asked about the rare words while the set is made. A perfect vector for each of them would bring
the right answer back, so the set compares ways to represent rare words inside this classifier, and no two classifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

import numpy as np

from everyword.arrays import FloatArray
from everyword.errors import InputError
from everyword.evaluation.robustness.rare_texts.items import RareText, Replacement
from everyword.evaluation.robustness.rare_texts.substitutes import Substitute, Substitutes
from everyword.evaluation.tasks.extrinsic.texts import Texts


class Classifier(Protocol):
    """Anything that gives texts probabilities of labels."""

    labels: Sequence[str]
    mask: str | None
    """What stands for a hidden word; None if hidden words are left out."""

    def predict_proba(self, texts: Sequence[Sequence[str]]) -> FloatArray:
        """A row for each text, given as tokens, and a column for each label."""


@dataclass
class _Candidate:
    """A text on its way: which of its words are hidden so far."""

    tokens: tuple[str, ...]
    label: int
    substitutes: list[list[Substitute]]
    hidden: list[int] = field(default_factory=list)

    def open_places(self) -> list[int]:
        return [place for place, found in enumerate(self.substitutes) if found and place not in self.hidden]


def rarify(
    classifier: Classifier, data: Texts, substitutes: Substitutes, *, max_words: int = 5, seed: int = 0
) -> list[RareText]:
    """The texts that can be made to depend on rare words, in the order of the data.

    Of each text that is classified rightly, the word is hidden whose absence lowers the probability of the right label
    most, then the next, up to `max_words`; texts whose label does not change by then are left out.
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
    candidates = [one for one in candidates if one.open_places()]
    active = _right_ones(classifier, candidates)
    flipped: set[int] = set()
    for _ in range(max_words):
        active = [one for one in active if id(one) not in flipped and one.open_places()]
        flipped |= _hide_one_more(classifier, active)
    return [_rare_text(one, classifier, rng) for one in candidates if id(one) in flipped]


def _right_ones(classifier: Classifier, candidates: Sequence[_Candidate]) -> list[_Candidate]:
    if not candidates:
        return []
    guesses = classifier.predict_proba([one.tokens for one in candidates]).argmax(axis=1)
    return [one for one, guess in zip(candidates, guesses.tolist(), strict=True) if guess == one.label]


def _hide_one_more(classifier: Classifier, active: Sequence[_Candidate]) -> set[int]:
    """Hide in each text the word that it misses most; those whose label changes, by identity.

    All texts with all their words are asked about together: a classifier is fastest with many texts at once.
    """
    asked = [(one, place) for one in active for place in one.open_places()]
    if not asked:
        return set()
    shown = [_shown(one, [*one.hidden, place], classifier.mask) for one, place in asked]
    chances = classifier.predict_proba(shown)
    flipped, start = set(), 0
    for one in active:
        places = one.open_places()
        rows = chances[start : start + len(places)]
        start += len(places)
        worst = int(np.argmin(rows[:, one.label]))
        one.hidden.append(places[worst])
        if int(rows[worst].argmax()) != one.label:
            flipped.add(id(one))
    return flipped


def _shown(one: _Candidate, hidden: Sequence[int], mask: str | None) -> list[str]:
    shown = [mask if place in hidden else token for place, token in enumerate(one.tokens)]
    return [token for token in shown if token is not None]


def _rare_text(one: _Candidate, classifier: Classifier, rng: Random) -> RareText:
    tokens, replaced = list(one.tokens), []
    for place in sorted(one.hidden):
        chosen = rng.choice(one.substitutes[place])
        replaced.append(Replacement(tokens[place], chosen.word, chosen.kind, chosen.count))
        tokens[place] = chosen.word
    return RareText(" ".join(tokens), classifier.labels[one.label], " ".join(one.tokens), replaced)
