from __future__ import annotations

import numpy as np
import pytest

from everyword.models.retrieval.letter_rows import OTHER, WIDTH, letter_rows
from everyword.models.retrieval.sound_rows import CLASSES, LONGEST, SOUNDS, sound_rows, spoken
from everyword.models.retrieval.spelt_words import SpeltWords

SPOKEN = {
    "accident": "AKSDNT",
    "back": "BK",
    "bridge": "BRX",
    "exercise": "AKSRSS",
    "facilities": "FSLTS",
    "judge": "XX",
    "knight": "NT",
    "lamb": "LM",
    "match": "MX",
    "nation": "NXN",
    "occasionally": "AKXNL",
    "physician": "FSXN",
    "psalm": "SLM",
    "scene": "SN",
    "school": "SKL",
    "write": "RT",
    "xylophone": "SLFN",
    "": "",
    "🙂": "",
}


@pytest.mark.parametrize(("word", "sounds"), SPOKEN.items())
def test_what_letters_sound_like(word: str, sounds: str) -> None:
    assert spoken(word) == sounds


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("suvenear", "souvenir"),
        ("fisics", "physics"),
        ("nashon", "nation"),
        ("nite", "knight"),
        ("brige", "bridge"),
        ("questionear", "questionnaire"),
        ("rithm", "rhythm"),
        ("acomodate", "accommodate"),
    ],
)
def test_words_spelt_by_ear_sound_like_the_right_ones(wrong: str, right: str) -> None:
    assert spoken(wrong) == spoken(right)


def test_accents_make_no_difference() -> None:
    assert spoken("café") == spoken("cafe")
    assert letter_rows(["Straße, ø"])[0][0, :9].tolist() == [19, 20, 18, 1, 19, 5, OTHER, OTHER, 15]


def test_what_is_too_long_is_cut_off() -> None:
    letters, backwards, lengths = letter_rows(["bd" * 40])
    assert lengths.tolist() == [WIDTH]
    assert letters[0, ::-1].tolist() == backwards[0].tolist()
    sounds, counts = sound_rows(letters, lengths)
    assert counts.tolist() == [LONGEST]
    assert np.count_nonzero(sounds) == LONGEST


def test_every_sound_has_a_class() -> None:
    assert len(CLASSES) == len(SOUNDS) + 1
    assert CLASSES[0] == 0
    assert CLASSES[1:].all()


def test_words_are_spelt_alone_as_among_others() -> None:
    together = SpeltWords.of([*SPOKEN, "bd" * 40, *["some"] * 5000])
    for index, word in enumerate(SPOKEN):
        alone = SpeltWords.of([word])
        assert alone.rows[0].tolist() == together.rows[index].tolist()
        assert alone.lengths[0] == together.lengths[index]
        assert alone.sound_lengths[0] == together.sound_lengths[index]
