"""Confidence against truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.studies.plots.picture import Frame
from everyword.studies.plots.reliability import Bin, calibrate, draw_reliability


def test_a_confidence_that_means_what_it_says_has_no_error() -> None:
    values = np.linspace(0, 1, 50)
    assert calibrate(values, values).error == pytest.approx(0)


def test_the_error_weighs_intervals_by_their_words() -> None:
    found = calibrate(np.array([0.05, 0.85, 0.85, 0.85]), np.array([0.25, 0.95, 0.95, 0.95]))
    assert [part.words for part in found.bins] == [1, 3]
    assert found.error == pytest.approx(0.25 * 0.2 + 0.75 * 0.1)


def test_full_confidence_falls_into_the_last_interval() -> None:
    assert calibrate(np.array([1.0]), np.array([0.5])).bins == (Bin(1, 1.0, 0.5),)


def test_one_cosine_for_each_confidence() -> None:
    with pytest.raises(InputError, match=r"One cosine is needed for each confidence\. Got 1 for 2"):
        calibrate(np.ones(2), np.ones(1))


def test_the_picture_names_every_kind_and_its_error(tmp_path: Path) -> None:
    values = np.linspace(0, 1, 50)
    draw_reliability({"new words": calibrate(values, values * 0.9)}, Frame(tmp_path / "r.svg"))
    text = (tmp_path / "r.svg").read_text()
    assert "new words" in text
    assert "Expected calibration error" in text


def test_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        draw_reliability({}, Frame(tmp_path / "r.svg"))
