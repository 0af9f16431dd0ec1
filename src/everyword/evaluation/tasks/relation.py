"""Relational similarity: the questions of SemEval-2012 task 2, as a closed choice.

The data lists the pairs of each relation as rows a:b::c:d without their graded ratings, and several words may answer a
question equally well. So the answer is chosen among the words that are a `d` anywhere in the set, which are the same
few thousand for every model, and any `d` that the section lists for that `c` is correct. The accuracy has two
baselines: the word nearest to `c`, and chance. Only what exceeds both is knowledge of relations. A second score is
about the relation alone: is the offset b - a nearer to the offsets of its own section's pairs than to those of others?
"""

from __future__ import annotations

import numpy as np

from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.analogy import (
    NOT_A_CANDIDATE,
    AnalogySet,
    answers,
    misspelt,
    only_c,
    three_cos_add,
)
from everyword.evaluation.tasks.similarity import average_ranks
from everyword.vectors.neighbours import unit_rows


def run(model: EvaluatedModel, data: AnalogySet, seed: int) -> Scores:
    """Score the accuracy over all questions, over those with four known words, and of the two baselines."""
    known = np.array([all(map(model.known, question)) for question in data.questions])
    if model.policy == "zero" and data.meant is None and not known.any():
        raise NoOverlapError(
            f"No question of {data.name} has all its words in {model.name}; is it of another language?"
        )
    choices = list(dict.fromkeys(question[3] for question in data.questions))
    choice_rows = {word: row for row, word in enumerate(choices)}
    asked = {word: row for row, word in enumerate(dict.fromkeys(w for q in data.questions for w in q[:3]))}
    question_rows = np.array([[asked[word] for word in question[:3]] for question in data.questions])
    barred = np.array([[choice_rows.get(word, NOT_A_CANDIDATE) for word in words] for words in data.barred])
    units, choice_units = model.units(list(asked)), model.units(choices)
    accepted = _accepted(data)
    right = {}
    for name, rule in {"accuracy": three_cos_add, "only_c": only_c}.items():
        found = answers(rule, units, question_rows, choice_units, barred)
        right[name] = (
            np.array([choices[row] in accepted[key] for row, key in zip(found, _keys(data), strict=True)])
            & (choice_units != 0).any(axis=1)[found]
        )  # a zero vector that wins is not an answer
    values: dict[str, float | None] = {name: 100 * float(hits.mean()) for name, hits in right.items()}
    values["accuracy_known"] = 100 * float(right["accuracy"][known].mean()) if known.any() else None
    values["chance"] = 100 * float(np.mean([len(accepted[key]) / len(choices) for key in _keys(data)]))
    values["offset_auc"] = 100 * offset_auc(data, model)
    return Scores(values, len(known), int(known.sum()))


def offset_auc(data: AnalogySet, model: EvaluatedModel) -> float:
    """Return how often a pair of the same section has an offset nearer to b - a than one of another; chance is 0.5."""
    rows = list(zip(data.sections, data.questions, strict=True))
    examples = list(dict.fromkeys((section, question[:2]) for section, question in rows))
    pairs = list(dict.fromkeys((section, question[2:]) for section, question in rows))
    left, right = (
        unit_rows(model.units([pair[1] for _, pair in some]) - model.units([pair[0] for _, pair in some]))
        for some in (examples, pairs)
    )
    homes = np.array([section for section, _ in pairs])
    shares = []
    for (section, example), cosines in zip(examples, left @ right.T, strict=True):
        other = np.array([pair != example for _, pair in pairs])
        same = (homes == section)[other]
        if same.any() and not same.all():
            ranks = average_ranks(cosines[other])
            least = (same.sum() + 1) / 2
            shares.append((ranks[same].mean() - least) / (~same).sum())
    return float(np.mean(shares)) if shares else 0.5


def _keys(data: AnalogySet) -> list[tuple[str, str]]:
    return [(section, question[2]) for section, question in zip(data.sections, data.questions, strict=True)]


def _accepted(data: AnalogySet) -> dict[tuple[str, str], set[str]]:
    accepted: dict[tuple[str, str], set[str]] = {}
    for key, question in zip(_keys(data), data.questions, strict=True):
        accepted.setdefault(key, set()).add(question[3])
    return accepted


TASK = Task(
    name="relation",
    version=1,
    kind="relation",
    summary="Which word completes a relation, among those that complete any? Accuracy.",
    main="accuracy",
    load=AnalogySet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
