"""Analogies and relations.

Analogies: a is to b as c is to what? The answer is searched among all candidates except a, b and c. There are two
rules, and a baseline that ignores a and b: a score means as much as it exceeds the baseline. All three need only the
cosines of the question words with the candidates. The same few words make up thousands of questions, so the cosines are
computed once per word, block by block, and the rules combine rows of them.

Relations: the questions of SemEval-2012 task 2, as a closed choice. The data lists the pairs of each relation as rows
a:b::c:d without their graded ratings, and several words may answer a question equally well. So the answer is chosen
among the words that are a `d` anywhere in the set, which are the same few thousand for every model, and any `d` that
the section lists for that `c` is correct. The accuracy has two baselines: the word nearest to `c`, and chance. Only
what exceeds both is knowledge of relations. A second score is about the relation alone: is the offset b - a nearer to
the offsets of its own section's pairs than to those of others?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from everyword.arrays import BoolArray, FloatArray, IndexArray
from everyword.corpus.rows import read_rows
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.similarity import average_ranks
from everyword.evaluation.tasks.tuple_analogy import Score, tuple_rules
from everyword.files import read_lines
from everyword.vectors.neighbours import unit_rows

CANDIDATES_AT_ONCE = 4096
QUESTIONS_AT_ONCE = 64
EPSILON = 0.001
SECTION = ":"
SYNTACTIC = "gram"
"""How the sections of grammar begin in Google's set; all others are about meaning."""
NOT_A_CANDIDATE = -1

Rule = Callable[[FloatArray], Score]
"""Cosines of words (rows) with candidates (columns) → a function that scores questions made of those words."""


@dataclass(frozen=True)
class AnalogySet:
    """Questions of four words, in sections."""

    name: str
    sections: Sequence[str]
    questions: Sequence[tuple[str, str, str, str]]
    meant: Sequence[tuple[str, str, str]] | None = None
    """The correct spellings of a, b and c where they are misspelt. They are not answers either."""

    @property
    def barred(self) -> list[tuple[str, ...]]:
        """The words that are excluded as answers to each question."""
        asked = [question[:3] for question in self.questions]
        return [*asked] if self.meant is None else [one + other for one, other in zip(asked, self.meant, strict=True)]

    @classmethod
    def load(cls, path: Path) -> AnalogySet:
        """Read tab-separated section, a, b, c, d with a header, or word2vec's format: ": section", then "a b c d"."""
        lines = read_lines(path, "analogy set")
        word2vec = lines[0].startswith(SECTION)
        rows = list(_word2vec_rows(path, lines) if word2vec else _tab_separated_rows(path))
        if not rows:
            raise InputError(f"{path} holds no questions; a line needs section, a, b, c and d.")
        return cls(path.stem, [row[0] for row in rows], [(row[1], row[2], row[3], row[4]) for row in rows])


def _tab_separated_rows(path: Path) -> Iterable[list[str]]:
    return (cells for _, cells in read_rows(path, "analogy set", ("section", "a", "b", "c", "d")))


def _word2vec_rows(path: Path, lines: list[str]) -> Iterable[list[str]]:
    section = ""
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if line.startswith(SECTION):
            section = line[1:].strip()
        elif len(words) == 4:
            yield [section, *words]
        else:
            raise InputError(f"{path}:{number}: needs four words, or a colon and a section. Got {line[:60]!r}.")


def three_cos_add(cosines: FloatArray) -> Score:
    """3CosAdd: cos(x, b) - cos(x, a) + cos(x, c)."""

    def score(a: IndexArray, b: IndexArray, c: IndexArray) -> FloatArray:
        scores = cosines[b]
        scores -= cosines[a]
        scores += cosines[c]
        return scores

    return score


def three_cos_mul(cosines: FloatArray) -> Score:
    """3CosMul: s(x, b) s(x, c) / (s(x, a) + 0.001), s being the cosine scaled to 0 to 1 (Levy and Goldberg 2014)."""
    moved = (cosines + np.float32(1)) / np.float32(2)
    divided = np.float32(1) / (moved + np.float32(EPSILON))

    def score(a: IndexArray, b: IndexArray, c: IndexArray) -> FloatArray:
        scores = moved[b]
        scores *= moved[c]
        scores *= divided[a]
        return scores

    return score


def only_c(cosines: FloatArray) -> Score:
    """cos(x, c): the baseline that ignores the first half of the question."""
    return lambda a, b, c: cosines[c]


RULES: dict[str, Rule] = {"3cosadd": three_cos_add, "3cosmul": three_cos_mul, "only_c": only_c}


def answers(
    rule: Rule, words: FloatArray, questions: IndexArray, candidates: FloatArray, barred: IndexArray
) -> IndexArray:
    """Return the best candidate for each question, the first of equal ones.

    `words` and `candidates` are unit vectors; `questions` holds the rows of a, b and c in `words` (n, 3), and `barred`
    the rows of `candidates` that are excluded as answers (n, m), or -1.
    """
    return best_candidates(by_blocks(rule, words, candidates), questions, len(candidates), barred)


