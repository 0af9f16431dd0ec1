from __future__ import annotations

import re
from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everyword import registry
from everyword.text.corruption import SHORTEST, Corruption, corrupt_text, drop, insert, keyboard, swap

ALL_KINDS: list[Corruption] = [registry.corruptions.get(name) for name in registry.corruptions]
SHARES = st.floats(0, 1)
TEXT = "The (quick)  brown\tfox, \u201cjumps\u201d over -- the lazy dog's... 42!\r\n\u3000end\n"


def blanks(text: str) -> list[str]:
    return re.findall(r"\s+", text)


@settings(deadline=None)
@given(st.text(st.characters()), SHARES, st.integers(0, 99))
def test_white_space_stays_as_it_is(text: str, share: float, seed: int) -> None:
    corrupted = corrupt_text(text, share, ALL_KINDS, Random(seed))

    assert blanks(corrupted) == blanks(text)
    assert len(corrupted.split()) == len(text.split())


@settings(deadline=None)
@given(st.text(st.characters()), st.integers(0, 99))
def test_share_zero_changes_nothing(text: str, seed: int) -> None:
    assert corrupt_text(text, 0, ALL_KINDS, Random(seed)) == text


@pytest.mark.parametrize("corruption", [swap, drop, insert, keyboard])
def test_share_one_touches_every_word_that_can_be_touched(corruption: Corruption) -> None:
    corrupted = corrupt_text(TEXT, 1, [corruption], Random(1))

    for before, after in zip(TEXT.split(), corrupted.split(), strict=True):
        long_enough = len(re.sub(r"\W", "", before)) >= SHORTEST
        assert (before != after) is long_enough, before


def test_a_share_of_the_words_is_touched() -> None:
    words, share = 20_000, 0.3
    corrupted = corrupt_text("spelling " * words, share, [drop], Random(0)).split()

    touched = sum(word != "spelling" for word in corrupted)

    assert abs(touched - share * words) < 3 * sqrt(words * share * (1 - share))


def test_every_kind_is_drawn_about_as_often() -> None:
    words = 6000
    lengths = [len(word) for word in corrupt_text("spelling " * words, 1, [swap, drop, insert], Random(0)).split()]

    for length in (7, 8, 9):
        assert abs(lengths.count(length) - words / 3) < 3 * sqrt(words * 2 / 9)


@pytest.mark.parametrize("seed", range(30))
def test_punctuation_around_a_word_stays(seed: int) -> None:
    corrupted = corrupt_text("(word), “other”... --", 1, ALL_KINDS, Random(seed))

    assert re.fullmatch(r"\(\w+\), “\w+”\.\.\. --", corrupted)


def test_the_same_seed_gives_the_same_text() -> None:
    versions = {corrupt_text(TEXT, 0.5, ALL_KINDS, Random(seed)) for seed in range(20)}

    assert corrupt_text(TEXT, 0.5, ALL_KINDS, Random(3)) == corrupt_text(TEXT, 0.5, ALL_KINDS, Random(3))
    assert len(versions) > 10
