"""One typo after another: is the word still found, and do vectors still agree with human similarity?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import numpy as np

from everyword import registry
from everyword.evaluation.evaluated_model import EvaluatedModel, evaluated_model
from everyword.evaluation.robustness.noise import FAMILIES
from everyword.evaluation.robustness.typo_similarity import SEEDS
from everyword.evaluation.tasks.closeness import pair_cosines
from everyword.evaluation.tasks.similarity import SimilaritySet, spearman
from everyword.vectors.neighbours import exact_neighbours
from peers.contest import Contest
from peers.names import LOOK_UP, SYMSPELL
from peers.spellers import Corrector

WORDS, SHORTEST, MOST_TYPOS, SEED = 2_000, 6, 3, 7


def ladder_part(contest: Contest) -> dict[str, Any]:
    """Measure how many words are found, and the similarity of pairs, after 0, 1, 2 and 3 typos."""
    words = Random(SEED).sample([word for word in contest.candidates if len(word) >= SHORTEST], WORDS)
    steps = _spoilt(words, SEED, contest.model.known)
    pairs = SimilaritySet.load(contest.data / "similarity" / "simlex999.tsv")
    look_up = evaluated_model(contest.model, "zero", candidates=len(contest.candidates))
    models = contest.models() | {SYMSPELL: contest.corrected(), LOOK_UP: look_up}
    corrector = Corrector(contest.candidates)
    found = {name: [_found(model, words, step) for step in steps] for name, model in models.items()}
    found[SYMSPELL] = [_share(map(corrector.best, step), words) for step in steps]
    contenders = {
        name: {"found": found[name], "similarity": _similarity(model, pairs)} for name, model in models.items()
    }
    return {
        "metric": "after 0, 1, 2, 3 typos: words whose nearest one of all candidates is the right one, %; Spearman x"
        " 100 on SimLex-999 with the typos in each first word, mean over seeds",
        "words": len(words),
        "shortest": SHORTEST,
        "candidates": len(contest.candidates),
        "pairs": len(pairs.pairs),
        "seeds": SEEDS,
        "contenders": contenders,
    }


def _spoilt(words: Sequence[str], seed: int, refused: Callable[[str], bool] = lambda _: False) -> list[Sequence[str]]:
    """Return the words with 0, 1, 2 … typos, each with one more than before; a refused result is drawn again."""
    rng, kinds = Random(seed), [registry.corruptions.get(name) for name in FAMILIES["typo"]]
    steps = [words]
    for _ in range(MOST_TYPOS):
        step = []
        for before in steps[-1]:
            wrong = rng.choice(kinds)(before, rng)
            while refused(wrong):
                wrong = rng.choice(kinds)(before, rng)
            step.append(wrong)
        steps.append(step)
    return steps


def _found(model: EvaluatedModel, words: Sequence[str], spoilt: Sequence[str]) -> float:
    units = model.units(spoilt)
    nearest, _ = exact_neighbours(units, model.candidate_units, 1, matrix_is_unit=True)
    said = (model.candidates[row] if unit.any() else None for row, unit in zip(nearest[:, 0], units, strict=True))
    return _share(said, words)


def _share(answers: Iterable[str | None], words: Sequence[str]) -> float:
    return 100 * float(np.mean([answer == word for answer, word in zip(answers, words, strict=True)]))


def _similarity(model: EvaluatedModel, data: SimilaritySet) -> list[float]:
    firsts, seconds = zip(*data.pairs, strict=True)
    runs = [
        [
            100 * spearman(pair_cosines(list(zip(step, seconds, strict=True)), model.units), data.scores)
            for step in steps
        ]
        for steps in (_spoilt(firsts, seed) for seed in range(SEEDS))
    ]
    return np.mean(runs, axis=0).tolist()
