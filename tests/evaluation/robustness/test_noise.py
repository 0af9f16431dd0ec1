from __future__ import annotations

from itertools import pairwise

import pytest

from everyword import registry
from everyword.errors import InputError, NoScoreError, UnknownNameError
from everyword.evaluation.robustness.noise import FAMILIES, LADDER, Misspeller, Noise, noise_levels, read_noise
from everyword.evaluation.run import mean_of
from everyword.evaluation.task import Scores
from everyword.evaluation.tasks import analogy, held_out, misspelling
from everyword.evaluation.tasks.analogy import AnalogySet
from everyword.evaluation.tasks.misspelling import MisspellingSet

WORDS = [f"misspelling{number}" for number in range(400)]


def shout(word: str) -> str:
    return word.upper()


def test_a_name_stands_for_a_family_or_for_any_registered_corruption() -> None:
    assert Noise("typo", 10).kinds == ("swap", "drop", "insert", "keyboard")
    assert {name for kinds in FAMILIES.values() for name in kinds} == set(registry.corruptions)
    assert str(Noise("ocr", 2.5)) == "ocr-2.5"
    assert read_noise("ocr-2.5") == Noise("ocr", 2.5)
    with pytest.raises(UnknownNameError, match="There is no corruption 'orc': did you mean 'ocr'"):
        Noise("orc", 10)
    with pytest.raises(NoScoreError, match="no published noisy copies"):
        _ = Noise("published", 10).kinds
    for strength in (0, -1, 101, float("nan")):
        with pytest.raises(InputError, match="must lie between 0 and 100 percent"):
            Noise("typo", strength)


@pytest.mark.parametrize("name", ["typo", "typo-", "-10", "typo-ten", "typo 10"])
def test_a_name_that_is_no_noise(name: str) -> None:
    with pytest.raises(InputError, match="corruption-strength, as in typo-70"):
        read_noise(name)


def test_clean_is_the_same_step_for_all_corruptions() -> None:
    assert noise_levels(["typo", "ocr"], [0, 10, 10.0]) == [None, Noise("typo", 10), Noise("ocr", 10)]
    assert len(noise_levels(["typo"], LADDER)) == 10


def test_about_as_many_words_are_wrong_as_were_asked_for() -> None:
    for strength in LADDER[1:]:
        misspell = Misspeller(Noise("insert", strength), seed=3)
        for word in WORDS:
            misspell(word)
        assert misspell.changed == pytest.approx(strength / 100, abs=0.07)


def test_what_is_wrong_stays_wrong_in_the_same_way_when_noise_grows() -> None:
    written = [[Misspeller(Noise("typo", strength), 1)(word) for word in WORDS] for strength in LADDER[1:]]

    for weaker, stronger in pairwise(written):
        assert all(one in (word, other) for word, one, other in zip(WORDS, weaker, stronger, strict=True))
    misspell = Misspeller(Noise("typo", 50), 1)
    assert [misspell(word) for word in WORDS + WORDS] == written[4] * 2
    assert [Misspeller(Noise("typo", 50), 2)(word) for word in WORDS] != written[4]


def test_a_misspelt_question_keeps_its_answer_and_bars_what_was_meant() -> None:
    clean = AnalogySet("few", ["s"], [("man", "king", "woman", "queen")])

    noisy = analogy.misspelt(clean, shout)

    assert noisy.questions == [("MAN", "KING", "WOMAN", "queen")]
    assert noisy.barred == [("MAN", "KING", "WOMAN", "man", "king", "woman")]
    assert clean.barred == [("man", "king", "woman")]


def test_wrong_forms_that_become_the_same_stand_for_the_words_of_both() -> None:
    clean = MisspellingSet("few", {"teh": ["the"], "Teh": ["tech"]})

    assert misspelling.misspelt(clean, shout).rights == {"TEH": ["the", "tech"]}


def test_held_out_words_are_still_compared_with_the_teachers_vector_of_the_right_one() -> None:
    from pathlib import Path

    from tiny import tiny_table

    words = tiny_table().words[:3]
    noisy = held_out.misspelt(held_out.HeldOutSet("few", tiny_table(), Path("x"), words), shout)

    assert noisy.words == words
    assert noisy.spellings == {word: word.upper() for word in words}


def test_the_mean_over_copies_has_their_spread_and_no_value_where_one_is_missing() -> None:
    runs = [
        Scores({"f1": 10.0, "f1_known": None}, 5, 4, {"f1": 9.0}, 20, {"part": {"n": 2}}),
        Scores({"f1": 20.0, "f1_known": 7.0}, 5, 2, {"f1": 9.0}, 20, {"part": {"n": 4}}),
    ]

    mean = mean_of(runs)

    assert mean == Scores({"f1": 15.0, "f1_known": None}, 5, 3, {"f1": 5.0}, 2, {"part": {"n": 3.0}})
