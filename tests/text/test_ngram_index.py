"""Many words at once have the units that each has alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import tiny_table

from everyword.text.mixed import MixedUnits
from everyword.text.ngram_index import WORDS_AT_ONCE, NgramIndex
from everyword.text.ngrams import FEW, NgramUnits, NgramUnitsConfig, build_ngrams, ngrams
from everyword.text.units import Units
from everyword.text.vocabulary import VocabularyConfig

LETTERS = "ab<> é\x00東🙂\ud800"
few_letters = st.text(alphabet=LETTERS, max_size=9)
any_text = st.text(st.characters(), max_size=12)


def assert_batch_is_the_words_one_by_one(units: Units, words: list[str]) -> None:
    batch = units.batch(words)
    parts = np.split(batch.sequences.flat, np.cumsum(batch.sequences.lengths)[:-1]) if words else []
    assert [part.tolist() for part in parts] == [units.ids(word) for word in words]
    assert batch.usable.tolist() == [units.usable(word) for word in words]


@settings(deadline=None)
@given(
    listed_from=st.lists(few_letters, max_size=12),
    words=st.lists(few_letters | any_text, max_size=8),
    shortest=st.integers(1, 4),
    more=st.integers(0, 4),
    top=st.sampled_from([None, 3, 20]),
)
def test_many_words_are_the_words_one_by_one(
    listed_from: list[str], words: list[str], shortest: int, more: int, top: int | None
) -> None:
    units = build_ngrams(listed_from, VocabularyConfig(), NgramUnitsConfig(shortest, shortest + more, top))
    assert_batch_is_the_words_one_by_one(units, words)
    assert_batch_is_the_words_one_by_one(units, words + [""] * FEW)  # enough of them for arrays


@pytest.mark.parametrize("longest", [6, 30])
def test_numbers_with_loss_find_the_same(longest: int) -> None:
    # 3,000 characters need more than 64 bits even for 6-grams.
    rng = np.random.default_rng(0)
    words = ["".join(map(chr, rng.integers(0x4E00, 0x4E00 + 3000, size=rng.integers(1, 9)))) for _ in range(400)]
    units = build_ngrams(words[:300], VocabularyConfig(), NgramUnitsConfig(1, longest))
    assert_batch_is_the_words_one_by_one(units, words)


def test_blocks_long_words_and_crowded_tables() -> None:
    words = tiny_table().words
    units = build_ngrams(words, VocabularyConfig(), NgramUnitsConfig(1, 6))
    many = [*words, "ban" * 3000, *words[::-1]] * 4
    assert len(many) > 2 * WORDS_AT_ONCE
    assert_batch_is_the_words_one_by_one(units, many)


def test_listed_strings_of_other_lengths_are_never_found() -> None:
    units = NgramUnits(["<wh", "where", "h"], NgramUnitsConfig(3, 3))
    assert_batch_is_the_words_one_by_one(units, ["where", "h", "w"] * FEW)


def test_an_empty_list_finds_nothing() -> None:
    index = NgramIndex({}, 3, 6, ("<", ">"))
    assert index.sequences(["where", ""]).lengths.tolist() == [1, 1]
    assert len(index.sequences([])) == 0


@pytest.mark.parametrize("buckets", [None, 7])
def test_other_units_too(buckets: int | None) -> None:
    words = ["where", "", "東京", "here"] * FEW
    assert_batch_is_the_words_one_by_one(NgramUnits(list("wher"), NgramUnitsConfig(1, 2, buckets=buckets)), words)
    assert_batch_is_the_words_one_by_one(MixedUnits([*"wher", "##re"]), words)


def test_every_listed_ngram_has_its_own_number() -> None:
    listed = {ngram for word in tiny_table().words for ngram in ngrams(word, 2, 6)}
    index = NgramIndex({ngram: row for row, ngram in enumerate(listed, start=2)}, 2, 6, ("<", ">"))
    assert len(np.unique(index._numbers_of(list(listed)))) == len(listed)
