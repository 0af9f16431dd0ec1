"""Misspellings and confidence: is the right word found, and does the model know when it is?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from peers.ranks import recovery

from bars import spell_checkers
from bars.subject import Subject
from everyword import registry
from everyword.arrays import IndexArray
from everyword.corpus.codespell_split import load_split
from everyword.corpus.rows import read_rows
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.robustness import typo_similarity
from everyword.evaluation.robustness.noise import FAMILIES
from everyword.evaluation.tasks import confidence, kinds
from everyword.evaluation.tasks.closeness import pair_cosines
from everyword.evaluation.tasks.misspelling import ranks
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman

if TYPE_CHECKING:
    from peers.spellers import Corrector

Pairs = Sequence[tuple[str, str]]
OURS, BY_SHARE, SYMSPELL = "everyword", "everyword, by share", "symspell"
FIFTH = 5


def codespell_part(subject: Subject) -> dict[str, Any] | None:
    """Rank the right words of codespell's test split among the model's 50,000 most frequent words."""
    if subject.development:
        return None
    split = load_split(subject.data / "misspelling" / "codespell.tsv.gz", subject.frequent)
    return _contest(subject, split.evaluation, subject.frequent, ("aspell",))


def wikipedia_part(subject: Subject) -> dict[str, Any] | None:
    """Rank the right words of Wikipedia's list among 50,000 words that are the same for all."""
    if subject.development:
        return None
    return _contest(subject, _pairs(subject, "wikipedia.tsv"), subject.listed, tuple(spell_checkers.PROGRAMS))


def birkbeck_part(subject: Subject) -> dict[str, Any]:
    """Rank the right words of the part of Birkbeck's development half that no gate is trained on.

    The bar is about wrong forms that are not listed words: no speller of single words mends "there" for "their".
    """
    pairs = [pair for pair in _pairs(subject, "birkbeck_dev.tsv") if for_evaluation(pair[1])]
    listed, programs = frozenset(subject.listed), ("aspell", "aspell, bad spellers")
    unlisted = [pair for pair in pairs if pair[0] not in listed]
    return {
        "unlisted": _contest(subject, unlisted, subject.listed, programs),
        "all": _contest(subject, pairs, subject.listed, programs),
    }


def for_evaluation(right: str) -> bool:
    """Whether pairs of this right word evaluate, by the second byte of its SHA-256; the others may train."""
    return hashlib.sha256(right.lower().encode()).digest()[1] % FIFTH == 0


def _pairs(subject: Subject, file: str) -> list[tuple[str, str]]:
    """Return the pairs whose right word is listed; each pair counts, also of a wrong form with several right ones."""
    listed = frozenset(subject.listed)
    rows = read_rows(subject.data / "misspelling" / file, "misspelling set", ("wrong", "right"))
    lowered = dict.fromkeys((wrong.lower(), right.lower()) for _, (wrong, right) in rows)
    return [(wrong, right) for wrong, right in lowered if right in listed and wrong != right]


def _contest(subject: Subject, pairs: Pairs, words: Sequence[str], programs: Sequence[str]) -> dict[str, Any]:
    """Rank the same pairs over the same words by the model, by SymSpell and by spell checkers."""
    wrongs, corrector = list(dict.fromkeys(wrong for wrong, _ in pairs)), _corrector(tuple(words))
    found = {OURS: recovery(pair_ranks(subject.over(words), pairs))}
    explained = dict(zip(wrongs, subject.model.explain(wrongs), strict=True))
    shares = {wrong: [share.word for share in said.candidates] for wrong, said in explained.items()}
    answers: dict[str, Callable[[str], Sequence[str]]] = {BY_SHARE: shares.__getitem__, SYMSPELL: corrector.ranked}
    for program in programs:
        if spell_checkers.available(program):
            answers[program] = spell_checkers.suggestions(program, wrongs, subject.cache).__getitem__
    for name, answer in answers.items():
        found[name] = recovery(ranks_in_lists(answer, pairs, frozenset(words)))
    return {
        "metric": "mean reciprocal rank and hits x 100, each pair counted; a wrong form is no answer to itself",
        "pairs": len(pairs),
        "candidates": len(words),
        "wrong_forms_stored_by_the_model": sum(map(subject.model.known, wrongs)),
        "programs": {name: spell_checkers.version(name) for name in programs if spell_checkers.available(name)},
        "contenders": found,
    }


@cache
def _corrector(words: tuple[str, ...]) -> Corrector:
    from peers.spellers import Corrector

    return Corrector(words)


def pair_ranks(model: EvaluatedModel, pairs: Pairs) -> IndexArray:
    """Return the rank of each right word among the candidates by cosine, from 1; 0 without a vector."""
    wrongs = [wrong for wrong, _ in pairs]
    barred = np.array([model.candidate_rows.get(wrong, -1) for wrong in wrongs])
    units = model.units(wrongs)
    found = ranks(units, model.candidate_units, [[model.candidate_rows[right]] for _, right in pairs], barred)
    return np.where(units.any(axis=1), found, 0)


