"""The space: similarity, kinds of tokens, look-alikes, spelling among neighbours, analogies, clusters, sisters."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
from love_similarity import SETS

from bars.subject import Subject
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_model
from everyword.evaluation.task import Scores
from everyword.evaluation.tasks import analogy, clustering, kinds, look_alikes, neighbour_spelling, similarity, sisters

SEED = 0
ANALOGY_WORDS = 150_000
"""Answers are searched among this many of the most frequent words: more candidates, lower scores."""


def similarity_part(subject: Subject) -> dict[str, Any]:
    """Score Spearman × 100 on six sets, every pair counted, as a user gets the vectors and from form alone."""
    tasks = [similarity.SimilaritySet.load(subject.data / "similarity" / f"{name}.tsv") for name in SETS]
    models = {"encode": subject.encoded, "form": evaluated_model(subject.model, "infer")}
    found = {}
    for name, model in models.items():
        sets = {task.name: similarity.run(model, task, SEED).values["spearman"] for task in tasks}
        found[name] = {"mean": float(np.mean([score or 0.0 for score in sets.values()])), "sets": sets}
    return {"pairs": {task.name: len(task.pairs) for task in tasks}, **found}


def kinds_part(subject: Subject) -> dict[str, Any]:
    """Score hits among ten on the development half, by kind of token."""
    data = kinds.KindsSet.load(subject.data / "kinds" / "kinds_dev.tsv")
    if subject.notes:
        with (subject.notes / "kinds.tsv").open("w", encoding="utf-8", newline="") as file:
            notes = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, escapechar="\\")
            for one in kinds.readings(subject.encoded, data):
                said = subject.model.explain(one.token.text)
                notes.writerow(
                    (
                        one.token.kind,
                        one.token.text,
                        one.rank,
                        said,
                        " ".join(one.nearest),
                        " ".join(one.token.accepted),
                    )
                )
    return _kept(kinds.run(subject.encoded, data, SEED))


def look_alikes_part(subject: Subject) -> dict[str, Any]:
    """Score triples, and words that beat up to thirty look-alikes, on the development half."""
    names = {"triples": "lookalike_dev.tsv", "thirty": "lookalike_hard_dev.tsv"}
    sets = {name: look_alikes.LookAlikeSet.load(subject.data / "kinds" / file) for name, file in names.items()}
    return {name: _kept(look_alikes.run(subject.encoded, data, SEED)) for name, data in sets.items()}


def neighbour_spelling_part(subject: Subject) -> dict[str, Any]:
    """Measure how many of the ten nearest words share three letters, and are no relatives."""
    data = neighbour_spelling.BandSet.load(subject.data / "kinds" / "bands.tsv")
    return _kept(neighbour_spelling.run(subject.encoded, data, SEED))


def analogies_part(subject: Subject) -> dict[str, Any]:
    """Score 3CosAdd on Google's and Microsoft's analogies, among the most frequent stored words."""
    model = evaluated_model(subject.model, "encode", candidates=ANALOGY_WORDS)
    return {"candidates": len(model.candidates)} | {
        name: _three_cos_add(model, analogy.AnalogySet.load(subject.data / "analogy" / f"{name}.tsv"))
        for name in ("google", "msr")
    }


def _three_cos_add(model: EvaluatedModel, data: analogy.AnalogySet) -> dict[str, Any]:
    """Score as the task does, but by one rule only: the task has three, and takes three times as long."""
    rows = np.array([[_row(model, word) for word in question] for question in data.questions])
    words = list(dict.fromkeys(word for question in data.questions for word in question[:3]))
    index, units = {word: row for row, word in enumerate(words)}, model.units(words)
    asked = np.array([[index[word] for word in question[:3]] for question in data.questions])
    fair = np.flatnonzero((rows[:, 3] >= 0) & units.any(axis=1)[asked].all(axis=1))
    found = analogy.answers(analogy.three_cos_add, units, asked[fair], model.candidate_units, rows[fair, :3])
    right = np.zeros(len(rows), dtype=bool)
    right[fair] = found == rows[fair, 3]
    sections = np.array(data.sections)
    return {
        "3cosadd": 100 * float(right.mean()),
        "n": len(right),
        "known": int((rows >= 0).all(axis=1).sum()),
        "sections": {name: 100 * float(right[sections == name].mean()) for name in dict.fromkeys(data.sections)},
    }


def _row(model: EvaluatedModel, word: str) -> int:
    row = model.candidate(word)
    return -1 if row is None else row


def clusters_part(subject: Subject) -> dict[str, Any]:
    """Score the purity of clusters, and how often WordNet's sisters are nearer than nouns of other classes."""
    found: dict[str, Any] = {}
    for name in ("ap", "bless"):
        data = clustering.ClusteringSet.load(subject.data / "clustering" / f"{name}.tsv")
        scores = clustering.run(subject.encoded, data, SEED)
        found[name] = {"purity": scores.values["purity"], "spread": scores.spread["purity"], "n": scores.n}
    nouns = sisters.SisterSet.load(subject.data / "lexical" / "wordnet_attributes.tsv.gz")
    found["sisters"] = _kept(sisters.run(subject.encoded, nouns.among(set(subject.listed)), SEED))
    return found


def _kept(scores: Scores) -> dict[str, Any]:
    """Return scores as they are kept; items are numbers in the order of the file, and no words."""
    kept: dict[str, Any] = {**scores.values, "n": scores.n, "known": scores.known}
    for name, part in (("sections", scores.sections), ("items", scores.items)):
        kept |= {name: dict(part)} if part else {}
    return kept
