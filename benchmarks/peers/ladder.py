"""One typo after another: does the vector of a word still lie nearest to that of the word?"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np

from everyword import registry
from everyword.evaluation.noise import FAMILIES
from everyword.evaluation.way import Way
from everyword.vectors.neighbours import exact_neighbours
from peers.contest import Contest
from peers.names import LOOK_UP, SYMSPELL
from peers.spellers import Corrector

WORDS, SHORTEST, MOST_TYPOS, SEED = 2_000, 6, 3, 7


def ladder_part(contest: Contest) -> dict[str, Any]:
    """The share of words that are found again after so many typos, by every way to get a vector and by a corrector."""
    words = Random(SEED).sample([word for word in contest.candidates if len(word) >= SHORTEST], WORDS)
    steps = _spoilt(words, contest)
    corrector = Corrector(contest.candidates)
    contenders = {name: [_found(way, words, step) for step in steps] for name, way in contest.ways().items()}
    contenders[SYMSPELL] = [_share(map(corrector.best, step), words) for step in steps]
    contenders[LOOK_UP] = [_share(step, words) for step in steps]
    return {
        "metric": "words whose nearest one of all candidates is the right one, %, after 0, 1, 2 … typos",
        "words": len(words),
        "shortest": SHORTEST,
        "candidates": len(contest.candidates),
        "contenders": contenders,
    }


def _spoilt(words: list[str], contest: Contest) -> list[list[str]]:
    """The words with 0, 1, 2 … typos; each is another one in the word before, and none of them makes a known word."""
    rng, kinds = Random(SEED), [registry.corruptions.get(name) for name in FAMILIES["typo"]]
    steps = [words]
    for _ in range(MOST_TYPOS):
        step = []
        for before in steps[-1]:
            wrong = rng.choice(kinds)(before, rng)
            while contest.model.known(wrong):
                wrong = rng.choice(kinds)(before, rng)
            step.append(wrong)
        steps.append(step)
    return steps


def _found(way: Way, words: list[str], spoilt: list[str]) -> float:
    units = way.units(spoilt)
    nearest, _ = exact_neighbours(units, way.candidate_units, 1, matrix_is_unit=True)
    said = (way.candidates[row] if unit.any() else None for row, unit in zip(nearest[:, 0], units, strict=True))
    return _share(said, words)


def _share(answers: Iterable[str | None], words: list[str]) -> float:
    return 100 * float(np.mean([answer == word for answer, word in zip(answers, words, strict=True)]))
