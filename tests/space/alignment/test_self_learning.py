"""Larger dictionaries from small ones or from none, and powers without supervision."""

from __future__ import annotations

import numpy as np
import pytest
from two_spaces import dictionary, rotated_tables

from everyword.errors import InputError
from everyword.space.alignment import Alignment, SelfLearning, align
from everyword.space.alignment.induction import match
from everyword.space.alignment.pairs import Pairs, look_up
from everyword.space.alignment.powers import choose_powers, score_powers
from everyword.space.steps.spectrum import Spectrum
from everyword.vectors.neighbours import unit_rows
from everyword.vectors.table import VectorTable

SOURCE, TARGET = rotated_tables(noise=0.1, words=400, dim=20)
FEW = dictionary(0, 9)
CHANCE = SelfLearning(keep=0.3, patience=2, rounds=40, directions="union")


def share_found(alignment: Alignment) -> float:
    cosines = alignment.map_source(SOURCE.matrix) @ alignment.map_target(TARGET.matrix).T
    return float((cosines.argmax(axis=1) == np.arange(len(SOURCE))).mean())


def test_a_dictionary_that_is_too_small_grows() -> None:
    assert share_found(align(SOURCE, TARGET, FEW)) < 0.6
    said: list[str] = []
    grown = align(SOURCE, TARGET, FEW, self_learning=SelfLearning(), report=said.append)
    assert share_found(grown) > 0.99
    assert grown.facts["induced pairs"] >= 400
    assert any(line.startswith("round 1: ") for line in said)


def test_chance_gives_the_same_for_the_same_seed() -> None:
    one, same = (align(SOURCE, TARGET, FEW, self_learning=CHANCE) for _ in range(2))
    np.testing.assert_allclose(one.source.map.matrix, same.source.map.matrix, atol=1e-5)
    assert share_found(one) > 0.99


def test_distributions_of_similarities_start_without_any_pair() -> None:
    alignment = align(SOURCE, TARGET, seeds="unsupervised", method="vecmap", self_learning=CHANCE)
    assert share_found(alignment) > 0.95


def test_a_dictionary_and_no_supervision_exclude_each_other() -> None:
    with pytest.raises(InputError, match="An unsupervised start takes no dictionary"):
        align(SOURCE, TARGET, FEW, seeds="unsupervised")


def test_given_pairs_stay_or_are_dropped() -> None:
    wrong = [*dictionary(0, 60), ("s70", "t90")]
    kept = align(SOURCE, TARGET, wrong, self_learning=SelfLearning())
    trusted_less = align(SOURCE, TARGET, wrong, self_learning=SelfLearning(keep_given=False))
    assert kept.facts["induced pairs"] == trusted_less.facts["induced pairs"] + 61


def test_matches_are_those_of_the_whole_csls_matrix() -> None:
    draw = np.random.default_rng(4)
    x, z = (unit_rows(draw.normal(size=(count, 6))) for count in (50, 70))
    cosines = x @ z.T
    of_x, of_z = (np.sort(matrix, axis=1)[:, -10:].mean(axis=1) for matrix in (cosines, cosines.T))
    csls = 2 * cosines - of_x[:, None] - of_z
    found = match(x, z)
    np.testing.assert_array_equal(found.of_source, csls.argmax(axis=1))
    np.testing.assert_array_equal(found.of_target, csls.argmax(axis=0))
    np.testing.assert_allclose(found.source_scores, csls.max(axis=1), atol=1e-5)
    left, right = found.pairs("mutual")
    assert all(csls[:, b].argmax() == a and csls[a].argmax() == b for a, b in zip(left, right, strict=True))
    assert len(found.pairs("union")[0]) == 120


def test_a_space_matches_itself() -> None:
    units = unit_rows(SOURCE.matrix)
    np.testing.assert_array_equal(match(units, units).of_source, np.arange(len(units)))


def bent(table: VectorTable, power: float) -> VectorTable:
    """A table whose spectrum was raised to a power."""
    return VectorTable(table.words, Spectrum(power).fit(table.matrix).apply(table.matrix))


def test_a_bent_spectrum_costs_score() -> None:
    pairs = look_up(dictionary(0, 100), SOURCE, TARGET)
    straight, crooked = (unit_rows(table.matrix) for table in (TARGET, bent(TARGET, 0.9)))
    source = unit_rows(SOURCE.matrix)
    assert score_powers(source, straight, pairs) > score_powers(source, crooked, pairs)


def test_powers_are_chosen_by_the_best_score_side_by_side() -> None:
    pairs = look_up(dictionary(0, 100), SOURCE, TARGET)

    def prepare(table: VectorTable, power: float) -> np.ndarray:  # type: ignore[type-arg]
        return unit_rows(bent(table, power).matrix)

    one, other = choose_powers(lambda power: prepare(SOURCE, power), lambda power: prepare(TARGET, power), pairs)
    chosen = score_powers(prepare(SOURCE, one), prepare(TARGET, other), pairs)
    assert chosen >= score_powers(prepare(SOURCE, 0.0), prepare(TARGET, 0.0), pairs) - 1e-6


def test_chosen_powers_are_told_and_kept() -> None:
    alignment = align(SOURCE, TARGET, dictionary(0, 100), powers="auto", method="vecmap")
    assert {"power of the source", "power of the target"} <= alignment.facts.keys()
    assert share_found(alignment) > 0.99


def test_without_mutual_pairs_the_score_is_0() -> None:
    one = np.ones((1, 3), dtype=np.float32)
    assert score_powers(one, one, Pairs(np.array([0]), np.array([0]), 1)) == 0.0
