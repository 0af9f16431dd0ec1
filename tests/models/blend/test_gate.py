from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import random_gate
from tiny import tiny_table

from everyword.models.blend.comparison import LetterFeatures, compare
from everyword.models.blend.gate import misfits
from everyword.models.retrieval.candidates import CandidateFinder
from everyword.models.retrieval.runs import run_starts, softmax_with_extra

KNOWN = tiny_table().words


@given(counts=st.lists(st.integers(1, 4), min_size=1, max_size=6), scale=st.sampled_from([1.0, 100.0, 1e4]))
def test_shares_of_a_word_sum_to_one_however_large_the_scores(counts: list[int], scale: float) -> None:
    query = np.repeat(np.arange(len(counts)), counts)
    rng = np.random.default_rng(len(query))
    scores, extras = (scale * rng.normal(size=size).astype(np.float32) for size in (len(query), len(counts)))
    pairs, extra = softmax_with_extra(scores, extras, query, run_starts(query))
    np.testing.assert_allclose(np.bincount(query, pairs) + extra, 1, atol=1e-6)
    assert (pairs >= 0).all()
    assert (extra >= 0).all()


def test_a_gate_weighs_each_word_by_itself() -> None:
    gate, finder, known = random_gate(), CandidateFinder(KNOWN), LetterFeatures.of(KNOWN)
    words = ["bna", "grelonesss", "xx", "трусть", "ban"]
    found = [(words, finder.find(words)), *(([word], finder.find([word])) for word in words)]
    together, *alone = (gate.weigh(compare(LetterFeatures.of(asked), known, them), them) for asked, them in found)
    np.testing.assert_allclose(together.candidates, np.concatenate([each.candidates for each in alone]), atol=1e-6)
    np.testing.assert_allclose(together.form, np.concatenate([each.form for each in alone]), atol=1e-6)


def test_confidence_is_between_nothing_and_certainty() -> None:
    signs = np.random.default_rng(0).normal(scale=100, size=(200, 5)).astype(np.float32)
    expected = random_gate().confidence(signs)
    assert expected.shape == (200,)
    assert expected.min() == 0
    assert expected.max() == 1


@pytest.mark.parametrize("name", list(random_gate().tables))
def test_every_table_of_a_gate_is_needed(name: str) -> None:
    tables = random_gate().tables
    assert misfits(tables) == []
    assert name in misfits({other: table for other, table in tables.items() if other != name})
    assert misfits(tables | {name: tables[name][..., :-1]})


@pytest.mark.parametrize(
    ("word", "shares", "form"),
    [
        ("bna", {"ban": 0.08997, "fin": 0.08305, "boruing": 0.0745}, 0.02311),
        ("grelonesss", {"groruness": 0.11032, "greloness": 0.10278, "troruness": 0.09035}, 0.02878),
        ("ban2", {"bans": 0.1028, "baner": 0.09415, "ban": 0.09053}, 0.02857),
    ],
)
def test_saved_gates_of_the_first_version_weigh_as_ever(word: str, shares: dict[str, float], form: float) -> None:
    """Numbers of everyword 0.1, whose models must keep their vectors."""
    candidates = CandidateFinder(KNOWN).find([word])
    weights = random_gate().weigh(compare(LetterFeatures.of([word]), LetterFeatures.of(KNOWN), candidates), candidates)
    best = np.argsort(-weights.candidates)[: len(shares)]
    assert [KNOWN[row] for row in candidates.row[best]] == list(shares)
    np.testing.assert_allclose(weights.candidates[best], list(shares.values()), atol=1e-5)
    np.testing.assert_allclose(weights.form, form, atol=1e-5)