def ranks_in_lists(answer: Callable[[str], Sequence[str]], pairs: Pairs, words: frozenset[str]) -> list[int]:
    """Return the rank of each right word in a list of suggestions, of which only given words count; 0 if absent.

    >>> ranks_in_lists({"teh": ["Tech", "The", "teh", "eh"]}.__getitem__, [("teh", "eh")], frozenset(["the", "eh"]))
    [2]
    """
    found = []
    for wrong, right in pairs:
        lowered = dict.fromkeys(word.lower() for word in answer(wrong))
        listed = [word for word in lowered if word in words and word != wrong]
        found.append(listed.index(right) + 1 if right in listed else 0)
    return found


def typos_part(subject: Subject) -> dict[str, Any] | None:
    """Score SimLex-999 with a typo in each first word, beside an oracle that knows every typo that is not a word."""
    if subject.development:
        return None
    data = SimilaritySet.load(subject.data / "similarity" / "simlex999.tsv")
    units, known, listed = subject.encoded.units, subject.model.known, frozenset(subject.listed)
    clean = 100 * spearman(pair_cosines(data.pairs, units), data.scores)
    kinds_of_typos = [registry.corruptions.get(name) for name in FAMILIES["typo"]]
    runs = [typo_similarity.corrupted(data, kinds_of_typos, seed) for seed in range(typo_similarity.SEEDS)]
    words: dict[str, Callable[[str], bool]] = {"oracle": known, "oracle, listed words": listed.__contains__}
    scores = {"typo": [100 * spearman(pair_cosines(pairs, units), data.scores) for pairs in runs]}
    for name, is_word in words.items():
        mended = [
            [new if is_word(new[0]) else old for new, old in zip(pairs, data.pairs, strict=True)] for pairs in runs
        ]
        scores[name] = [100 * spearman(pair_cosines(pairs, units), data.scores) for pairs in mended]
    kept = {name: 100 * float(np.mean(found)) / clean for name, found in scores.items()}
    return {
        "metric": "Spearman x 100 and share of the clean score in %; the oracle replaces typos that are not words",
        "pairs": len(data.pairs),
        "seeds": typo_similarity.SEEDS,
        "clean": clean,
        "typos_that_are_stored": 100 * float(np.mean([known(new) for pairs in runs for new, _ in pairs])),
        "scores": {name: float(np.mean(found)) for name, found in scores.items()},
        "spread": {name: float(np.std(found)) for name, found in scores.items()},
        "kept": kept,
        "kept_of_oracle": 100 * kept["typo"] / kept["oracle"],
    }


def confidence_part(subject: Subject) -> dict[str, Any]:
    """Measure whether confidence is higher for right readings, of strange tokens and of misspellings."""
    data = kinds.KindsSet.load(subject.data / "kinds" / "kinds_dev.tsv")
    tokens = confidence.run_kinds(subject.encoded, data, 0)
    pairs = [pair for pair in _pairs(subject, "birkbeck_dev.tsv") if for_evaluation(pair[1])]
    right = pair_ranks(subject.over_listed, pairs) == 1
    sure = np.array(subject.encoded.confidences([wrong for wrong, _ in pairs]))
    unknown = np.array([not subject.model.known(wrong) for wrong, _ in pairs])
    both = np.concatenate([tokens.items["confidence"], sure]), np.concatenate([tokens.items["right"], right])
    return {
        "metric": "area under the ROC curve x 100: kinds of tokens (hit among ten), Birkbeck (right word first)",
        "kinds": {**tokens.values, "n": tokens.n, "sections": dict(tokens.sections)},
        "birkbeck": {
            "auc": confidence.roc_area(sure, right),
            "auc_unknown": confidence.roc_area(sure[unknown], right[unknown]),
            "confidence_right": 100 * float(sure[right].mean()),
            "confidence_wrong": 100 * float(sure[~right].mean()),
            "n": len(pairs),
        },
        "both": {"auc": confidence.roc_area(both[0], both[1].astype(bool)), "n": len(both[0])},
    }


def held_out_part(subject: Subject) -> dict[str, Any] | None:
    """Score the cosine to the teacher for words that no part was trained on; needs --teacher and --held-out."""
    from peers.contest import as_unknown

    from everyword.vectors.neighbours import unit_rows
    from everyword.vectors.table import VectorTable

    if not (subject.teacher and subject.held_out):
        return None
    teacher = VectorTable.load(subject.teacher)
    asked = list(dict.fromkeys(subject.held_out.read_text(encoding="utf-8").split("\n")))
    words = [word for word in asked if word in teacher]
    targets = unit_rows(teacher.select(words).matrix)
    made = {"encode": as_unknown(subject.model, words), "form": subject.model.infer(words)}
    cosines = {name: np.einsum("ij,ij->i", unit_rows(rows), targets) for name, rows in made.items()}
    return {
        "metric": "cosine to the teacher's vector, mean and standard deviation over words",
        "words": len(words),
        "scores": {name: {"cosine": float(one.mean()), "deviation": float(one.std())} for name, one in cosines.items()},
    }
