"""The look-alike beside a real gensim table of the same words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everyword.errors import InputError, MissingExtraError
from everyword.models.model import Model
from everyword.plugins.gensim import EverywordVectors, to_keyed_vectors

UNKNOWN = "grelonesss"
NOTHING = "\u200b"


@pytest.fixture(scope="module")
def ours(tiny_model: Model) -> EverywordVectors:
    return EverywordVectors(tiny_model)


@pytest.fixture(scope="module")
def theirs(tiny_model: Model) -> Any:
    return to_keyed_vectors(tiny_model)


@pytest.fixture(scope="module")
def words(ours: EverywordVectors) -> list[str]:
    return ours.index_to_key[:6]


def assert_same_neighbours(found: Any, expected: Any) -> None:
    assert [word for word, _ in found] == [word for word, _ in expected]
    np.testing.assert_allclose([cosine for _, cosine in found], [cosine for _, cosine in expected], atol=1e-5)


def test_the_table_is_that_of_gensim(ours: EverywordVectors, theirs: Any) -> None:
    assert ours.index_to_key == theirs.index_to_key
    assert ours.key_to_index == theirs.key_to_index
    assert (len(ours), ours.vector_size) == (len(theirs), theirs.vector_size) == ours.vectors.shape
    assert ours.vectors.dtype == theirs.vectors.dtype
    np.testing.assert_array_equal(ours.vectors, theirs.vectors)
    np.testing.assert_allclose(ours.get_normed_vectors(), theirs.get_normed_vectors(), atol=1e-6)


def test_known_words_have_the_vectors_of_gensim(ours: EverywordVectors, theirs: Any, words: list[str]) -> None:
    np.testing.assert_array_equal(ours[words[0]], theirs[words[0]])
    np.testing.assert_array_equal(ours[words], theirs[words])
    np.testing.assert_allclose(ours.get_vector(words[1], norm=True), theirs.get_vector(words[1], norm=True), atol=1e-6)


@pytest.mark.parametrize(
    "ask",
    [
        lambda table, words: table.most_similar(words[0]),
        lambda table, words: table.most_similar(words[:2], words[2], topn=3),
        lambda table, words: table.most_similar(positive=[(words[0], 0.3), words[1]], negative=[(words[2], -2.0)]),
        lambda table, words: table.most_similar(positive=[table[words[0]], words[1]]),
        lambda table, words: table.most_similar(table[words[0]]),
        lambda table, words: table.most_similar(table[words[:2]]),
        lambda table, words: table.most_similar(negative=words[0], topn=1),
        lambda table, words: table.most_similar(words[0], restrict_vocab=20),
        lambda table, words: table.most_similar(words[0], topn=10_000),
        lambda table, words: table.most_similar(words[0], topn=0),
        lambda table, words: table.similar_by_word(words[3], topn=4),
        lambda table, words: table.similar_by_key(words[3], topn=4),
        lambda table, words: table.similar_by_vector(table[words[3]], topn=4),
    ],
)
def test_neighbours_are_those_of_gensim(
    ours: EverywordVectors, theirs: Any, words: list[str], ask: Callable[[Any, list[str]], Any]
) -> None:
    assert_same_neighbours(ask(ours, words), ask(theirs, words))


def test_without_topn_all_cosines_come_back(ours: EverywordVectors, theirs: Any, words: list[str]) -> None:
    expected = theirs.most_similar(words[0], topn=None)
    np.testing.assert_allclose(ours.most_similar(words[0], topn=None), expected, atol=1e-5)


def test_comparisons_are_those_of_gensim(ours: EverywordVectors, theirs: Any, words: list[str]) -> None:
    assert ours.similarity(*words[:2]) == pytest.approx(theirs.similarity(*words[:2]), abs=1e-6)
    assert ours.distance(*words[:2]) == pytest.approx(theirs.distance(*words[:2]), abs=1e-6)
    assert ours.n_similarity(words[:2], words[2:]) == pytest.approx(theirs.n_similarity(words[:2], words[2:]), abs=1e-6)
    assert ours.doesnt_match(words) == theirs.doesnt_match(words)
    for first, second in ((words[0], words[1]), (words[4], words[2]), (words[0], words[0])):
        assert ours.closer_than(first, second) == theirs.closer_than(first, second)
        assert ours.rank(first, second) == theirs.rank(first, second)


def test_in_means_known_in_any_spelling_that_the_model_takes_for_the_word(
    ours: EverywordVectors, words: list[str]
) -> None:
    assert words[0] in ours
    assert ours.has_index_for(words[0].upper())
    assert UNKNOWN not in ours
    assert not ours.has_index_for(UNKNOWN)
    assert 3 not in ours
    assert words[0] not in [word for word, _ in ours.most_similar(words[0].upper(), topn=3)]


def test_unknown_words_have_every_answer(ours: EverywordVectors, tiny_model: Model, words: list[str]) -> None:
    np.testing.assert_array_equal(ours[UNKNOWN], tiny_model[UNKNOWN])
    np.testing.assert_array_equal(ours[[UNKNOWN, words[0]]], tiny_model.encode([UNKNOWN, words[0]]))
    assert np.linalg.norm(ours.get_vector(UNKNOWN, norm=True)) == pytest.approx(1, abs=1e-6)
    assert_same_neighbours(ours.most_similar(UNKNOWN, topn=5), tiny_model.nearest(UNKNOWN, 5))
    nearest, *_, furthest = (word for word, _ in ours.most_similar(UNKNOWN, topn=len(ours)))
    assert (ours.rank(UNKNOWN, nearest), ours.rank(UNKNOWN, furthest)) == (1, len(ours))
    assert ours.rank(nearest, UNKNOWN) >= 1
    assert ours.doesnt_match([words[0], words[0].upper(), UNKNOWN]) == UNKNOWN
    assert -1 <= ours.n_similarity([UNKNOWN], words) <= 1


def test_a_word_of_which_nothing_is_known_is_near_nothing(ours: EverywordVectors, words: list[str]) -> None:
    assert ours.most_similar(NOTHING) == []
    assert ours.similarity(NOTHING, words[0]) == 0.0
    assert not ours.get_vector(NOTHING, norm=True).any()


def test_vectors_for_all_is_a_table_of_the_words_given(ours: EverywordVectors, words: list[str]) -> None:
    table = ours.vectors_for_all([words[0].upper(), UNKNOWN, UNKNOWN])
    assert table.index_to_key == [words[0].upper(), UNKNOWN]
    assert UNKNOWN in table
    assert words[0] not in table
    np.testing.assert_array_equal(table.vectors, ours[table.index_to_key])
    assert [word for word, _ in table.most_similar(words[0])] == [words[0].upper(), UNKNOWN]
    assert ours.vectors_for_all([words[0], UNKNOWN], allow_inference=False).index_to_key == [words[0]]
    assert ours.vectors_for_all([]).vectors.shape == (0, ours.vector_size)


@pytest.mark.parametrize("binary", [False, True])
def test_gensim_reads_what_is_written(ours: EverywordVectors, tmp_path: Path, binary: bool) -> None:
    from gensim.models import KeyedVectors

    ours.save_word2vec_format(tmp_path / "table", binary=binary)

    read = KeyedVectors.load_word2vec_format(str(tmp_path / "table"), binary=binary)
    assert read.index_to_key == ours.index_to_key
    np.testing.assert_allclose(read.vectors, ours.vectors, rtol=1e-6)


def test_a_real_table_may_be_of_any_words(ours: EverywordVectors, tiny_model: Model, words: list[str]) -> None:
    table = to_keyed_vectors(tiny_model, [UNKNOWN, words[0]])
    assert table.index_to_key == [UNKNOWN, words[0]]
    np.testing.assert_array_equal(table[UNKNOWN], ours[UNKNOWN])


def test_the_look_alike_needs_no_gensim(monkeypatch: pytest.MonkeyPatch, tiny_model: Model) -> None:
    monkeypatch.setitem(sys.modules, "gensim", None)
    assert EverywordVectors(tiny_model).most_similar(UNKNOWN)
    with pytest.raises(MissingExtraError, match=r'A gensim KeyedVectors needs .*"everyword\[gensim\]"'):
        to_keyed_vectors(tiny_model)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda ours: ours[["ban", 3]], r"Words must be text\. Item 1 is 3, of type int"),
        (lambda ours: ours.get_vector(3), r"A word must be text\. Got 3, of type int"),
        (lambda ours: ours.most_similar("ban", topn=-1), r"'topn' must be a whole number from 0 on, or None\. Got -1"),
        (lambda ours: ours.most_similar("ban", topn="3"), r"'topn' must be a whole number .* Got '3' instead"),
        (lambda ours: ours.most_similar("ban", restrict_vocab=-1), "'restrict_vocab' must be a whole number from 0 on"),
        (lambda ours: ours.most_similar(), "At least one word or vector is needed"),
        (lambda ours: ours.most_similar([3]), r"A key must be a word or a vector of 16 numbers\. Got 3"),
        (lambda ours: ours.most_similar(3), r"A key must be a word or a vector of 16 numbers\. Got 3"),
        (lambda ours: ours.most_similar([("ban", "lan")]), r"A key must be a word or a vector .* Got \('ban', 'lan'\)"),
        (lambda ours: ours.similar_by_vector(np.ones(3)), r"of 16 numbers\. Got an array of shape \(3,\)"),
        (lambda ours: ours.n_similarity([], ["ban"]), "At least one word is needed"),
        (lambda ours: ours.n_similarity("ban", ["ban"]), r"A list of words is needed\. Got the single text 'ban'"),
        (lambda ours: ours.doesnt_match([]), "At least one word is needed"),
        (lambda ours: ours.vectors_for_all("ban"), r"A list of words is needed\. Got the single text 'ban'"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    ours: EverywordVectors, ask: Callable[[EverywordVectors], Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        ask(ours)


def test_the_default_model_answers() -> None:
    assert "mispelling" not in EverywordVectors()
    assert "misspelling" in [word for word, _ in EverywordVectors().similar_by_word("mispelling")]
