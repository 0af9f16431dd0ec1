from __future__ import annotations

import numpy as np
import pytest

from everyword.models.model import Model
from everyword.models.unit_weights import influence_of_letters, influence_of_units, weights_between
from everyword.text.units import Sequences


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other)))


def test_a_letter_counts_by_what_its_absence_changes(tiny_dan_model: Model) -> None:
    whole, without_l = tiny_dan_model.infer(["plaling", "paling"])

    found = influence_of_letters(tiny_dan_model, "plaling")

    assert len(found) == len("plaling")
    assert found[1] == pytest.approx(1 - cosine(whole, without_l), abs=1e-5)


def test_a_unit_counts_by_what_its_absence_changes(tiny_model: Model) -> None:
    form_encoder = tiny_model.form_encoder
    ids = form_encoder.units.ids("daner")
    whole, fewer = form_encoder.forward(Sequences.of([ids, ids[:-1]]))

    found = influence_of_units(form_encoder, "daner")

    assert len(found) == len(ids)
    assert found[-1] == pytest.approx(1 - cosine(whole, fewer), abs=1e-5)


def test_a_single_letter_is_everything(tiny_dan_model: Model) -> None:
    assert influence_of_letters(tiny_dan_model, "b") == [1.0]


def test_a_single_unit_is_everything(tiny_dan_model: Model) -> None:
    form_encoder = tiny_dan_model.form_encoder
    assert form_encoder.units.ids("東京") == [1]
    assert influence_of_units(form_encoder, "東京") == [1.0]


def test_weights_are_those_of_the_encoder(tiny_model: Model, tiny_dan_model: Model) -> None:
    ids = tiny_model.form_encoder.units.ids("daner")
    squares = weights_between(tiny_model.form_encoder, ids)
    assert all(square.sum(axis=1) == pytest.approx(np.ones(len(ids)), abs=1e-5) for square in squares.values())
    assert weights_between(tiny_dan_model.form_encoder, [2, 3]) == {}
