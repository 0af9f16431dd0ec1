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


@pytest.mark.filterwarnings("ignore:Call to deprecated")  # by gensim itself
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
        lambda table, words: table.most_similar(words[0], clip_start=3, clip_end=30),
        lambda table, words: table.most_similar(words[0], topn=np.uint8(0)),
        lambda table, words: table.most_similar_cosmul(words[0]),
        lambda table, words: table.most_similar_cosmul(words[:2], words[2], topn=3),
        lambda table, words: table.most_similar_cosmul(positive=words[0], negative=[words[1]], topn=5),
        lambda table, words: table.most_similar_cosmul(positive=[table[words[0]], words[1]]),
        lambda table, words: table.most_similar_cosmul(words[0], topn=0),
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


@pytest.mark.parametrize(
    "ask",
    [
        lambda table, words: table.distances(words[0]),
        lambda table, words: table.distances(table[words[0]], words[2:5]),
        lambda table, words: table.distances(words[0], [words[0]]),
        lambda table, words: table.cosine_similarities(table[words[0]], table.vectors),
        lambda table, words: table.get_mean_vector(words),
        lambda table, words: table.get_mean_vector(words, weights=[1, 2, 3, -1, 0, 0.5]),
        lambda table, words: table.get_mean_vector(words, pre_normalize=False),
        lambda table, words: table.get_mean_vector(words, post_normalize=True),
        lambda table, words: table.get_mean_vector([words[0], table[words[1]]], np.array([1.0, 2.0])),
        lambda table, words: [table.relative_cosine_similarity(words[0], word, 5) for word in words[1:]],
        lambda table, words: [float(closeness) for closeness, _ in table.rank_by_centrality(words)],
        lambda table, words: [float(closeness) for closeness, _ in table.rank_by_centrality(words, use_norm=False)],
        lambda table, words: [table.get_index(words[3]), table.get_index("qqqq", 7)],
        lambda table, words: (table.fill_norms(), table.fill_norms(force=True), table.norms)[-1],
        lambda table, words: [table.wmdistance(words[:3], words[2:]), table.wmdistance(words[:1], words[:1])],
        lambda table, words: table.wmdistance(words[:3], words[2:], norm=False),
        lambda table, words: table.wmdistance([], words),
    ],
)
def test_numbers_are_those_of_gensim(
    ours: EverywordVectors, theirs: Any, words: list[str], ask: Callable[[Any, list[str]], Any]
) -> None:
    np.testing.assert_allclose(ask(ours, words), ask(theirs, words), atol=1e-5)


@pytest.mark.filterwarnings("ignore:Call to deprecated")
def test_words_by_comparison_are_those_of_gensim(ours: EverywordVectors, theirs: Any, words: list[str]) -> None:
    assert ours.most_similar_to_given(words[0], words[1:]) == theirs.most_similar_to_given(words[0], words[1:])
    assert ours.words_closer_than(words[0], words[1]) == theirs.words_closer_than(words[0], words[1])
    by_closeness = [word for _, word in theirs.rank_by_centrality(words)]
    assert [word for _, word in ours.rank_by_centrality(words)] == by_closeness
    whole = ours.most_similar_cosmul(words[0], topn=None)
    np.testing.assert_allclose(whole, theirs.most_similar_cosmul(words[0], topn=None), atol=1e-5)


def test_evaluations_are_those_of_gensim_where_all_words_are_known(
    ours: EverywordVectors, theirs: Any, words: list[str], tmp_path: Path
) -> None:
    pairs, analogies = tmp_path / "pairs.tsv", tmp_path / "analogies.txt"
    numbered = [f"{word}\t{words[0].upper()}\t{place}\n" for place, word in enumerate(words)]
    pairs.write_text("# a comment\n" + "".join(numbered) + "not a pair\n", encoding="utf-8")
    quads = [words[:4], words[1:5], words[2:6]]
    analogies.write_text(": first\n" + "".join(" ".join(quad) + "\n" for quad in quads), encoding="utf-8")

    for options in ({}, {"dummy4unknown": True}, {"restrict_vocab": 4}):
        found, expected = ours.evaluate_word_pairs(pairs, **options), theirs.evaluate_word_pairs(str(pairs), **options)
        np.testing.assert_allclose(np.hstack(found), np.hstack(expected), atol=1e-4)
    assert ours.evaluate_word_analogies(analogies) == theirs.evaluate_word_analogies(str(analogies))


def test_evaluations_leave_no_word_out(ours: EverywordVectors, theirs: Any, words: list[str], tmp_path: Path) -> None:
    pairs, analogies = tmp_path / "pairs.tsv", tmp_path / "analogies.txt"
    pairs.write_text("".join(f"{word}\t{UNKNOWN}\t{place}\n" for place, word in enumerate(words)), encoding="utf-8")
    analogies.write_text(f": one\n{words[0]} {words[0]}x {words[1]} {UNKNOWN}\n", encoding="utf-8")

    cosines = [ours.similarity(word, UNKNOWN) for word in words]
    pearson, _, left_out = ours.evaluate_word_pairs(pairs)

    assert left_out == 0
    assert pearson[0] == pytest.approx(np.corrcoef(cosines, np.arange(len(words)))[0, 1], abs=1e-5)
    with pytest.raises(ValueError, match="out-of-vocabulary"):
        theirs.evaluate_word_pairs(str(pairs))
    _, (_, total) = ours.evaluate_word_analogies(analogies)
    assert len(total["correct"]) + len(total["incorrect"]) == 1


