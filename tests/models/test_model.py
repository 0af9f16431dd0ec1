from __future__ import annotations

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
