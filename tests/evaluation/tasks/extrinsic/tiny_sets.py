"""Tiny sets that can be learnt from word vectors, made here."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import torch

from everyword.arrays import FloatArray
from everyword.corpus.labelled.sets import TaggedSentences, Texts
from everyword.evaluation.tasks.extrinsic.learner import LearnerConfig

DIM = 8
GOOD = [f"good{letter}" for letter in "abcdef"]
BAD = [f"bad{letter}" for letter in "abcdef"]
FIRST = [f"First{letter}" for letter in "abcdef"]
LAST = [f"Last{letter}" for letter in "abcdef"]
PLAIN = [f"word{letter}" for letter in "abcdefghij"]
FAMILIES = [GOOD, BAD, FIRST, LAST, PLAIN]
QUICK = LearnerConfig(epochs=6, batch=8, rates=(1e-2,), seeds=1)


def encode(words: Sequence[str]) -> FloatArray:
    """Words of one family lie near each other; others are zero."""
    vectors = np.zeros((len(words), DIM), dtype=np.float32)
    for place, word in enumerate(words):
        for direction, family in enumerate(FAMILIES):
            if word in family:
                vectors[place] = np.random.default_rng(list(word.encode())).normal(0, 0.1, DIM)
                vectors[place, direction] += 1
    return vectors


def texts(name: str, count: int, seed: int) -> Texts:
    """A text is positive if it holds a good word."""
    rng = Random(seed)
    tokens, labels = [], []
    for number in range(count):
        words = rng.choices(PLAIN, k=rng.randint(1, 9))
        words.insert(rng.randint(0, len(words)), rng.choice(GOOD if number % 2 else BAD))
        tokens.append(tuple(words))
        labels.append("good" if number % 2 else "bad")
    return Texts(name, tuple(tokens), tuple(labels))


def tagged(name: str, count: int, seed: int) -> TaggedSentences:
    """Names are a first name and perhaps a last name; a last name alone is a place."""
    rng = Random(seed)
    tokens, tags = [], []
    for _ in range(count):
        parts = [[(word, "O")] for word in rng.choices(PLAIN, k=rng.randint(1, 5))]
        parts.append([(rng.choice(FIRST), "B-PER"), (rng.choice(LAST), "I-PER")])
        parts.append([(rng.choice(LAST), "B-LOC"), (rng.choice(PLAIN), "O")])
        rng.shuffle(parts)
        # A last name directly after a first name would be ambiguous; each part here is closed.
        flat = [pair for part in parts for pair in part]
        tokens.append(tuple(word for word, _ in flat))
        tags.append(tuple(tag for _, tag in flat))
    return TaggedSentences(name, tuple(tokens), tuple(tags))


def same_weights(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    pairs = zip(one.state_dict().values(), other.state_dict().values(), strict=True)
    return all(torch.equal(first, second) for first, second in pairs)
