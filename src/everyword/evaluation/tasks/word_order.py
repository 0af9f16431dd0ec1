"""Word order: does a second text follow from a first one with nearly the same words?

HANS (McCoy, Pavlick and Linzen, ACL 2019) and Comparisons (Dasgupta and others, 2018) are made so that the words of
two texts say nothing about whether one implies the other. `score_labels` scores what a system of inference predicts,
group by group; of a model of words, the closeness of the means of word vectors is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.arrays import BoolArray, FloatArray
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.confidence import roc_area
from everyword.evaluation.tasks.knn import text_means
from everyword.files import read_lines
from everyword.sentences.tokens import tokens_of
from everyword.vectors.neighbours import unit_rows

ENTAILMENT, OTHERS = "entailment", ("non-entailment", "neutral", "contradiction")
COLUMNS = ("label", "premise", "hypothesis")
MEAN, CLOSER = "mean", "closer"
NAMES = {"lexical_overlap": "overlap", "ml": "more-less"}
"""Names of groups that other files have shorter or longer."""


@dataclass(frozen=True)
class ChallengeSet:
    """Pairs of texts, whether the second follows from the first, and the group and case that each belongs to."""

    name: str
    premises: Sequence[str]
    hypotheses: Sequence[str]
    entailed: BoolArray
    groups: Sequence[str]
    """The heuristic that fails, or the kind of comparison."""
    cases: Sequence[str]
    """Of HANS, the construction; elsewhere the group."""
    noisy: bool = False

    @classmethod
    def load(cls, path: Path) -> ChallengeSet:
        """Read tab-separated label, premise, hypothesis, then heuristic and subcase, or category."""
        header, *lines = read_lines(path, "set of inferences")
        columns = tuple(header.split("\t"))
        if columns[:3] != COLUMNS or columns[3:4] not in (("heuristic",), ("category",)):
            raise InputError(
                f"{path}:1: must name the columns {', '.join(COLUMNS)}, and heuristic and subcase, or category. "
                f"Got {header[:60]!r}."
            )
        rows = []
        for number, line in enumerate(lines, start=2):
            cells = line.split("\t")
            if len(cells) != len(columns) or not all(cells) or cells[0] not in (ENTAILMENT, *OTHERS):
                raise InputError(f"{path}:{number}: needs {', '.join(columns)} between tabs. Got {line[:60]!r}.")
            group = NAMES.get(cells[3], cells[3])
            rows.append((cells[1], cells[2], group, cells[4] if columns[4:5] == ("subcase",) else group))
        entailed = np.array([line.split("\t", 1)[0] == ENTAILMENT for line in lines])
        if entailed.all() or not entailed.any():
            raise InputError(f"{path} needs pairs that follow and pairs that do not.")
        premises, hypotheses, groups, cases = zip(*rows, strict=True)
        return cls(path.name.partition(".")[0], premises, hypotheses, entailed, groups, cases)

    def thinned(self, count: int) -> ChallengeSet:
        """Return about this many pairs, evenly spread over the set, whose order is that of groups and cases."""
        rows = range(0, len(self.groups), max(1, len(self.groups) // count))
        parts = (self.premises, self.hypotheses, self.groups, self.cases)
        premises, hypotheses, groups, cases = ([part[row] for row in rows] for part in parts)
        return ChallengeSet(self.name, premises, hypotheses, self.entailed[list(rows)], groups, cases, self.noisy)


def score_labels(predicted: Sequence[str], data: ChallengeSet) -> dict[str, float]:
    """Return the accuracy, in percent, by group and label, such as "overlap non-entailment", and the mean of them.

    Args:
        predicted: A label for each pair; neutral and contradiction are both non-entailment.
        data: The pairs.
    """
    if len(predicted) != len(data.groups) or (unknown := set(predicted) - {ENTAILMENT, *OTHERS}):
        wrong = f"the label {min(unknown)!r}" if len(predicted) == len(data.groups) else f"{len(predicted)} labels"
        raise InputError(f"{len(data.groups)} pairs need one of {', '.join((ENTAILMENT, *OTHERS))} each. Got {wrong}.")
    right = np.array([label == ENTAILMENT for label in predicted]) == data.entailed
    found: dict[str, float] = {}
    groups = np.array(data.groups)
    for entailed, label in ((True, ENTAILMENT), (False, OTHERS[0])):
        for group in dict.fromkeys(data.groups):
            of_both = (groups == group) & (data.entailed == entailed)
            if of_both.any():
                found[f"{group} {label}"] = 100 * float(right[of_both].mean())
    return {**found, MEAN: float(np.mean(list(found.values())))}


def score_cases(predicted: Sequence[str], data: ChallengeSet) -> dict[str, float]:
    """Return the accuracy, in percent, of each construction."""
    right = np.array([label == ENTAILMENT for label in predicted]) == data.entailed
    cases = np.array(data.cases)
    return {case: 100 * float(right[cases == case].mean()) for case in dict.fromkeys(data.cases)}


def score_closeness(closeness: npt.NDArray[np.float64], data: ChallengeSet) -> dict[str, float | None]:
    """Return, by group, the chance, in percent, that a pair that follows is closer than one that does not.

    Who cannot tell them apart has 50.
    """
    groups = np.array(data.groups)
    found = {
        group: roc_area(closeness[groups == group], data.entailed[groups == group])
        for group in dict.fromkeys(data.groups)
    }
    values = [value for value in found.values() if value is not None]
    return {CLOSER: float(np.mean(values)) if values else None, **found}


def closeness_of(encode: Callable[[Sequence[str]], FloatArray], data: ChallengeSet) -> npt.NDArray[np.float64]:
    """Return the cosine of the means of the word vectors of each pair of texts."""
    texts = [tokens_of(text) for text in (*data.premises, *data.hypotheses)]
    units = unit_rows(text_means(encode, texts)).astype(np.float64)
    count = len(data.premises)
    # Rounded: the same words in another order are as close, whatever the last digits say.
    found: npt.NDArray[np.float64] = np.round(np.einsum("ij,ij->i", units[:count], units[count:]), 5)
    return found


def run(model: EvaluatedModel, data: ChallengeSet, seed: int) -> Scores:
    """Score the closeness of two texts."""
    closeness = closeness_of(model.encode, data)
    if not (data.noisy or closeness.any()):
        raise NoOverlapError(f"No word of {data.name} is in {model.name}; is it of another language?")
    pairs = zip(data.premises, data.hypotheses, strict=True)
    known = sum(all(map(model.known, tokens_of(one) + tokens_of(other))) for one, other in pairs)
    return Scores(score_closeness(closeness, data), len(data.groups), known)


def misspelt(data: ChallengeSet, misspell: Misspell) -> ChallengeSet:
    """Return the same pairs in other spellings."""
    premises, hypotheses = (
        [" ".join(map(misspell, text.split())) for text in texts] for texts in (data.premises, data.hypotheses)
    )
    return replace(data, premises=premises, hypotheses=hypotheses, noisy=True)


TASK = Task(
    name="word-order",
    version=1,
    kind="inference",
    summary="Are texts closer if one follows from the other, where all have the same words? 50 is chance.",
    main=CLOSER,
    load=ChallengeSet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
