"""One word in plain Python is found, aligned and weighed as it is among many."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import random_reading_gate
from tiny import tiny_table

from everyword.models.blend.alignment import WordShapes, align
from everyword.models.retrieval.keys import keys_of
from everyword.models.retrieval.one_word import keys_of_one, spell
from everyword.models.retrieval.similar_words import SimilarWords
from everyword.models.retrieval.spelt_words import SpeltWords

STRANGE = ["", "a", "\0", "b\0nd", "é", "日本語", "straße", "o'clock", "xxxxx", "ab" * 20, "bandana", "aaaaa", "\ud800"]
a_word = st.text("abdelnorsu", max_size=9) | st.text(max_size=5) | st.sampled_from(STRANGE)


@pytest.fixture(scope="module")
def finder() -> SimilarWords:
    return SimilarWords([*tiny_table().words, "aaaaa", "ésprit", "собака", "o'clock", "bandana" * 5])


@given(word=a_word)
def test_letters_sounds_and_keys(word: str) -> None:
    one, among_many = spell(word), SpeltWords.of([word])
    np.testing.assert_array_equal(one.as_words().rows, among_many.rows)
    assert [len(one.letters), len(one.sounds)] == [among_many.lengths[0], among_many.sound_lengths[0]]
    keys, present, _ = keys_of(among_many, asked=True)
    assert sorted(keys_of_one(one).tolist()) == sorted(keys[present].tolist())


@given(word=a_word)
def test_similar_words_and_their_alignment(finder: SimilarWords, word: str) -> None:
    one, among_many = spell(word), SpeltWords.of([word])
    pairs, expected = finder.find_one(one), finder.find(among_many)
    for name in ("query", "row", "nth", "letters_left", "sounds_left"):
        assert getattr(pairs, name).tolist() == getattr(expected, name).tolist()
    known, shapes = WordShapes(finder.index.spelt), WordShapes(among_many)
    assert WordShapes.of_one(one).places.tolist() == shapes.places.tolist()
    assert WordShapes.of_one(one).bags.tolist() == shapes.bags.tolist()
    ours, reference = align(WordShapes.of_one(one), known, pairs), align(shapes, known, expected)
    np.testing.assert_array_equal(ours.features, reference.features)
    np.testing.assert_array_equal(ours.letter_pairs, reference.letter_pairs)


@given(word=a_word)
def test_shares(finder: SimilarWords, word: str) -> None:
    gate, both, known = random_reading_gate(), SpeltWords.of([word, "other"]), WordShapes(finder.index.spelt)
    one, pairs = WordShapes.of_one(spell(word)), finder.find(both)
    weights, best = gate.weigh(align(one, known, finder.find_one(spell(word))), finder.find_one(spell(word)), one.words)
    expected, expected_best = gate.weigh(align(WordShapes(both), known, pairs), pairs, both)
    np.testing.assert_allclose(weights.candidates, expected.candidates[pairs.query == 0], atol=1e-6)
    np.testing.assert_allclose(weights.form, expected.form[:1], atol=1e-6)
    np.testing.assert_allclose(best, expected_best[:1], atol=1e-6)
