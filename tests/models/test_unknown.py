from __future__ import annotations

import numpy as np
import pytest

from everyword import registry
from everyword.models.known import KnownWords
from everyword.models.unknown import Mean, MeanOfPieces, NearestSpelling, UnknownPolicy, stored_or
from everyword.vectors.storage.stored import StoredMatrix
from everyword.vectors.table import VectorTable

TABLE = VectorTable(
    ["the", "type", "writing", "writer", "re"],
    np.array([[1, 0], [0, 2], [4, 0], [0, 8], [9, 9]], dtype=np.float32),
)
STRANGE = ["", " ", "🙂", "\ud800", "x" * 300, "слово"]


@pytest.mark.parametrize("name", list(registry.unknown_policies))
def test_every_policy_answers_every_word_with_finite_numbers(name: str) -> None:
    policy: UnknownPolicy = registry.unknown_policies.get(name)(TABLE)
    vectors = policy([*STRANGE, "typewriting"])
    assert vectors.shape == (7, 2)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert policy([]).shape == (0, 2)


@pytest.mark.parametrize("name", list(registry.unknown_policies))
def test_known_words_of_a_model_serve_as_well_as_a_table(name: str) -> None:
    known = KnownWords(TABLE.words, StoredMatrix(TABLE.matrix))
    words = ["type", "typewriting", "writng", "zzzzzz"]

    np.testing.assert_array_equal(stored_or(name, known, str)(words), stored_or(name, TABLE, str)(words))
    np.testing.assert_array_equal(stored_or(name, known, str.lower)(["TYPE"]), [[0, 2]])


def test_the_mean_is_the_mean() -> None:
    np.testing.assert_allclose(Mean(TABLE)(["x", "y"]), [[2.8, 3.8]] * 2)


def test_a_typo_is_the_word_behind_it() -> None:
    np.testing.assert_array_equal(NearestSpelling(TABLE)(["writng", "zzzzzz"]), [[4, 0], [0, 0]])


def test_a_compound_is_the_mean_of_its_parts() -> None:
    np.testing.assert_array_equal(MeanOfPieces(TABLE)(["typewriting", "retype", "qqq"]), [[2, 1], [0, 2], [0, 0]])
