"""Scores of a study of trees as files, and what it finds beside its table: tests, easy and hard sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from everyword.atomic import write_atomic
from everyword.evaluation.compare import LEAST_WORDS, ItemResults
from everyword.evaluation.probes.constituents import LEVELS, WordScores, score_words
from everyword.evaluation.probes.labelled_words import LabelledWords
from everyword.evaluation.significance import analysis_of_variance, holm, one_sample_t
from everyword.files import read_kept

COUNT = 50
NEGATIONS = frozenset({"not", "n't", "no", "never"})


def keep_scores(path: Path, scores: WordScores) -> WordScores:
    """Save the scores of a row and level, and return them."""
    record = {
        "accuracies": list(scores.accuracies),
        "unseen": scores.unseen,
        "right": [round(float(one), 4) for one in scores.items.scores],
        "predicted": scores.items.predicted,
        "by_label": scores.by_label,
    }
    write_atomic(path, json.dumps(record, ensure_ascii=False) + "\n")
    return scores


def kept_scores(path: Path, data: LabelledWords, name: str) -> WordScores:
    """Return scores that were saved."""
    record = read_kept(path)
    scores = score_words(data, [list(map(str, record["predicted"]))], name)
    return replace(
        scores,
        accuracies=tuple(record["accuracies"]),
        unseen=record["unseen"],
        by_label=record["by_label"],
        items=replace(scores.items, scores=np.array(record["right"])),
    )


def details_of(scores: Mapping[str, Mapping[tuple[str, bool], WordScores]], reference: str) -> dict[str, Any]:
    """Return tests of the restarts against the word alone and between rows, and the easiest and hardest sentences.

    Args:
        scores: Of each row, by level and whether labels are drawn by chance.
        reference: The row whose sentences are looked at.
    """
    details: dict[str, Any] = {"against the word alone": {}, "between representations": {}}
    for level in LEVELS:
        rows = {label: row[level, False] for label, row in scores.items() if (level, False) in row}
        several = {label: row for label, row in rows.items() if len(row.accuracies) > 1}
        if not several:
            continue
        found = [one_sample_t(row.accuracies, row.baseline) for row in several.values()]
        details["against the word alone"][level] = {
            label: {"difference": round(row.accuracy - row.baseline, 2), "p": round(p, 5)}
            for (label, row), p in zip(several.items(), holm(found), strict=True)
        }
        if len(several) > 1:
            f, p = analysis_of_variance([row.accuracies for row in several.values()])
            details["between representations"][level] = {"F": round(f, 1), "p": round(p, 6)}
    looked_at = scores.get(reference, {}).get((LEVELS[-1], False))
    if looked_at is not None:
        details["extremes"] = extremes(looked_at.items)
    return details


def extremes(items: ItemResults, count: int = COUNT) -> dict[str, dict[str, Any]]:
    """Return features of the sentences with the highest and lowest scores: length, questions, infinitives, negation.

    Args:
        items: The words of sentences, with scores.
        count: How many sentences are looked at on either side; fewer if there are not twice as many.
    """
    sentences: dict[int, tuple[list[str], list[float]]] = {}
    for word, group, score in zip(items.words or (), items.groups or (), items.scores, strict=True):
        words, scores = sentences.setdefault(group, ([], []))
        words.append(word)
        scores.append(float(score))
    long = [one for one in sentences.values() if len(one[0]) >= LEAST_WORDS]
    ranked = sorted(long, key=lambda one: -fmean(one[1]))
    count = min(count, len(ranked) // 2)
    if not count:
        return {}
    return {"easiest": _features(ranked[:count]), "hardest": _features(ranked[-count:])}


def _features(sentences: Sequence[tuple[Sequence[str], Sequence[float]]]) -> dict[str, Any]:
    lower = [[word.lower() for word in words] for words, _ in sentences]
    return {
        "sentences": len(sentences),
        "accuracy": round(100 * fmean(fmean(scores) for _, scores in sentences), 1),
        "length": round(fmean(len(words) for words, _ in sentences), 1),
        "questions": sum("?" in words for words in lower),
        "with to": sum("to" in words for words in lower),
        "with negation": sum(not NEGATIONS.isdisjoint(words) for words in lower),
        "with quotation marks": sum("``" in words or "''" in words for words in lower),
    }
