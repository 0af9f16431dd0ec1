"""Questions about trees: can the constituents above a word be read from its vector?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from everyword.evaluation.probes.constituents import Classify, probe_words, read_ancestors
from everyword.evaluation.probes.intervals import mean_interval
from everyword.evaluation.probes.probe import CONTROL_LABELS, MAJORITY, Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.representation import Representation
from everyword.extras import require

WORD_ALONE = "word alone"
"""The control that says the label a word has most often in training."""
QUICK_TEXTS = {"train": 400, "dev": 100, "test": 200}


def run(
    level: str, asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress
) -> ProbeScore:
    """Train a network with one hidden layer on the labels of a level, and score it on test."""
    classify = _classifier(settings)
    data = read_ancestors(paths[0], level)
    data = data.first_texts(QUICK_TEXTS) if settings.quick else data
    vectors = asked.tokens(data.texts).vectors[:, 0]
    progress(1, 3)
    found = probe_words(data, vectors, classify, asked.name)
    progress(2, 3)
    controls = {WORD_ALONE: found.baseline, MAJORITY: found.majority}
    if settings.control_labels:
        drawn = data.with_control_labels(settings.seed)
        controls[CONTROL_LABELS] = probe_words(drawn, vectors, classify).accuracy
    progress(3, 3)
    right, items = 100 * found.items.scores, found.items
    gold = np.array(items.gold)
    seen = np.isin(np.array(items.words), np.array(data.words("train")))
    parts = {"words seen in training": right[seen], "new words": right[~seen]}
    return ProbeScore(
        value=found.accuracy,
        metric="accuracy",
        n=found.n,
        interval=mean_interval(right, np.array(items.groups)),
        controls=controls,
        parts={name: float(some.mean()) for name, some in parts.items() if len(some)},
        details={label: {"f1": f1, "n": int((gold == label).sum())} for label, f1 in found.by_label.items()},
        items=items.columns(),
    )


def _classifier(settings: ProbeSettings) -> Classify:
    require("torch", "Training a probe")
    from everyword.evaluation.probes.mlp import MlpConfig, MlpProbe

    epochs = 5 if settings.quick else 12
    return MlpProbe(
        MlpConfig(hidden=200, batch=512, learning_rate=2e-3, epochs=epochs, patience=3, restarts=1, seed=settings.seed)
    )


def _probe(level: str, summary: str) -> Probe:
    return Probe(
        name=f"tree-{level}", version=2, summary=summary, needs=("trees/ptb_sample.tsv.gz",), run=partial(run, level)
    )


PARENT = _probe("parent", "Can the phrase that a word is in be read from its vector?")
GRANDPARENT = _probe("grandparent", "Can the phrase around that phrase be read from it?")
GREAT_GRANDPARENT = _probe("great-grandparent", "Can the phrase two further up be read from it?")
