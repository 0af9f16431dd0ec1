"""Repair at test time: predictions for canonical names take part in those for the name that stands there (RESEMBLE)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from everyword.arrays import FloatArray
from everyword.config import Fraction, Positive
from everyword.errors import InputError
from everyword.evaluation.robustness.attack import Item, Predict, Text
from everyword.evaluation.robustness.names import Mention, NameReplacer, replaced

TINY = 1e-12
Canonical = Mapping[str, str]
"""A name by the list that its part is of, as in {"female": "Mary", "male": "John", "last": "Smith"}."""


def repaired(
    own: FloatArray, canonical: FloatArray, *, confidence: float = 1.0, temperature: float = 2.0
) -> FloatArray:
    """Mix the probabilities for a text with those for the same text with canonical names.

    P ∝ (1 − q) P_T + q (P_T · Π P_k)^(1/(m+1)), where P_T is P to the power of 1/T, normalised.

    Args:
        own: Probabilities of the labels of texts, (texts, labels).
        canonical: Those of the texts with m canonical names, (texts, m, labels); m may be 0.
        confidence: How sure it is that there is a name, q.
        temperature: Flattens the first probabilities, T.
    """
    flat = np.maximum(own, TINY).astype(np.float64) ** (1 / temperature)
    flat /= flat.sum(axis=1, keepdims=True)
    logarithms = np.log(np.maximum(canonical, TINY)).sum(axis=1) + np.log(flat)
    geometric = np.exp(logarithms / (canonical.shape[1] + 1))
    mixed = (1 - confidence) * flat + confidence * geometric
    found: FloatArray = (mixed / mixed.sum(axis=1, keepdims=True)).astype(np.float32)
    return found


def with_canonical(text: Text, mention: Mention, names: Canonical) -> Text:
    """Return a text with a canonical name; a first name whose gender is not clear is of the first list."""
    return replaced(text, mention, [names[lists.split("/")[0]] for lists, _ in mention.parts])


@dataclass(frozen=True)
class Resemble:
    """Wraps a classifier so that its predictions depend less on names; texts without a name stay as they are."""

    predict: Predict
    replacer: NameReplacer
    """Finds names; what it would put in is not used."""
    canonical: Sequence[Canonical]
    """The names to compare with."""
    confidence: Fraction = 1.0
    """How sure it is that what is found is a name."""
    temperature: Positive = 2.0

    def __call__(self, texts: Sequence[Text]) -> FloatArray:
        """Return the probability of each label, (texts, labels)."""
        found = self.predict(texts).copy()
        mentions = [self.replacer.mention(text) for text in texts]
        rows = [row for row, mention in enumerate(mentions) if mention is not None]
        if not rows or not self.canonical:
            return found
        others = [
            with_canonical(texts[row], mention, names)
            for row, mention in enumerate(mentions)
            if mention is not None
            for names in self.canonical
        ]
        probabilities = self.predict(others).reshape(len(rows), len(self.canonical), -1)
        found[rows] = repaired(found[rows], probabilities, confidence=self.confidence, temperature=self.temperature)
        return found


def choose_canonical(
    predict: Predict, items: Sequence[Item], replacer: NameReplacer, names: Sequence[Canonical], *, count: int = 1
) -> list[Canonical]:
    """Return the names with which a classifier is most often right on other texts, the best first.

    Args:
        predict: The classifier.
        items: Development texts with their labels.
        replacer: Finds names.
        names: The candidates; of equal ones the first counts.
        count: How many are returned.

    Raises:
        InputError: If no text has a name.
    """
    mentions = [(item, mention) for item in items if (mention := replacer.mention(item.text)) is not None]
    if not mentions:
        raise InputError("No development text has a name, so that canonical names cannot be chosen.")
    labels = np.array([item.label for item, _ in mentions])
    right = []
    for one in names:
        found = predict([with_canonical(item.text, mention, one) for item, mention in mentions])
        right.append(int((found.argmax(axis=1) == labels).sum()))
    order = sorted(range(len(names)), key=lambda place: -right[place])
    return [names[place] for place in order[:count]]
