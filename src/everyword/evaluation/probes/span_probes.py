"""Questions about spans: constituents, types of names, coreference and semantic roles, from pooled vectors of words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from everyword.arrays import BoolArray
from everyword.evaluation.probes import mentions, roles, span_data
from everyword.evaluation.probes.intervals import ratio_interval
from everyword.evaluation.probes.probe import CONTROL_LABELS, MAJORITY, Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.probes.span_data import SPLITS, SpanSet
from everyword.evaluation.probes.token_vectors import TokenVectors
from everyword.extras import require

POOLING = "max"
"""The pooling that is never far behind, over all sets (Toshniwal et al., 2020)."""
MOST = {"train": 4000, "dev": 600, "test": 2000}
QUICK_MOST = {"train": 800, "dev": 200, "test": 500}
CROSSNER = ("ai", "literature", "music", "politics", "science")
NAMES = {
    # The larger part trains, and the smaller one chooses the epoch.
    split: tuple(f"ner/crossner_{domain}/{part}.conll.gz" for domain in CROSSNER)
    for split, part in zip(SPLITS, ("dev", "train", "test"), strict=True)
}
ROLES = tuple(f"srl/propbank_ewt/{split}.jsonl.gz" for split in SPLITS)


def run(
    read: Callable[[Sequence[Path]], SpanSet],
    asked: Representation,
    paths: Sequence[Path],
    settings: ProbeSettings,
    progress: Progress,
) -> ProbeScore:
    """Train a probe on the pooled vectors of labelled spans, and score it on test by micro-averaged F1."""
    require("torch", "Training a probe")
    from everyword.evaluation.probes.spans import ProbeTraining, SpanProbeConfig, micro_f1

    data = read(paths).limited(QUICK_MOST if settings.quick else MOST)
    vectors = scaled(asked.tokens(data.texts))
    epochs = 3 if settings.quick else 6
    config = SpanProbeConfig(pooling=POOLING, epochs=epochs, learning_rate=1e-3, seed=settings.seed)
    progress(1, 3)
    training = ProbeTraining(data, vectors, config)
    scores = training.train()
    progress(2, 3)
    test = data.examples["test"]
    predicted, gold = training.predict(test), training.gold(test)
    controls = {MAJORITY: micro_f1(_majority(data, gold), gold)}
    if settings.control_labels:
        drawn = data.with_control_labels(settings.seed)
        controls[CONTROL_LABELS] = ProbeTraining(drawn, vectors, config).train().f1
    progress(3, 3)
    items = training.items(asked.name)
    right, whole = 2 * (predicted & gold).sum(axis=1), predicted.sum(axis=1) + gold.sum(axis=1)
    return ProbeScore(
        value=scores.f1,
        metric="F1",
        n=len(test),
        interval=ratio_interval(100 * right, whole, np.array(items.groups)),
        controls=controls,
        details={label: {"recall": recall, "n": scores.counts[label]} for label, recall in scores.recalls.items()},
        items=items.columns(),
    )


def scaled(found: TokenVectors) -> TokenVectors:
    """Return vectors with coordinates of about the size that layers of a network expect; zeros stay zero."""
    known = found.vectors[found.vectors.any(axis=2)]
    spread = float(known.std()) if len(known) else 0.0
    return TokenVectors(found.vectors / np.float32(spread or 1.0), found.starts)


def _majority(data: SpanSet, gold: BoolArray) -> BoolArray:
    """Return the most frequent labels of train for every example."""
    usual = Counter(example.labels for example in data.examples["train"]).most_common(1)[0][0]
    return np.broadcast_to(np.array([label in usual for label in data.labels]), gold.shape)


def _names(paths: Sequence[Path]) -> SpanSet:
    count = len(CROSSNER)
    return span_data.entities({split: paths[n * count : (n + 1) * count] for n, split in enumerate(SPLITS)})


def _probe(
    name: str, summary: str, needs: tuple[str, ...], read: Callable[[Sequence[Path]], SpanSet], version: int = 1
) -> Probe:
    return Probe(name=name, version=version, summary=summary, needs=needs, run=partial(run, read))


CONSTITUENTS = _probe(
    "span-constituents",
    "Is a span of words a constituent, or a random span of the same length?",
    ("trees/ptb_sample.tsv.gz",),
    lambda paths: span_data.constituents(paths[0]),
    version=2,
)
ENTITIES = _probe(
    "span-entities", "Of which type is a name?", tuple(file for split in SPLITS for file in NAMES[split]), _names
)
COREFERENCE = _probe(
    "span-coreference",
    "Do two mentions mean the same person or thing?",
    ("coref/litbank.jsonl.gz",),
    lambda paths: mentions.coreference(paths[0]),
)
SEMANTIC_ROLES = _probe(
    "span-roles",
    "Which role does an argument play for its predicate?",
    ROLES,
    lambda paths: roles.roles(dict(zip(SPLITS, paths, strict=True))),
)
