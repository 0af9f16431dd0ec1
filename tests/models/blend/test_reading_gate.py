from __future__ import annotations

import numpy as np
import pytest
from made import random_reading_gate
from tiny import tiny_table

from everyword import kernel
from everyword.models.blend.readers import KeyReader, Reading
from everyword.models.blend.reading_gate import MOST_CERTAIN, READING_SIGNS, ReadingGate, likeliness, misfits
from everyword.models.retrieval.spelt_words import SpeltWords

WORDS = ["bna", "grelonesss", "xx", "трусть", "ban", "🙂", "", "ban" * 20]


@pytest.fixture(scope="module")
def reader() -> KeyReader:
    return KeyReader(tiny_table().words, random_reading_gate())


@pytest.fixture(params=[False, True], ids=["numpy", "kernel"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to compute, if there are two."""
    monkeypatch.setattr(kernel, "compiled", kernel.compiled and request.param)


def shares_of(reading: Reading, word: int) -> np.ndarray:
    return reading.weights.candidates[reading.candidates.query == word]


def test_words_are_read_alone_as_among_others(reader: KeyReader) -> None:
    together = reader.read(WORDS)
    for index, word in enumerate(WORDS):
        alone = reader.read([word])
        assert together.candidates.row[together.candidates.query == index].tolist() == alone.candidates.row.tolist()
        np.testing.assert_allclose(shares_of(together, index), alone.weights.candidates, atol=1e-6)
        np.testing.assert_allclose(together.weights.form[index], alone.weights.form[0], atol=1e-6)


def test_shares_of_a_word_sum_to_one(reader: KeyReader) -> None:
    reading = reader.read(WORDS)
    sums = np.bincount(reading.candidates.query, reading.weights.candidates, minlength=len(WORDS))
    np.testing.assert_allclose(sums + reading.weights.form, 1, atol=1e-6)


def test_a_word_like_no_other_is_new(reader: KeyReader) -> None:
    reading = reader.read(["🙂", ""])
    assert not len(reading.candidates.query)
    assert reading.weights.form.tolist() == [1.0, 1.0]
    assert reading.best is not None
    assert reading.best[:, -1].tolist() == [0.0, 0.0]  # not misspelt


@pytest.mark.parametrize("misspelt", [False, True])
def test_only_a_new_word_counts_as_such(misspelt: bool) -> None:
    tables = random_reading_gate().tables
    sure = np.array([30 if misspelt else -30, 0], dtype=np.float32)
    reading = KeyReader(tiny_table().words, ReadingGate(tables | {"form.score_bias": sure})).read(["bna", "grelonesss"])
    assert reading.best is not None
    np.testing.assert_allclose(reading.best[:, -1], float(misspelt), atol=1e-6)
    assert (reading.weights.form < 1e-6).all() == misspelt


def test_reach_is_how_many_words_are_candidates() -> None:
    words, gate = tiny_table().words, random_reading_gate()
    gate.reach = 10
    found = KeyReader(words, gate).read([word + "x" for word in words]).candidates.row
    assert len(found)
    assert found.max() < 10


def test_letters_seldom_seen_together_are_unlikely() -> None:
    trigrams = np.zeros(28**3, dtype=np.float32)
    trigrams[(1 * 28 + 2) * 28 + 3] = -8  # c after ab
    told = likeliness(SpeltWords.of(["abcd", "bcd", ""]), trigrams)
    np.testing.assert_allclose(told, [[-2, -2, 0.4], [0, 0, 0.3], [0, 0, 0]], atol=1e-6)


@pytest.mark.parametrize("name", list(random_reading_gate().tables))
def test_every_table_of_a_gate_is_needed(name: str) -> None:
    tables = random_reading_gate().tables
    assert misfits(tables) == []
    assert name in misfits({other: table for other, table in tables.items() if other != name})
    assert misfits(tables | {name: tables[name][..., :-1]})


def test_confidence_is_between_nothing_and_certainty() -> None:
    signs = np.random.default_rng(0).normal(scale=100, size=(200, len(READING_SIGNS))).astype(np.float32)
    expected = random_reading_gate().confidence(signs)
    assert expected.shape == (200,)
    assert expected.min() == 0
    assert expected.max() == pytest.approx(MOST_CERTAIN)
