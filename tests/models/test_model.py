from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tiny import tiny_table

from everyword.errors import InputError
from everyword.models.explanation import Source
from everyword.models.model import Model


def test_encode_gives_one_float32_row_a_word(tiny_model: Model) -> None:
    vectors = tiny_model.encode(["ban", "bann", "grelo"])
    assert vectors.shape == (3, 16)
    assert vectors.dtype == np.float32
    assert tiny_model.encode([]).shape == (0, 16)


def test_words_may_come_from_any_iterable(tiny_model: Model) -> None:
    words = ["ban", "bann", "grelo"]
    expected = tiny_model.encode(words)
    for iterable in (tuple(words), iter(words), (word for word in words), np.array(words), dict.fromkeys(words)):
        np.testing.assert_array_equal(tiny_model.encode(iterable), expected)
    assert tiny_model.vectors_for(iter(words)).words == words


def test_a_single_word_gives_a_single_vector(tiny_model: Model) -> None:
    np.testing.assert_array_equal(tiny_model.encode("ban"), tiny_model["ban"])
    assert tiny_model["ban"].shape == (16,)


def test_a_known_word_keeps_the_vector_of_the_teacher(tiny_model: Model) -> None:
    np.testing.assert_array_equal(tiny_model["ban"], tiny_table()["ban"])


def test_known_means_stored_and_nothing_else(tiny_model: Model) -> None:
    assert tiny_model.known("ban")
    assert "ban" in tiny_model
    assert "bann" not in tiny_model
    assert 7 not in tiny_model
    assert tiny_model.source("ban") is Source.KNOWN
    assert tiny_model.source("bann") is Source.INFERRED


def test_words_are_normalised_once_for_everything(tiny_model: Model) -> None:
    assert tiny_model.known(" BAN\n")
    np.testing.assert_array_equal(tiny_model["Bannx"], tiny_model["bannx "])


def test_inferred_vectors_have_the_length_of_the_teachers(tiny_model: Model) -> None:
    teacher_length = np.linalg.norm(tiny_table().matrix, axis=1).mean()
    lengths = np.linalg.norm(tiny_model.infer(["ban", "bann", "trusted"]), axis=1)
    np.testing.assert_allclose(lengths, teacher_length, rtol=0.02)


def test_the_encoder_has_learnt_words_it_never_saw(tiny_model: Model) -> None:
    table = tiny_table()
    unseen = table.words[200:]  # trained on, but not stored
    own = tiny_model.encode(unseen)
    cosines = [
        np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(own, table.matrix[200:], strict=True)
    ]
    assert np.mean(cosines) > 0.5


def test_nearest_leaves_the_word_itself_out_and_is_sorted(tiny_model: Model) -> None:
    neighbours = tiny_model.nearest("ban", k=5)
    assert len(neighbours) == 5
    assert "ban" not in dict(neighbours)
    cosines = [cosine for _, cosine in neighbours]
    assert cosines == sorted(cosines, reverse=True)
    assert all(isinstance(cosine, float) and -1 <= cosine <= 1.000001 for cosine in cosines)
    best = max(
        (word for word in tiny_model.known_words.words if word != "ban"),
        key=lambda word: tiny_model.similarity("ban", word),
    )
    assert neighbours[0][0] == best


def test_neighbours_of_many_words_and_vectors(tiny_dan_model: Model) -> None:
    words = ["ban", "bna", "🙂", "grelonesss"]
    found = tiny_dan_model.nearest(words, k=3)
    assert [[word for word, _ in each] for each in found] == [
        [word for word, _ in tiny_dan_model.nearest(word, 3)] for word in words
    ]
    assert found[2] == []
    assert tiny_dan_model.nearest(iter(words), k=3) == found
    assert tiny_dan_model.nearest(np.array(words), k=3) == found
    assert tiny_dan_model.nearest([]) == []
    vectors = tiny_dan_model.encode(words)
    by_vector = tiny_dan_model.nearest(vectors, k=4)
    assert [word for word, _ in by_vector[0]] == ["ban", *(word for word, _ in found[0])]
    assert tiny_dan_model.nearest(vectors[1], k=4) == by_vector[1]
    assert tiny_dan_model.nearest(vectors.astype(np.float64)[1], k=4) == by_vector[1]


def test_neighbours_of_a_sum_are_those_of_gensim(tiny_model: Model) -> None:
    gensim = pytest.importorskip("gensim.models")
    words = tiny_model.known_words.words
    vectors = gensim.KeyedVectors(tiny_model.dim)
    vectors.add_vectors(words, tiny_model.encode(words))
    one, two, three = words[:3]
    for positive, negative in (([one, two], [three]), ([one], []), ([one], [two, three])):
        found = tiny_model.nearest(positive=positive, negative=negative, k=5)
        expected = vectors.most_similar(positive=positive, negative=negative, topn=5)
        assert [word for word, _ in found] == [word for word, _ in expected]
        np.testing.assert_allclose([c for _, c in found], [c for _, c in expected], atol=1e-5)
    assert tiny_model.nearest(positive=one, k=3) == tiny_model.nearest(one, k=3)
    by_vector = tiny_model.nearest(positive=tiny_model[one], negative=[two], k=3)
    assert by_vector[0][1] <= 1
    assert two not in dict(by_vector)
    assert tiny_model.nearest(positive=[one], negative=[one]) == []