def best_candidates(
    rule: Callable[[slice], Score], questions: IndexArray, candidates: int, barred: IndexArray
) -> IndexArray:
    """Return the best candidate for each question; a rule gives the scores of one block of candidates at a time."""
    best = np.full(len(questions), -np.inf)
    found = np.full(len(questions), NOT_A_CANDIDATE, dtype=np.int64)
    for start in range(0, candidates, CANDIDATES_AT_ONCE):
        block = slice(start, min(start + CANDIDATES_AT_ONCE, candidates))
        score = rule(block)
        for first in range(0, len(questions), QUESTIONS_AT_ONCE):
            part = slice(first, first + QUESTIONS_AT_ONCE)
            scores = score(*questions[part].T)
            question, column = np.nonzero((barred[part] >= start) & (barred[part] < block.stop))
            scores[question, barred[part][question, column] - start] = -np.inf
            winner = scores.argmax(axis=1)
            value = scores[np.arange(len(winner)), winner]
            better = value > best[part]
            best[part] = np.where(better, value, best[part])
            found[part] = np.where(better, winner + start, found[part])
    return found


def by_blocks(rule: Rule, words: FloatArray, candidates: FloatArray) -> Callable[[slice], Score]:
    """Return a rule about cosines for one block of candidates at a time."""
    return lambda part: rule(words @ candidates[part].T)


def run_analogy(model: EvaluatedModel, data: AnalogySet, seed: int) -> Scores:
    """Score each rule over all questions, over those whose words are all candidates, and for each section.

    Where some sections are about grammar and others about meaning, both have scores of their own.
    """
    right, answerable = right_answers(model, data)
    values = {name: _percent(hits) for name, hits in right.items()}
    values |= {f"{name}_known": _percent(hits[answerable]) for name, hits in right.items()}
    syntactic = np.array([section.startswith(SYNTACTIC) for section in data.sections])
    if syntactic.any() and not syntactic.all():
        values |= {f"{name}_syntactic": _percent(hits[syntactic]) for name, hits in right.items()}
        values |= {f"{name}_semantic": _percent(hits[~syntactic]) for name, hits in right.items()}
    items = {"right": next(iter(right.values())).astype(int).tolist()}
    return Scores(
        values,
        len(answerable),
        int(answerable.sum()),
        sections=_by_section(data, right, answerable),
        items_if_asked=items,
    )


def right_answers(model: EvaluatedModel, data: AnalogySet) -> tuple[dict[str, BoolArray], BoolArray]:
    """Return which questions each rule answers correctly, and which have all their words among the candidates."""
    rows = np.array([[_row(model, word) for word in question] for question in data.questions])
    answerable = (rows != NOT_A_CANDIDATE).all(axis=1)
    if data.meant is None and not answerable.any():
        raise NoOverlapError(
            f"No question of {data.name} has all its words among the {len(model.candidates):,} candidates of "
            f"{model.name}; is it of another language, or are there too few candidates?"
        )
    asked = {word: row for row, word in enumerate(dict.fromkeys(w for q in data.questions for w in q[:3]))}
    units = model.units(list(asked))
    if model.scorer is None:
        rules = {name: by_blocks(rule, units, model.candidate_units) for name, rule in RULES.items()}
    else:
        rules = tuple_rules(model, list(asked))
    # Without a vector for a, b and c there is nothing to ask, and without d among the candidates nothing to find.
    question_rows = np.array([[asked[word] for word in question[:3]] for question in data.questions])
    fair = np.flatnonzero((rows[:, 3] != NOT_A_CANDIDATE) & (units != 0).any(axis=1)[question_rows].all(axis=1))
    barred = np.array([[_row(model, word) for word in words] for words in data.barred])
    right = {}
    for name, rule in rules.items():
        right[name] = np.zeros(len(rows), dtype=bool)
        found = best_candidates(rule, question_rows[fair], len(model.candidates), barred[fair])
        right[name][fair] = found == rows[fair, 3]
    return right, answerable


def _row(model: EvaluatedModel, word: str) -> int:
    row = model.candidate(word)
    return NOT_A_CANDIDATE if row is None else row


def _percent(hits: BoolArray) -> float | None:
    return 100 * float(hits.mean()) if len(hits) else None


def _by_section(data: AnalogySet, right: dict[str, BoolArray], answerable: BoolArray) -> dict[str, dict[str, float]]:
    names = np.array(data.sections)
    return {
        section: {
            "n": int((names == section).sum()),
            "known": int(answerable[names == section].sum()),
            **{rule: 100 * float(hits[names == section].mean()) for rule, hits in right.items()},
        }
        for section in dict.fromkeys(data.sections)
    }


def misspelt(data: AnalogySet, misspell: Misspell) -> AnalogySet:
    """Return the same questions with a, b and c in other spellings; d stays clean."""
    questions = [(misspell(a), misspell(b), misspell(c), d) for a, b, c, d in data.questions]
    return replace(data, questions=questions, meant=[question[:3] for question in data.questions])


ANALOGY = Task(
    name="analogy",
    version=1,
    kind="analogy",
    summary="a is to b as c is to what, among all known words? Accuracy of 3CosAdd and 3CosMul.",
    main="3cosadd",
    load=AnalogySet.load,
    run=run_analogy,
    corrupt=word_by_word(misspelt),
    takes_scorers=True,
)


def run_relation(model: EvaluatedModel, data: AnalogySet, seed: int) -> Scores:
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
    items = {"right": right["accuracy"].astype(int).tolist()}
    return Scores(values, len(known), int(known.sum()), items_if_asked=items)


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


RELATION = Task(
    name="relation",
    version=1,
    kind="relation",
    summary="Which word completes a relation, among those that complete any? Accuracy.",
    main="accuracy",
    load=AnalogySet.load,
    run=run_relation,
    corrupt=word_by_word(misspelt),
)
