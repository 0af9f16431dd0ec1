"""A table as teacher: which words are learnt, and which are kept for evaluation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword import config
from everyword.errors import ConfigError, InputError
from everyword.systems.spelling.teacher import Teacher, WordsConfig, draw_evaluated
from everyword.text.normalise import Normaliser
from everyword.vectors.table import VectorTable

WORDS = ["the", "don't", *(f"{a}{b}{c}n" for a in "bdfg" for b in "aeiou" for c in "lmr")]
TEN = WordsConfig(evaluated=10, evaluated_from=5, evaluated_to=50)


def test_words_are_drawn_from_the_ranks_and_are_long_enough_and_of_letters() -> None:
    drawn = draw_evaluated(WORDS, TEN)
    assert len(drawn) == 10
    assert set(drawn) <= set(WORDS[5:50])
    assert drawn == sorted(drawn)
    everything = WordsConfig(evaluated=len(WORDS) - 2, evaluated_from=0)
    assert set(draw_evaluated(WORDS, everything)) == set(WORDS) - {"the", "don't"}


def test_the_draw_does_not_depend_on_other_words() -> None:
    from_all_ranks = WordsConfig(evaluated=10, evaluated_from=0)
    drawn = draw_evaluated(WORDS, from_all_ranks)
    bystanders = [word for word in WORDS if word not in drawn]
    assert draw_evaluated([*drawn, *bystanders[::2]], from_all_ranks) == drawn
    assert draw_evaluated(WORDS[::-1], from_all_ranks) == drawn


def test_none_are_drawn_unless_asked_for() -> None:
    assert draw_evaluated(WORDS, WordsConfig()) == []


def test_too_few_words_are_one_sentence() -> None:
    with pytest.raises(InputError, match=r"Only 45 words can be kept for evaluation, not 46; lower words\.evaluated"):
        draw_evaluated(WORDS, WordsConfig(evaluated=46, evaluated_from=5, evaluated_to=50))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"evaluated": -1}, "evaluated must be 0 or more. Got -1 instead"),
        (
            {"evaluated_from": 9, "evaluated_to": 8},
            "evaluated_from must not be above evaluated_to. Got 9 and 8 instead",
        ),
        ({"evaluated_from": -1}, "evaluated_from must be 0 or more. Got -1 instead"),
    ],
)
def test_ranks_that_cannot_be(values: dict[str, int], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config.build(WordsConfig, values)


def test_words_left_out_make_room_for_others() -> None:
    teacher = Teacher(["a", "b", "c", "d"], np.ones((4, 1), dtype=np.float32), "four", "")
    assert teacher.choose(WordsConfig(limit=2), leave_out={"a", "c"}).tolist() == [1, 3]


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"", "is damaged"), (b"garbage", "is damaged"), (b"\x93NUMPY\x01\x00", "is damaged"), (None, "must have a byte")],
)
def test_a_file_of_reliabilities_that_does_not_fit_is_refused(tmp_path: Path, content: bytes | None, told: str) -> None:
    VectorTable(["ban", "dan"], np.eye(2, dtype=np.float32)).save(tmp_path / "teacher.npy")
    beside = tmp_path / "teacher.reliability.npy"
    np.save(beside, np.zeros(3, dtype=np.uint8)) if content is None else beside.write_bytes(content)
    with pytest.raises(InputError, match=told):
        Teacher.load(tmp_path / "teacher.npy", Normaliser())
