"""Do the cosines of pairs of texts rank as people say? Seven test sets, and the sets that models are chosen on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from everyword.arrays import FloatArray
from everyword.evaluation.tasks.similarity import spearman
from everyword.vectors.neighbours import unit_rows
from text_parts.encoders import Encode
from text_parts.noise import Misspell, misspelt, misspelt_more, share_changed
from text_parts.sets import Pairs, development_sets, seven_sets

NOISE = {"typos": misspelt, "more typos": misspelt_more}


def cosines(encode: Encode, variants: Sequence[Pairs]) -> list[FloatArray]:
    """Return the cosines of pairs, of which there are several variants; every text is encoded once.

    A text without a vector has cosine 0 with every other.
    """
    row_of: dict[str, int] = {}
    for pairs in variants:
        for text in (*pairs.first, *pairs.second):
            row_of.setdefault(text, len(row_of))
    vectors = unit_rows(np.asarray(encode(list(row_of)), dtype=np.float32))
    found = []
    for pairs in variants:
        first, second = (vectors[[row_of[text] for text in texts]] for texts in (pairs.first, pairs.second))
        found.append((first * second).sum(axis=1))
    return found


def rank_correlations(encode: Encode, *variants: Pairs) -> list[float]:
    """Return Spearman × 100 of each variant."""
    several = cosines(encode, variants)
    return [round(100 * spearman(one, pairs.scores), 2) for one, pairs in zip(several, variants, strict=True)]


def areas(encode: Encode, *variants: Pairs) -> list[float]:
    """Return the area under the ROC curve × 100 of pairs that mean the same, for each variant."""
    several = cosines(encode, variants)
    return [
        round(100 * float(roc_auc_score(pairs.scores, one)), 2) for one, pairs in zip(several, variants, strict=True)
    ]


def sts_scores(encode: Encode, sets: Iterable[Pairs]) -> dict[str, Any]:
    """Return Spearman × 100 of each set and their mean, clean and with typos in the second texts."""
    found: dict[str, dict[str, float]] = {way: {} for way in ("clean", *NOISE)}
    for pairs in sets:
        variants = [pairs, *map(pairs.with_typos, NOISE.values())]
        for way, score in zip(found, rank_correlations(encode, *variants), strict=True):
            found[way][pairs.name] = score
    return {way: {"mean": round(mean(scores.values()), 2), **scores} for way, scores in found.items()}


def sts_part(data: Path) -> tuple[dict[str, Any], Callable[[Encode], dict[str, Any]]]:
    """Return what is judged on, and a function that scores an encoder on the seven test sets."""
    sets = list(seven_sets(data))
    about = {
        "metric": "Spearman × 100 of cosines",
        "pairs": {pairs.name: len(pairs) for pairs in sets},
        "left_out": {pairs.name: pairs.left_out for pairs in sets},
        "words_misspelt": {way: round(_changed(sets, misspell), 3) for way, misspell in NOISE.items()},
    }
    return about, lambda encode: sts_scores(encode, sets)


def _changed(sets: Sequence[Pairs], misspell: Misspell) -> float:
    clean = [text for pairs in sets for text in pairs.second]
    return share_changed(clean, list(map(misspell, clean)))


def development_scores(encode: Encode, sets: Mapping[str, Pairs]) -> dict[str, float]:
    """Return the scores that models are chosen by: Spearman of STS-B and SNLI, ROC areas of QQP and PAWS."""
    stsb, qqp = (sets[name] for name in ("stsb-dev", "qqp"))
    graded = rank_correlations(encode, stsb, stsb.with_typos())
    asked = areas(encode, qqp, qqp.with_typos())
    return {
        "stsb-dev": graded[0],
        "stsb-dev typos": graded[1],
        "qqp": asked[0],
        "qqp typos": asked[1],
        "paws": areas(encode, sets["paws"])[0],
        "snli": rank_correlations(encode, sets["snli"])[0],
    }


def development_part(data: Path) -> tuple[dict[str, Any], Callable[[Encode], dict[str, Any]]]:
    """Return what is judged on, and a function that scores an encoder on the development sets."""
    sets = development_sets(data)
    about = {
        "metric": "STS-B dev, SNLI dev: Spearman × 100 of cosines; QQP, PAWS: area under the ROC curve × 100",
        "pairs": {name: len(pairs) for name, pairs in sets.items()},
    }
    return about, lambda encode: development_scores(encode, sets)
