"""What is a linear classifier worth that reads the vectors of texts? Five sets, clean and with typos."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from everyword.arrays import FloatArray
from text_parts.encoders import Encode
from text_parts.sets import Labelled, labelled_sets

GRID = (0.001, 0.004, 0.016, 0.064, 0.25)
"""Inverse strengths of regularisation; one is chosen for each encoder and set."""
FOLDS = 3
ITERATIONS = 200
SEED = 0
SETS = 5


def classifier() -> GridSearchCV:
    """Return a logistic regression over standardised vectors, its strength chosen by cross-validation."""
    pipeline = make_pipeline(StandardScaler(), LogisticRegression(max_iter=ITERATIONS))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    return GridSearchCV(pipeline, {"logisticregression__C": list(GRID)}, cv=folds)


def accuracies(encode: Encode, given: Labelled) -> dict[str, float]:
    """Train on clean texts; return the accuracy on clean ones and on ones with typos, in percent."""
    search = classifier()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        search.fit(_vectors(encode, given.train), given.train_labels)
    found = {
        way: 100 * float(search.score(_vectors(encode, texts), given.test_labels))
        for way, texts in (("clean", given.test), ("typos", given.with_typos().test))
    }
    return found | {"C": search.best_params_["logisticregression__C"]}


def classifier_scores(encode: Encode, sets: Iterable[Labelled]) -> dict[str, Any]:
    """Return the accuracy on each set, clean and with typos, and the strengths that were chosen.

    There is a mean only over all five sets: long texts may be left out for a slow encoder.
    """
    found = {given.name: accuracies(encode, given) for given in sets}
    ways = {way: {name: round(scores[way], 2) for name, scores in found.items()} for way in ("clean", "typos")}
    if len(found) == SETS:
        ways = {way: {"mean": round(mean(scores.values()), 2), **scores} for way, scores in ways.items()}
    return {**ways, "C": {name: scores["C"] for name, scores in found.items()}}


def classifiers_part(data: Path, only: Sequence[str] = ()) -> tuple[dict[str, Any], Callable[[Encode], dict[str, Any]]]:
    """Return what is judged on, and a function that scores an encoder on the test texts, of some sets if named."""
    return _part(list(labelled_sets(data)), only)


def development_classifiers_part(
    data: Path, only: Sequence[str] = ()
) -> tuple[dict[str, Any], Callable[[Encode], dict[str, Any]]]:
    """Return the same for a split of the texts to learn from, which leaves the test texts alone."""
    return _part([given.development() for given in labelled_sets(data)], only)


def _part(sets: list[Labelled], only: Sequence[str]) -> tuple[dict[str, Any], Callable[[Encode], dict[str, Any]]]:
    about = {
        "metric": "accuracy in percent of a logistic regression on standardised text vectors",
        "texts": {given.name: {"train": len(given.train), "test": len(given.test)} for given in sets},
        "folds": FOLDS,
        "strengths": list(GRID),
    }
    some = [given for given in sets if not only or given.name in only]
    return about, lambda encode: classifier_scores(encode, some)


def _vectors(encode: Encode, texts: Iterable[str]) -> FloatArray:
    found: FloatArray = np.asarray(encode(list(texts)), dtype=np.float32)
    return found
