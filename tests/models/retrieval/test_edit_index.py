from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA
from tiny import tiny_table

from everyword import registry
from everyword.errors import InputError
from everyword.models.retrieval.deletions import deletion_hashes
from everyword.models.retrieval.edit_index import NOT_FOUND, EditIndex
from everyword.models.retrieval.spellings import Spellings

word = st.text("abc", max_size=6) | st.text(st.characters(exclude_characters="\0"), max_size=4)


def brute_force(query: str, known: list[str], max_distance: int) -> tuple[int, int]:
    best = min(((OSA.distance(query, other), row) for row, other in enumerate(known)), default=(max_distance + 1, 0))
    return (best[1], best[0]) if best[0] <= max_distance else (NOT_FOUND, NOT_FOUND)


@given(
    known=st.lists(word, max_size=12, unique=True),
    queries=st.lists(word, max_size=8),
    max_distance=st.integers(0, 2),
)
def test_the_answer_is_that_of_comparing_with_every_word(
    known: list[str], queries: list[str], max_distance: int
) -> None:
    rows, distances = EditIndex(known, max_distance).nearest(queries)
    assert list(zip(rows, distances, strict=True)) == [brute_force(query, known, max_distance) for query in queries]


def test_real_misspellings_of_many_words_find_their_way() -> None:
    words, rng = tiny_table().words, Random(0)
    typos = [registry.corruptions.get(rng.choice(["swap", "drop", "insert", "keyboard"]))(word, rng) for word in words]
    index = EditIndex(words)
    rows, distances = index.nearest(typos)
    assert list(zip(rows, distances, strict=True)) == [brute_force(typo, words, 2) for typo in typos]
    assert (distances <= 1).all()


def test_of_equally_near_words_the_more_frequent_wins() -> None:
    assert EditIndex(["cot", "cat"]).nearest(["cbt"])[0].tolist() == [0]
    assert EditIndex(["cat", "cot"]).nearest(["cbt"])[0].tolist() == [0]


def test_more_words_than_a_batch() -> None:
    words = tiny_table().words
    rows, distances = EditIndex(words).nearest(words * 10)
    np.testing.assert_array_equal(rows, np.tile(np.arange(len(words)), 10))
    assert not distances.any()


def test_deletions_hash_like_the_shortened_words_themselves() -> None:
    hashes, owners = deletion_hashes(Spellings.of(["cats", "ab"]), 2)
    shortened = ["cats", "ats", "cts", "cas", "cat", "ts", "as", "at", "cs", "ct", "ca"]
    expected, _ = deletion_hashes(Spellings.of(shortened), 0)
    assert set(hashes[owners == 0].tolist()) == set(expected.tolist())
    empty, _ = deletion_hashes(Spellings.of([""]), 0)
    assert empty[0] in hashes[owners == 1]


@pytest.mark.parametrize("max_distance", [-1, 3])
def test_a_distance_that_is_not_indexed_is_refused(max_distance: int) -> None:
    with pytest.raises(InputError, match=r"max_distance must be 0, 1 or 2\. Got"):
        EditIndex(["cat"], max_distance)


def test_every_letter_counts_in_the_highest_bits_of_a_hash() -> None:
    words = ["".join("b" if number >> place & 1 else "a" for place in range(8)) for number in range(256)]
    hashes, _ = deletion_hashes(Spellings.of(words), 0)
    assert len(np.unique(hashes >> np.uint64(32))) == len(words)
