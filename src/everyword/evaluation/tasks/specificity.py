"""Specificity: are texts that people call specific those with long vectors?

Of a model of words a text is the sum of its vectors, and the norm of the sum is how specific it is taken to be. Longer
texts are more specific, so the length alone is always scored beside it. Other measures of texts are scored by
`score_measure` and `score_direction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path

import numpy as np
import numpy.typing as npt

from everyword.arrays import BoolArray, IndexArray
from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness.noise import Misspell, word_by_word
from everyword.evaluation.task import NoOverlapError, Scores, Task
from everyword.evaluation.tasks.similarity import spearman
from everyword.files import read_lines
from everyword.sentences.tokens import tokens_of

Measured = npt.NDArray[np.float64]
"""How specific each text is, by some measure: the higher, the more specific."""
RATED, LABELLED = ("score", "binary", "text"), ("part", "label", "text")
SPECIFIC, GENERAL, TRAIN = "specific", "general", "train"


@dataclass(frozen=True)
class SpecificitySet:
    """Texts that people have rated, or called specific or general."""

    name: str
    texts: Sequence[str]
    ratings: Measured
    """Ratings, or 1 for specific and 0 for general."""
    train: BoolArray | None = None
    """Of labelled texts: those by which the threshold is chosen; the others are scored."""
    noisy: bool = False
    """Whether words are misspelt on purpose, so that they may all be unknown."""

    @classmethod
    def load(cls, path: Path) -> SpecificitySet:
        """Read tab-separated score, binary and text; or part, label (specific or general) and text."""
        header, *lines = read_lines(path, "specificity set")
        columns = tuple(header.split("\t")[:3])
        if columns not in (RATED, LABELLED):
            raise InputError(
                f"{path}:1: the first line must name the columns {', '.join(RATED)} or {', '.join(LABELLED)}, with "
                f"tabs between them. Got {header[:60]!r}."
            )
        labelled = columns == LABELLED
        texts, ratings, train = [], [], []
        for number, line in enumerate(lines, start=2):
            first, second, text = [*line.split("\t", 2), "", ""][:3]
            rating = _label(second) if labelled else _number(first)
            if rating is None or not text.strip():
                raise InputError(f"{path}:{number}: needs {', '.join(columns)} between tabs. Got {line[:60]!r}.")
            texts.append(text)
            ratings.append(rating)
            train.append(first == TRAIN)
        if len(set(ratings)) < 2 or (labelled and not 0 < sum(train) < len(train)):
            raise InputError(f"{path} needs texts of different ratings and, if they have parts, of train and others.")
        name = path.name.partition(".")[0]
        return cls(name, texts, np.array(ratings, dtype=np.float64), np.array(train) if labelled else None)


def _label(text: str) -> float | None:
    return {SPECIFIC: 1.0, GENERAL: 0.0}.get(text)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def best_threshold(measured: Measured, specific: BoolArray) -> float:
    """Return the threshold above which most texts are specific and below which most are general.

    >>> best_threshold(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, False, True, True]))
    2.5
    """
    order = np.argsort(measured, kind="stable")
    values, labels = measured[order], specific[order]
    right = np.concatenate([[0], np.cumsum(~labels)]) + labels.sum() - np.concatenate([[0], np.cumsum(labels)])
    cuts = np.concatenate([[True], values[1:] > values[:-1], [True]])  # equal values cannot be told apart
    best = int(np.where(cuts, right, -1).argmax())
    if best in (0, len(values)):
        return float(values[0] - 1 if best == 0 else values[-1] + 1)
    return float((values[best - 1] + values[best]) / 2)


def accuracy_by_length(measured: Measured, specific: BoolArray, lengths: IndexArray) -> float | None:
    """Return the accuracy, in percent, among texts of equal length.

    For each length k the threshold is chosen on texts of k words and scored on those of k - 1 words: what length alone
    tells is lost.
    """
    right, count = 0, 0
    for length in np.unique(lengths).tolist():
        tune, test = lengths == length, lengths == length - 1
        if test.any():
            threshold = best_threshold(measured[tune], specific[tune])
            right += int(((measured[test] > threshold) == specific[test]).sum())
            count += int(test.sum())
    return 100 * right / count if count else None


def lengths_of(texts: Sequence[str]) -> IndexArray:
    """Return the number of tokens of each text."""
    return np.array([len(tokens_of(text)) for text in texts], dtype=np.int64)


def score_measure(measured: Measured, data: SpecificitySet) -> dict[str, float | None]:
    """Score a measure of specificity.

    Args:
        measured: How specific each text of the set is.
        data: The set.

    Returns:
        "score", in percent: Spearman's correlation with ratings, or the accuracy of labels above a threshold that was
        chosen on the train part; and for labels also "within_length", the accuracy among texts of equal length.
    """
    if data.train is None:
        return {"score": 100 * spearman(measured, data.ratings), "within_length": None}
    specific, test = data.ratings > 0, ~data.train
    threshold = best_threshold(measured[data.train], specific[data.train])
    accuracy = 100 * float(((measured[test] > threshold) == specific[test]).mean())
    return {"score": accuracy, "within_length": accuracy_by_length(measured, specific, lengths_of(data.texts))}


@dataclass(frozen=True)
class EntailmentSet:
    """Pairs of texts of equal length, of which the first implies the second, contradicts it, or neither."""

    name: str
    labels: Sequence[str]
    premises: Sequence[str]
    hypotheses: Sequence[str]
    noisy: bool = False

    LABELS = ("entailment", "neutral", "contradiction")

    @classmethod
    def load(cls, path: Path) -> EntailmentSet:
        """Read tab-separated label, premise and hypothesis; keep pairs of two texts with as many tokens."""
        header, *lines = read_lines(path, "set of entailments")
        if header.split("\t")[:3] != ["label", "premise", "hypothesis"]:
            raise InputError(f"{path}:1: must name the columns label, premise, hypothesis. Got {header[:60]!r}.")
        rows = []
        for number, line in enumerate(lines, start=2):
            label, premise, hypothesis = [*line.split("\t"), "", "", ""][:3]
            if label not in cls.LABELS or not premise or not hypothesis:
                raise InputError(f"{path}:{number}: needs label, premise and hypothesis. Got {line[:60]!r}.")
            if len(tokens_of(premise)) == len(tokens_of(hypothesis)) > 0:
                rows.append((label, premise, hypothesis))
        if not any(label == cls.LABELS[0] for label, _, _ in rows):
            raise InputError(f"{path} holds no entailment between texts of equal length.")
        return cls(path.name.partition(".")[0], *map(list, zip(*rows, strict=True)))  # type: ignore[arg-type]


def score_direction(premises: Measured, hypotheses: Measured, labels: Sequence[str]) -> dict[str, float | None]:
    """Return by label the share of pairs, in percent, whose hypothesis is more general; a tie counts one half.

    What is implied is more general: ideal are 100 for entailment and 50 for the others.
    """
    general = (premises > hypotheses) + 0.5 * (premises == hypotheses)
    found = np.array(labels)
    return {
        label: 100 * float(general[found == label].mean()) if (found == label).any() else None
        for label in EntailmentSet.LABELS
    }


def norms(model: EvaluatedModel, texts: Sequence[str]) -> tuple[Measured, Measured, int]:
    """Return the norms of the sums and of the means of the word vectors of texts, and in how many all are known."""
    cut = [tokens_of(text) for text in texts]
    words = list(dict.fromkeys(token for tokens in cut for token in tokens))
    vectors = model.encode(words).astype(np.float64)
    known = [model.known(word) for word in words]
    row_of = {word: row for row, word in enumerate(words)}
    rows = [[row_of[token] for token in tokens] for tokens in cut]
    sums = np.array([np.linalg.norm(vectors[row].sum(axis=0)) if row else 0.0 for row in rows])
    return sums, sums / np.maximum([len(row) for row in rows], 1), sum(all(known[word] for word in row) for row in rows)


def run(model: EvaluatedModel, data: SpecificitySet, seed: int) -> Scores:
    """Score the norm of the sum of word vectors, that of their mean, and the length of texts."""
    sums, means, known = norms(model, data.texts)
    if not (data.noisy or sums.any()):
        raise NoOverlapError(f"No word of {data.name} is in {model.name}; is it of another language?")
    lengths = lengths_of(data.texts).astype(np.float64)
    values = score_measure(sums, data)
    values["score_mean"], values["score_length"] = (score_measure(one, data)["score"] for one in (means, lengths))
    return Scores(values, len(data.texts), known)


def run_direction(model: EvaluatedModel, data: EntailmentSet, seed: int) -> Scores:
    """Score whether the sum of word vectors is shorter for what is implied; the length of texts is equal."""
    both = [*data.premises, *data.hypotheses]
    sums, _, _ = norms(model, both)
    if not (data.noisy or sums.any()):
        raise NoOverlapError(f"No word of {data.name} is in {model.name}; is it of another language?")
    count = len(data.labels)
    known = sum(
        all(map(model.known, tokens_of(one) + tokens_of(other)))
        for one, other in zip(data.premises, data.hypotheses, strict=True)
    )
    return Scores(score_direction(sums[:count], sums[count:], data.labels), count, known)


def _misspelt_text(text: str, misspell: Misspell) -> str:
    return " ".join(map(misspell, text.split()))


def misspelt(data: SpecificitySet, misspell: Misspell) -> SpecificitySet:
    """Return the same texts in other spellings."""
    return replace(data, texts=[_misspelt_text(text, misspell) for text in data.texts], noisy=True)


def misspelt_pairs(data: EntailmentSet, misspell: Misspell) -> EntailmentSet:
    """Return the same pairs in other spellings."""
    premises, hypotheses = (
        [_misspelt_text(text, misspell) for text in texts] for texts in (data.premises, data.hypotheses)
    )
    return replace(data, premises=premises, hypotheses=hypotheses, noisy=True)


TASK = Task(
    name="specificity",
    version=1,
    kind="specificity",
    summary="Are specific texts those with a long sum of vectors? Spearman, or accuracy of labels.",
    main="score",
    load=SpecificitySet.load,
    run=run,
    corrupt=word_by_word(misspelt),
)
DIRECTION = Task(
    name="entailment-direction",
    version=1,
    kind="entailment",
    summary="Is an implied text of equal length the more general one? Share of pairs.",
    main="entailment",
    load=EntailmentSet.load,
    run=run_direction,
    corrupt=word_by_word(misspelt_pairs),
)
