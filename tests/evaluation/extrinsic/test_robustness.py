from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from everyword.errors import InputError, UnknownNameError
from everyword.evaluation.extrinsic.classification import Classifier, ClassifyConfig
from everyword.evaluation.extrinsic.ladder import changed_share, ladder
from everyword.evaluation.extrinsic.robustness import Point, curve
from everyword.evaluation.extrinsic.words import WordVectors

from .tiny_sets import DIM, QUICK, encode, tagged, texts

TEST = texts("test", 200, 3)


@pytest.mark.parametrize("test", [TEST, tagged("test", 100, 3)], ids=["texts", "tagged"])
def test_the_ladder_respects_its_strengths_and_seed(test: object) -> None:
    steps = ladder(test, ["insert"])  # every word of three letters or more can get a letter more

    assert [step.strength for step in steps] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    for step in steps:
        assert changed_share(test, step.data) == pytest.approx(step.strength, abs=0.05)
    assert steps == ladder(test, ["insert"])
    assert steps != ladder(test, ["insert"], seed=1)


def test_what_is_corrupt_stays_so_on_the_next_step() -> None:
    flat = [[t for tokens in step.data.tokens for t in tokens] for step in ladder(TEST, ["swap", "ocr"])]
    clean = [token for tokens in TEST.tokens for token in tokens]

    for lower, higher in pairwise(flat):
        assert all(one in (was, other) for was, one, other in zip(clean, lower, higher, strict=True))


def test_labels_stay_and_nothing_and_everything_are_steps_too() -> None:
    nothing, everything = ladder(TEST, ["insert"], [0, 1])

    assert nothing.data.tokens == TEST.tokens
    assert changed_share(TEST, everything.data) == 1
    assert everything.data.labels == TEST.labels


def test_the_curve_is_scored_by_the_same_models_and_falls() -> None:
    config = ClassifyConfig(filters=8, learning=replace(QUICK, seeds=2))
    task = Classifier(WordVectors(encode, DIM), texts("train", 80, 1), texts("dev", 40, 2), config)

    points = curve(task, TEST, ladder(TEST, ["insert"], [0, 0.5, 1]))

    clean, same, half, none = points
    assert replace(same, strength=0.0) == clean
    assert clean.values["accuracy"] > 90
    assert clean.values["accuracy"] > half.values["accuracy"] > none.values["accuracy"] - 5
    assert [(point.n, point.seeds) for point in points] == [(200, 2)] * 4
    assert (none.tokens_known, none.changed) == (0, 1.0)
    assert none.values["accuracy"] == 50  # without a single vector there is one answer for all


def test_the_steps_of_a_curve_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def points() -> list[Point]:
        config = ClassifyConfig(filters=8, learning=replace(QUICK, epochs=1, seeds=2))
        task = Classifier(WordVectors(encode, DIM), texts("train", 40, 1), texts("dev", 20, 2), config)
        return curve(task, TEST, ladder(TEST, ["insert"], [0.5]), keep_in=tmp_path)

    first = points()
    monkeypatch.setattr(Classifier, "fit", None)
    assert points() == first


def test_what_is_no_noisy_copy_is_refused() -> None:
    with pytest.raises(InputError, match="their tokens are not aligned"):
        changed_share(TEST, texts("other", 200, 4))
    with pytest.raises(UnknownNameError, match="keyboard"):
        ladder(TEST, ["keybord"])
