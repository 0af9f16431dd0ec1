"""Questions about the parts of a text: do its vectors follow a decisive word, and can they be rebuilt from words?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from everyword.arrays import FloatArray, IndexArray
from everyword.evaluation.probes.intervals import mean_interval
from everyword.evaluation.probes.logistic import LogisticRegression
from everyword.evaluation.probes.polarity import clean_pairs, polarity_sensitivity, read_rewrites, read_sentiments
from everyword.evaluation.probes.probe import CONTROL_LABELS, LENGTH, Probe, ProbeScore, ProbeSettings, Progress
from everyword.evaluation.probes.reconstruction import ReconstructionConfig, Rule, reconstruct
from everyword.evaluation.probes.representation import Representation
from everyword.evaluation.probes.sentiment_trees import read_sentiment_trees, weighted_node_switching
from everyword.evaluation.tasks.similarity import spearman
from everyword.sentences.tokens import tokens_of
from everyword.vectors.neighbours import unit_rows

STRENGTH = 0.1
QUICK_SHARE = 4
TREES = (600, 300)
"""How many trees words are fitted to, and how many are judged."""
STEPS = 60
RULES: tuple[Rule, ...] = ("sum", "weighted-sum", "tanh")
CONSTANT = "mean of all texts"


def run_polarity(
    asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress
) -> ProbeScore:
    """Train a linear classifier of sentiment on labelled texts, and ask it about pairs of opposites."""
    texts, labels = read_sentiments(paths[0])
    pairs = clean_pairs(read_rewrites(paths[1]), texts)
    if settings.quick:
        order = np.random.default_rng(settings.seed).permutation(len(texts))[: len(texts) // QUICK_SHARE]
        texts, labels, pairs = [texts[row] for row in order], labels[order], pairs[::QUICK_SHARE]
    every = [*texts, *(text for pair in pairs for text in pair[:2])]
    row_of = {text: row for row, text in enumerate(every)}
    features = asked.texts([tokens_of(text) for text in every])
    progress(1, 2)
    held = np.random.default_rng(settings.seed).permutation(len(texts))
    test, train = np.split(held, [len(held) // QUICK_SHARE])

    def sensitivity(rows: FloatArray, wanted: IndexArray) -> tuple[LogisticRegression, FloatArray]:
        fitted = LogisticRegression.fit(rows[train], wanted[train], STRENGTH)
        score = polarity_sensitivity(lambda some: fitted.predict(rows[[row_of[text] for text in some]]), pairs)
        return fitted, (100 * score.right).astype(np.float32)

    fitted, right = sensitivity(features, labels)
    both = right.min(axis=1)
    lengths = np.array([[len(tokens_of(text))] for text in every], dtype=np.float32)
    controls = {LENGTH: float(sensitivity(lengths, labels)[1].min(axis=1).mean())}
    if settings.control_labels:
        shuffled = np.random.default_rng(settings.seed).permutation(labels)
        controls[CONTROL_LABELS] = float(sensitivity(features, shuffled)[1].min(axis=1).mean())
    progress(2, 2)
    accuracy = 100 * float((fitted.predict(features[test]) == labels[test]).mean())
    return ProbeScore(
        value=float(both.mean()),
        metric="both right",
        n=len(pairs),
        interval=mean_interval(both),
        controls=controls,
        parts={"accuracy": accuracy, "sources": float(right[:, 0].mean()), "rewrites": float(right[:, 1].mean())},
        items={"score": (both / 100).tolist(), "word": [pair.rewrite for pair in pairs]},
    )


def run_reconstruction(
    asked: Representation, paths: Sequence[Path], settings: ProbeSettings, progress: Progress
) -> ProbeScore:
    """Fit vectors of words so that their composition gives texts, and judge by the cosine with other texts."""
    rng, share = np.random.default_rng(settings.seed), QUICK_SHARE if settings.quick else 1
    drawn = []
    for path, count in zip(paths, TREES, strict=True):
        trees = read_sentiment_trees(path)
        drawn.append([trees[row] for row in rng.permutation(len(trees))[: count // share]])
    fit, judge = drawn
    wanted, judged = (asked.texts([tree.tokens for tree in trees]) for trees in drawn)
    switches = np.array([weighted_node_switching(tree) for tree in judge])
    mean = unit_rows(unit_rows(wanted).mean(axis=0, keepdims=True))
    controls = {CONSTANT: 100 * float((unit_rows(judged) @ mean.T).mean())}
    cosines, parts = dict[str, FloatArray](), dict[str, float]()
    for place, rule in enumerate(RULES[:1] if settings.quick else RULES):
        fitted = reconstruct(fit, wanted, ReconstructionConfig(rule, steps=STEPS, rate=0.02, seed=settings.seed))
        cosines[rule] = 100 * (1 - fitted.apply(judge, judged))
        parts[f"{rule}, same texts"] = 100 * float(1 - fitted.errors.mean())
        parts[f"{rule}, other texts"] = float(cosines[rule].mean())
        parts[f"{rule}, correlation with switches"] = 100 * spearman(-cosines[rule], switches)
        progress(place + 1, len(RULES))
    best = cosines[RULES[0]]
    return ProbeScore(
        value=float(best.mean()),
        metric="cosine",
        n=len(judge),
        interval=mean_interval(best),
        controls=controls,
        parts=parts,
        items={"score": np.clip(best / 100, 0, 1).tolist(), "word": [tree.text for tree in judge]},
    )


POLARITY = Probe(
    name="polarity",
    version=1,
    summary="Does the vector of a text follow the word that turns its sentiment?",
    needs=("rewrite/yelp_dev.tsv.gz", "rewrite/yelp_sentiment.tsv"),
    run=run_polarity,
)
RECONSTRUCTION = Probe(
    name="tree-reconstruction",
    version=1,
    summary="Can the vector of a text be rebuilt from vectors of its words?",
    needs=("trees/sst/train.txt.gz", "trees/sst/dev.txt.gz"),
    run=run_reconstruction,
)
