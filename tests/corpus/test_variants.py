"""Which rare words are nothing but another spelling of a frequent one."""

from __future__ import annotations

import numpy as np

from everyword.corpus.vocabulary_selection import SHORTEST_VARIANT, VARIANT_BASES, VARIANT_RARITY, spelling_variants
from everyword.vectors.table import VectorTable

FILLERS = 40


def table_of(**vectors: list[float]) -> VectorTable:
    """The named words, the first at the top of the list and the others far below it."""
    first, *others = vectors
    fillers = [f"{'x' * SHORTEST_VARIANT}{place:04d}" for place in range(FILLERS)]
    matrix = np.concatenate([[vectors[first]], np.eye(FILLERS, 3), [vectors[word] for word in others]])
    return VectorTable([first, *fillers, *others], matrix.astype(np.float32))


def test_a_rare_word_of_nearly_the_same_spelling_and_meaning_is_a_variant() -> None:
    assert FILLERS >= VARIANT_RARITY
    assert spelling_variants(table_of(receive=[1, 1, 0], recieve=[1, 0.8, 0.1])) == {"recieve"}


def test_one_that_means_something_else_is_not() -> None:
    assert spelling_variants(table_of(decides=[1, 1, 0], derides=[-1, 0.2, 1])) == set()


def test_inflected_and_short_words_are_not() -> None:
    assert spelling_variants(table_of(receive=[1, 1, 0], receives=[1, 1, 0])) == set()
    assert spelling_variants(table_of(cat=[1, 1, 0], kat=[1, 1, 0])) == set()


def test_a_word_that_is_nearly_as_frequent_is_not() -> None:
    words = ["colour", "color", *(f"filler{place}" for place in range(3))]
    assert len(words) < VARIANT_BASES
    assert spelling_variants(VectorTable(words, np.ones((len(words), 2), dtype=np.float32))) == set()