def test_neighbours_that_cannot_be_found_are_explained(tiny_model: Model) -> None:
    with pytest.raises(InputError, match="either words or positive and negative"):
        tiny_model.nearest("ban", positive=["grelo"])
    with pytest.raises(InputError, match="Give a word, a vector"):
        tiny_model.nearest()
    with pytest.raises(InputError, match=r"have 16 numbers\. Got an array of shape \(3,\) instead"):
        tiny_model.nearest(np.ones(3, dtype=np.float32))


def test_vectors_of_length_one_on_request(tiny_model: Model) -> None:
    words = ["ban", "bann", "🙂"]
    units = tiny_model.encode(words, normalize=True)
    np.testing.assert_allclose(np.linalg.norm(units, axis=1), [1, 1, 0], atol=1e-6)
    np.testing.assert_allclose(tiny_model.encode("bann", normalize=True), units[1], atol=1e-6)
    np.testing.assert_allclose(units[0] * np.linalg.norm(tiny_model["ban"]), tiny_model["ban"], atol=1e-5)


def test_a_model_has_the_length_and_the_words_of_what_it_stores(tiny_model: Model) -> None:
    assert len(tiny_model) == 200
    assert list(tiny_model) == tiny_model.known_words.words
    nothing = tiny_model.without(tiny_model)
    assert len(nothing) == 0
    assert nothing  # it still makes vectors


@pytest.mark.parametrize("fixture", ["tiny_model", "tiny_dan_model", "tiny_adapted_model"])
def test_lists_of_words_get_lists_of_answers(fixture: str, request: pytest.FixtureRequest) -> None:
    model: Model = request.getfixturevalue(fixture)
    words = ["ban", "bna", "🙂", "", "grelonesss", "Trusting"]
    vectors, explanations = model.look_up(iter(words))
    np.testing.assert_allclose(vectors, model.encode(words), atol=1e-5)
    assert model.source(words) == [model.source(word) for word in words] == [each.source for each in explanations]
    assert [str(each) for each in model.explain(words)] == [str(model.explain(word)) for word in words]
    assert [str(each) for each in explanations] == [str(model.explain(word)) for word in words]
    assert model.source([]) == model.explain([]) == []


def test_more_neighbours_than_words_are_all_words(tiny_model: Model) -> None:
    assert len(tiny_model.nearest("bann", k=10_000)) == 200


def test_similarity_is_a_cosine(tiny_model: Model) -> None:
    assert tiny_model.similarity("ban", "ban") == pytest.approx(1)
    assert tiny_model.similarity("ban", "bann") == pytest.approx(tiny_model.similarity("bann", "ban"))


def test_vectors_for_any_words_is_a_plain_table(tiny_model: Model) -> None:
    table = tiny_model.vectors_for(["ban", "Ban", "bann", "ban"])
    assert table.words == ["ban", "Ban", "bann"]
    np.testing.assert_array_equal(table["bann"], tiny_model["bann"])


@pytest.mark.parametrize("words", [["ban", 3], [None], [b"ban"]])
def test_words_that_are_not_text_are_named(tiny_model: Model, words: list[object]) -> None:
    with pytest.raises(InputError, match=r"Words must be text. Item \d is .* of type"):
        tiny_model.encode(words)  # type: ignore[arg-type]


def test_a_single_text_where_a_list_is_needed_is_explained(tiny_model: Model) -> None:
    for method in (tiny_model.infer, tiny_model.vectors_for):
        with pytest.raises(InputError, match=r"write \['ban'\]"):
            method("ban")


@pytest.mark.parametrize("call", ["known", "source", "nearest", "__getitem__"])
def test_a_word_that_is_not_text_is_an_error_everywhere(tiny_model: Model, call: str) -> None:
    with pytest.raises(InputError, match=r"A word must be text\. Got 3"):
        getattr(tiny_model, call)(3)


def test_k_must_be_positive(tiny_model: Model) -> None:
    with pytest.raises(InputError, match=r"k must be 1 or more\. Got 0 instead"):
        tiny_model.nearest("ban", k=0)


def test_the_form_encoder_under_its_old_name(tiny_model: Model) -> None:
    with pytest.warns(DeprecationWarning, match=r"now called Model\.form_encoder"):
        assert tiny_model.imputer is tiny_model.form_encoder


def test_a_list_of_numbers_is_a_vector_to_nearest(tiny_model: Model) -> None:
    vector = tiny_model.encode("banana")
    assert tiny_model.nearest(vector.tolist(), k=2) == tiny_model.nearest(vector, k=2)
    assert tiny_model.nearest([vector, vector], k=1) == tiny_model.nearest(np.stack([vector, vector]), k=1)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("NaN", "Vectors must be finite"),
        ([0.5, np.inf], "numbers. Got an array of shape"),
        ([[0.5], [0.5, 1.0]], "several of equal length"),
        ([None], "numbers. Got an array of shape|several of equal length"),
    ],
)
def test_a_vector_that_nearest_cannot_use_is_refused(tiny_model: Model, query: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        tiny_model.nearest(np.full(tiny_model.dim, np.nan) if query == "NaN" else query)


@pytest.mark.parametrize("words", [None, 5])
def test_words_that_are_not_a_list_are_refused_in_one_sentence(tiny_model: Model, words: Any) -> None:
    with pytest.raises(InputError, match="A list of words is needed"):
        tiny_model.encode(words)
