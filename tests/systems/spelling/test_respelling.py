from __future__ import annotations

from random import Random

import pytest

from everyword.models.retrieval.sound_rows import spoken
from everyword.systems.spelling.respelling import SOUNDS_LIKE, respell


def test_the_same_numbers_give_the_same_misspelling() -> None:
    assert respell("beautiful", Random(3)) == respell("beautiful", Random(3))


def test_most_respellings_sound_alike() -> None:
    rng, words = Random(0), ("physics", "necessary", "tomorrow", "bicycle", "rhythm", "station", "thought")
    made = [(word, respell(word, rng)) for word in words for _ in range(50)]
    assert all(wrong for _, wrong in made)
    assert sum(wrong != word for word, wrong in made) > 0.95 * len(made)
    assert sum(spoken(wrong) == spoken(word) for word, wrong in made) > 0.5 * len(made)


@pytest.mark.parametrize("word", ["", "7", "!?"])
def test_what_has_no_letters_stays(word: str) -> None:
    assert respell(word, Random(0)) == word


def test_nothing_is_replaced_by_itself() -> None:
    assert all(letters not in others for letters, others in SOUNDS_LIKE.items())
