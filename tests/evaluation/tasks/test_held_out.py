from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from made import toy_model, write

from everyword.errors import InputError
from everyword.evaluation.evaluated_model import EvaluatedModel
from everyword.evaluation.task import NoOverlapError
from everyword.evaluation.tasks.held_out import HeldOutSet, run
from everyword.vectors.table import VectorTable

TABLE = VectorTable([f"w{row}" for row in range(40)], np.random.default_rng(6).normal(size=(40, 8)).astype(np.float32))
NEW = ["w38", "w39"]


def way_with(guess: np.ndarray) -> EvaluatedModel:
    """Stores the first 30 words of the table as they are; guesses the others."""

    def vectors(words: Sequence[str]) -> np.ndarray:
        return np.array([TABLE[word] if TABLE.index[word] < 30 else guess[TABLE.index[word]] for word in words])

    return EvaluatedModel("toy", "encode", vectors, TABLE.words[:30], str)


def held_out(words: list[str], table: VectorTable = TABLE) -> HeldOutSet:
    return HeldOutSet("made", table, Path("made.vec"), words)


def test_a_perfect_guess_of_any_length() -> None:
    scores = run(way_with(TABLE.matrix * 3), held_out(NEW), 0)

    assert scores.values["cosine"] == pytest.approx(100, abs=1e-4)
    assert scores.values["overlap@10"] == 100
    assert scores.values["cosine_deviation"] == pytest.approx(0, abs=1e-4)
    assert scores.n == 2


def test_by_hand() -> None:
    guess = TABLE.matrix.copy()
    guess[39] = -guess[39]  # the opposite: none of the 10 nearest of 30 is among the 10 farthest

    scores = run(way_with(guess), held_out(NEW), 0)

    assert scores.values["cosine"] == pytest.approx(0, abs=1e-4)
    assert scores.values["cosine_deviation"] == pytest.approx(100, abs=1e-4)
    assert scores.values["overlap@10"] == 50


def test_stored_words_are_left_out_and_counted() -> None:
    scores = run(way_with(TABLE.matrix), held_out(["w1", *NEW]), 0)

    assert scores.n == 2
    assert scores.sections["stored, so left out"]["n"] == 1
    with pytest.raises(NoOverlapError, match="toy stores all 1 words of made: none of them is held out"):
        run(way_with(TABLE.matrix), held_out(["w1"]), 0)


def test_a_teacher_of_another_dimension_is_named() -> None:
    with pytest.raises(InputError, match=r"made\.vec has dimension 8 and toy has 2; give the table"):
        run(toy_model({"a": [1, 2]}), held_out(NEW), 0)


def test_words_and_teacher_from_files(tmp_path: Path) -> None:
    TABLE.save(tmp_path / "teacher.vec")
    read = HeldOutSet.load(write(tmp_path / "words.txt", "w38\n\n w39 \nw38\n"), tmp_path / "teacher.vec")

    assert (read.name, read.words, len(read.teacher)) == ("words", NEW, 40)
    with pytest.raises(InputError, match=r"1 of the 2 words of .*more\.txt are not in .*teacher\.vec, such as 'nix'"):
        HeldOutSet.load(write(tmp_path / "more.txt", "w38\nnix\n"), tmp_path / "teacher.vec")
