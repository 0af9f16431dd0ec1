"""Stored words that may be slips are less reliable."""

from __future__ import annotations

import numpy as np
import pytest

from everyword.systems.spelling import reliability
from everyword.systems.spelling.reliability import less_sure_of_slips

WORDS = ["friend", "house", "river", *(f"filler{nth}x{nth}" for nth in range(97)), "frend", "zebra", "xx"]


@pytest.fixture(autouse=True)
def few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a list of half a million words, but with a hundred."""
    monkeypatch.setattr(reliability, "NEVER_SLIPS", 50)
    monkeypatch.setattr(reliability, "FREQUENT", 60)
    monkeypatch.setattr(reliability, "FLAT_RANKS", 0.1)


def test_a_rare_word_one_edit_from_a_frequent_one_is_less_reliable() -> None:
    sure = less_sure_of_slips(WORDS, np.full(len(WORDS), 250, dtype=np.uint8))
    changed = {WORDS[row] for row in np.flatnonzero(sure != 250)}
    assert "frend" in changed
    assert not changed & {"friend", "house", "zebra", "xx"}
    expected = 250 * reliability.EVEN_CHANCE / (reliability.EVEN_CHANCE + WORDS.index("frend") / 0.1)
    assert sure[WORDS.index("frend")] == pytest.approx(expected, abs=1)


def test_what_follows_the_words_stays_as_it_is() -> None:
    sure = less_sure_of_slips(WORDS, np.full(len(WORDS) + 5, 200, dtype=np.uint8))
    assert len(sure) == len(WORDS) + 5
    assert (sure[len(WORDS) :] == 200).all()


def test_frequent_words_are_no_slips() -> None:
    same = np.full(3, 255, dtype=np.uint8)
    assert less_sure_of_slips(WORDS[:3], same) is same
