"""Properties of words: what kind of thing a noun is, and how frequent a word is, read from its vector alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

from everyword.arrays import FloatArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError, NoScoreError
from everyword.evaluation.probes.control import control_labels
from everyword.evaluation.probes.intervals import drawn_interval, mean_interval
from everyword.evaluation.probes.linear_svr import LinearSvr
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.probes.probe import (
    CONTROL_LABELS,
    LENGTH,
    MAJORITY,
    Probe,
    ProbeScore,
    ProbeSettings,
    Progress,
)
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.tasks.similarity import spearman

FREQUENCIES = "lexical/word_frequency_en.tsv.gz"
KINDS = "lexical/wordnet_attributes.tsv.gz"
LEAST_ZIPF = 2.5
"""A word of a noun's kind occurs three times in ten million words, or more often."""
WORDS = 8000
QUICK_WORDS = 1500
TEST_SHARE = 4
"""One word of so many is scored."""
CLASSIFIER_STRENGTH, REGRESSION_STRENGTH = 0.1, 0.001
DRAWS = 300
SEED = 0
"""Of the choice of words, which is part of the question and not of a run."""


def read_frequencies(path: Path) -> dict[str, float]:
    """Read words and the logarithms of their frequencies (Zipf values)."""
    found = {}
    for number, (word, zipf) in read_rows(path, "list of frequencies", ("word", "zipf")):
        try:
            found[word] = float(zipf)
        except ValueError:
            raise InputError(f"{path}:{number}: a frequency must be a number. Got {zipf!r}.") from None
    return found


def read_kinds(path: Path) -> dict[str, str]:
    """Read the kind of the first sense of each noun: animal, artifact, person and so on."""
    columns = ("word", "pos", "sense_rank", "supersense", "hypernym1", "hypernym2", "hypernym3")
    return {
        word: supersense.partition(".")[2]
        for _, (word, pos, rank, supersense, *_) in read_rows(path, "list of kinds", columns)
        if pos == "n" and rank == "1"
    }


def drawn_words(words: Sequence[str], quick: bool) -> tuple[list[str], list[str]]:
    """Return words to learn from and words to score, of those that consist of letters."""
    usable = sorted(word for word in set(words) if word.isalpha())
    chosen = Random(SEED).sample(usable, min(QUICK_WORDS if quick else WORDS, len(usable)))
    test = len(chosen) // TEST_SHARE
    if test < 2:
        raise NoScoreError(f"Properties of words need {2 * TEST_SHARE} words or more. Got {len(chosen)}.")
    return chosen[test:], chosen[:test]


def noun_kinds(asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress) -> ProbeScore:
    """Fit a logistic regression to the kinds of nouns."""
    frequencies, kinds = read_frequencies(paths[0]), read_kinds(paths[1])
    frequent = [word for word in kinds if frequencies.get(word, 0.0) >= LEAST_ZIPF]
    train, test = drawn_words(frequent, settings.quick)
    progress(1, 3)
    vectors = asked.words(train), asked.words(test)
    progress(2, 3)
    labels, gold = [kinds[word] for word in train], [kinds[word] for word in test]
    predicted = _classified(vectors, labels)
    right = 100.0 * np.array([one == other for one, other in zip(predicted, gold, strict=True)])
    majority = Counter(labels).most_common(1)[0][0]
    controls = {MAJORITY: 100 * float(np.mean([kind == majority for kind in gold]))}
    if settings.control_labels:
        drawn = control_labels([*train, *test], [*labels, *gold], settings.seed)
        guessed = _classified(vectors, drawn[: len(train)])
        controls[CONTROL_LABELS] = 100 * float(np.mean(np.array(guessed) == np.array(drawn[len(train) :])))
    progress(3, 3)
    counts = Counter(gold)
    return ProbeScore(
        value=float(right.mean()),
        metric="accuracy",
        n=len(test),
        interval=mean_interval(right),
        controls=controls,
        details={
            kind: {"accuracy": float(right[[one == kind for one in gold]].mean()), "n": counts[kind]}
            for kind in sorted(counts)
        },
        items={"score": (right / 100).tolist(), "word": test, "gold": gold, "predicted": predicted},
    )


def _classified(vectors: tuple[FloatArray, FloatArray], labels: Sequence[str]) -> list[str]:
    names = sorted(set(labels))
    number = {name: place for place, name in enumerate(names)}
    fitted = LogisticRegression.fit(vectors[0], np.array([number[label] for label in labels]), CLASSIFIER_STRENGTH)
    return [names[place] for place in fitted.predict(vectors[1]).tolist()]


def frequency(asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress) -> ProbeScore:
    """Fit a linear regression to the frequencies of words, half of which are among the 20,000 most frequent."""
    frequencies = read_frequencies(paths[0])
    ranked = [word for word in frequencies if word.isalpha()]
    common, rare = ranked[:20_000], ranked[20_000:100_000]
    train, test = drawn_words([*common, *Random(SEED).sample(rare, min(len(rare), len(common)))], settings.quick)
    progress(1, 2)
    fitted = LinearSvr.fit(asked.words(train), np.array([[frequencies[word]] for word in train]), REGRESSION_STRENGTH)
    predicted = fitted.predict(asked.words(test))[:, 0]
    gold, lengths = np.array([frequencies[word] for word in test]), np.array([float(len(word)) for word in test])
    progress(2, 2)
    return ProbeScore(
        value=100 * spearman(predicted, gold),
        metric="rho × 100",
        n=len(test),
        interval=drawn_interval(lambda rows: 100 * spearman(predicted[rows], gold[rows]), len(test), draws=DRAWS),
        controls={LENGTH: 100 * abs(spearman(lengths, gold))},
    )


NOUN_KINDS = Probe(
    name="noun-kinds",
    version=1,
    summary="Can it be read from the vector of a noun what kind of thing it is?",
    needs=(FREQUENCIES, KINDS),
    run=noun_kinds,
)
FREQUENCY = Probe(
    name="word-frequency",
    version=1,
    summary="Can it be read from the vector of a word how frequent it is?",
    needs=(FREQUENCIES,),
    run=frequency,
)
