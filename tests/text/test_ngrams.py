from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyword import config
from everyword.errors import ConfigError, InputError
from everyword.text.hashing import PRIME, fnv1a, fnv1a_of_numbers
from everyword.text.ngrams import SPECIALS, NgramUnits, NgramUnitsConfig, build_ngrams, ngrams
from everyword.text.units import UNK
from everyword.text.vocabulary import VocabularyConfig

WORDS = ["where", "here", "her", "there"]


def build(words: list[str] = WORDS, **options: float) -> NgramUnits:
    return build_ngrams(words, VocabularyConfig(), NgramUnitsConfig(**options))


def names(units: NgramUnits, word: str) -> list[str]:
    return [units.units[unit] for unit in units.ids(word)]


def test_the_example_of_fasttext() -> None:
    assert ngrams("where", 3, 3) == ["<wh", "whe", "her", "ere", "re>"]


def test_a_word_is_not_the_same_as_the_letters_inside_another() -> None:
    assert "<her>" in ngrams("her", 3, 6)
    assert "<her>" not in ngrams("where", 3, 6)
    assert "her" in ngrams("where", 3, 6)


@pytest.mark.parametrize(("word", "count"), [("misspelling", 38), ("a", 1), ("", 0)])
def test_how_many_there_are(word: str, count: int) -> None:
    # A marked word of n characters has n - k + 1 n-grams of length k.
    assert len(ngrams(word, 3, 6)) == count


def test_repeats_are_counted() -> None:
    assert names(build(["banana"], shortest=3, longest=3), "banana") == ["<ba", "ban", "ana", "nan", "ana", "na>"]


@given(word=st.text(max_size=12), shortest=st.integers(1, 5), more=st.integers(0, 5))
def test_ngrams_are_all_substrings_of_the_allowed_lengths(word: str, shortest: int, more: int) -> None:
    marked = f"<{word}>"
    expected = [
        marked[start:end]
        for start in range(len(marked))
        for end in range(start + 1, len(marked) + 1)
        if shortest <= end - start <= shortest + more
    ]
    assert ngrams(word, shortest, shortest + more) == expected


def test_every_ngram_of_the_training_words_has_a_row() -> None:
    units = build()
    for word in WORDS:
        assert names(units, word) == ngrams(word, 3, 6)
    assert units.size == len(units.units) == len(SPECIALS) + len({n for word in WORDS for n in ngrams(word, 3, 6)})


def test_unknown_ngrams_are_left_out_and_nothing_grows() -> None:
    units = build()
    before = list(units.units)
    assert names(units, "wherever") == [n for n in ngrams("wherever", 3, 6) if n in before]
    assert units.ids("qqq") == [UNK]
    assert not units.usable("qqq")
    assert units.units == before


def test_the_top_ngrams_are_those_in_most_words() -> None:
    units = build(top=3)
    assert units.units[len(SPECIALS) :] == ["her", "ere", "ere>"]  # four words, then three; ties by the alphabet
    assert names(units, "where") == ["her", "ere", "ere>"]


def test_frequent_words_may_count_more() -> None:
    words = ["ox", *["sheep", "sleep"] * 2]  # "ox" is the most frequent
    assert build(words, shortest=4, longest=4, top=1).units[-1] == "eep>"
    assert build(words, shortest=4, longest=4, top=1, frequency_power=2).units[-1] == "<ox>"


@pytest.mark.parametrize("options", [{}, {"top": 3}, {"buckets": 50}])
def test_the_empty_string_has_nothing_and_says_so(options: dict[str, int]) -> None:
    units = build(**options)
    assert units.ids("") == [UNK]
    assert not units.usable("")
    assert units.unknown_characters("") == []


def test_hashed_rows_are_the_golden_ones() -> None:
    assert fnv1a(b"<wh") == 0x3E79C4E4
    units = build(shortest=3, longest=3, buckets=1000)
    expected = [len(SPECIALS) + fnv1a(ngram.encode()) % 1000 for ngram in ngrams("where", 3, 3)]
    assert units.ids("where") == expected == [654, 943, 422, 35, 500]
    assert units.size == len(SPECIALS) + 1000


def test_a_hash_has_no_answer_for_characters_never_met() -> None:
    units = build(buckets=1000)
    assert not units.usable("слово")
    assert units.ids("слово") == [UNK]
    assert len(units.ids("weя")) == 1  # only "<we" is all known
    assert units.unknown_characters("weяя") == ["я"]
    assert build().unknown_characters("wax") == ["a", "x"]


def test_marks_alone_make_no_word_usable() -> None:
    units = build(shortest=1, buckets=100)
    assert not units.usable("")
    assert not units.usable("<>")


@pytest.mark.parametrize("options", [{}, {"top": 5}, {"buckets": 64}, {"shortest": 1, "longest": 30}])
def test_what_is_saved_is_read_back(tmp_path: Path, options: dict[str, int]) -> None:
    units = build(**options)
    units.save(tmp_path / "units.txt")
    read = NgramUnits.load(tmp_path / "units.txt", units.config)
    assert (read.units, read.size) == (units.units, units.size)
    for word in (*WORDS, "wherever", "", "xyz"):
        assert read.ids(word) == units.ids(word)
        assert read.usable(word) == units.usable(word)


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "units.txt").write_text("her\nere\n")
    with pytest.raises(InputError, match="must begin with the lines"):
        NgramUnits.load(tmp_path / "units.txt", NgramUnitsConfig())


@pytest.mark.parametrize(
    "options",
    [
        {"shortest": 0},
        {"shortest": 5, "longest": 4},
        {"top": 0},
        {"buckets": 0},
        {"top": 5, "buckets": 5},
        {"frequency_power": -1},
    ],
)
def test_values_that_cannot_be_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(ConfigError):
        config.build(NgramUnitsConfig, options)


@given(number=st.integers(0, 2**32 - 1))
def test_the_hash_of_a_number_is_that_of_its_bytes(number: int) -> None:
    import numpy as np

    assert fnv1a_of_numbers(np.array([number])).tolist() == [fnv1a(number.to_bytes(4, "little"))]
    assert fnv1a_of_numbers(np.array([number]), PRIME + 2).tolist() != [fnv1a(number.to_bytes(4, "little"))]


@pytest.mark.parametrize("buckets", [None, 5])
def test_units_are_shown_in_step_with_their_ids(buckets: int | None) -> None:
    listed = ["<wh", "whe", "re>"] if buckets is None else list("wher")
    units = NgramUnits(listed, NgramUnitsConfig(3, 3, buckets=buckets))
    assert units.shown("where")[:2] == ["<wh", "whe"]
    assert units.shown("東京") == ["[UNK]"]
    for word in ("where", "w0ere", "東京", ""):
        assert len(units.shown(word)) == len(units.ids(word))