def test_unknown_words_count_in_distances_and_means(ours: EverywordVectors, words: list[str]) -> None:
    assert ours.wmdistance([UNKNOWN], [UNKNOWN]) == 0
    assert 0 < ours.wmdistance([UNKNOWN, words[0]], [words[1]]) < np.inf
    assert ours.distances(words[0], [UNKNOWN])[0] == pytest.approx(ours.distance(words[0], UNKNOWN), abs=1e-6)
    np.testing.assert_allclose(ours.get_mean_vector([UNKNOWN], pre_normalize=False), ours[UNKNOWN], atol=1e-5)
    np.testing.assert_allclose(ours.get_mean_vector([UNKNOWN, NOTHING]), ours.get_vector(UNKNOWN, norm=True), atol=1e-5)
    assert ours.most_similar_to_given(UNKNOWN, [words[0], UNKNOWN]) == UNKNOWN
    for ask in (
        lambda: ours.get_index(UNKNOWN),
        lambda: ours.get_vecattr(words[0], "never set"),
        lambda: ours.set_vecattr(UNKNOWN, "count", 3),
        lambda: ours.get_mean_vector([NOTHING], ignore_missing=False),
    ):
        with pytest.raises(KeyError):
            ask()


def test_attributes_of_words(ours: EverywordVectors, theirs: Any, words: list[str]) -> None:
    mine = ours.vectors_for_all(words)
    for table in (mine, theirs):
        table.set_vecattr(words[0], "count", 7)
        table.set_vecattr(words[1], "tag", "noun")
    assert mine.get_vecattr(words[0], "count") == theirs.get_vecattr(words[0], "count") == 7
    assert mine.get_vecattr(words[1], "count") == theirs.get_vecattr(words[1], "count") == 0
    assert mine.get_vecattr(words[1], "tag") == "noun"
    copied = mine.vectors_for_all([UNKNOWN, words[0]], copy_vecattrs=True)
    assert [copied.get_vecattr(word, "count") for word in copied.index_to_key] == [0, 7]
    assert not mine.vectors_for_all(words).expandos


def test_saved_and_loaded(ours: EverywordVectors, words: list[str], tmp_path: Path) -> None:
    mine = ours.vectors_for_all([UNKNOWN, words[0]])
    mine.set_vecattr(UNKNOWN, "count", 7)
    mine.set_vecattr(UNKNOWN, "tag", "nöun")
    mine.save(tmp_path / "table")
    again = EverywordVectors.load(tmp_path / "table", mmap="r")
    assert again.index_to_key == mine.index_to_key
    np.testing.assert_array_equal(again.vectors, mine.vectors)
    assert again.get_vecattr(UNKNOWN, "count") == 7
    assert [again.get_vecattr(word, "tag") for word in (UNKNOWN, words[0])] == ["nöun", 0]
    ours.save(tmp_path / "table")
    assert EverywordVectors.load(tmp_path / "table").index_to_key == ours.index_to_key
    listed = tmp_path / "table" / "keyed_vectors.json"
    listed.unlink()
    assert EverywordVectors.load(tmp_path / "table").index_to_key == ours.index_to_key
    listed.write_text('{"words": null, "attributes": {"a": [1]}}', encoding="utf-8")
    with pytest.raises(InputError, match=r"is damaged .* save the vectors again"):
        EverywordVectors.load(tmp_path / "table")
    mine.expandos["odd"] = np.array([object(), None])
    with pytest.raises(InputError, match="must be numbers or texts to be saved"):
        mine.save(tmp_path / "table")


OF_TABLES_THAT_CHANGE = {
    *("add_vector", "add_vectors", "allocate_vecattrs", "init_sims", "intersect_word2vec_format"),
    *("load_word2vec_format", "resize_vectors", "sort_by_descending_frequency", "unit_normalize_all"),
}
OF_GENSIM_ITSELF = {"add_lifecycle_event", "log_accuracy", "log_evaluate_word_pairs", "similarity_unseen_docs"}
OF_OLDER_VERSIONS = {"index2entity", "index2word", "vectors_norm", "vocab", "word_vec"}


def test_every_method_of_gensim_is_there(ours: EverywordVectors, theirs: Any) -> None:
    public = {name for name in dir(type(theirs)) if not name.startswith("_")}
    missing = {name for name in public if not hasattr(ours, name)}
    assert missing == OF_TABLES_THAT_CHANGE | OF_GENSIM_ITSELF | OF_OLDER_VERSIONS
    with pytest.raises(
        AttributeError, match=r"has no 'add_vectors': .* to_keyed_vectors makes a gensim table that can"
    ):
        _ = ours.add_vectors  # type: ignore[attr-defined]


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
        (lambda ours: ours.most_similar_cosmul(negative="ban"), "At least one word or vector is needed"),
        (lambda ours: ours.get_mean_vector([]), r"at least one key, and as many weights as keys\. Got 0 keys"),
        (lambda ours: ours.get_mean_vector(["ban"], [1, 2]), r"Got 1 keys and 2 weights"),
        (lambda ours: ours.relative_cosine_similarity(NOTHING, "ban"), r"needs a word with neighbours\. Got '\\u200b'"),
        (lambda ours: ours.wmdistance("ban", ["ban"]), r"A list of words is needed\. Got the single text 'ban'"),
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


@pytest.mark.parametrize("key", [3, np.int64(3)])
def test_a_number_as_a_key_is_refused_in_one_sentence(ours: EverywordVectors, key: Any) -> None:
    with pytest.raises(InputError, match=r"Keys are words, not numbers; write vectors\[vectors.index_to_key\[3\]\]"):
        ours[key]
