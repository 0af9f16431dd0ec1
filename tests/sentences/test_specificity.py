"""How specific texts are."""

from __future__ import annotations

import numpy as np
import pytest

import everyword
from everyword.errors import InputError
from everyword.models.model import Model


@pytest.fixture(scope="module")
def model() -> Model:
    return everyword.load("everyword-en-small")


def test_rare_words_and_numbers_make_a_text_specific(model: Model) -> None:
    general = model.specificity("it was very good and we had a nice time there")
    specific = model.specificity("the surgeon removed 12 calcified tonsils")
    assert general < specific
    assert model.specificity("the") < 0.05
    assert 0.9 < model.specificity("leukemia") < 1.0
    assert model.specificity("1969") == 1.0
    assert model.specificity("") == model.specificity("…!") == 0.0


def test_a_misspelling_weighs_what_it_is_read_as(model: Model) -> None:
    right, wrong = model.specificity(["people with leukemia", "peopel with leukamia"])
    assert wrong == pytest.approx(right, abs=0.2)


def test_words_add_up_in_any_order_and_batch(model: Model) -> None:
    texts = ["the doctor", "doctor the", "the", "doctor", "qzxv 😀"] * 300
    found = model.specificity(texts)
    assert found.shape == (1500,)
    assert found[0] == pytest.approx(found[1])
    assert found[0] == pytest.approx(found[2] + found[3])
    assert found.reshape(-1, 5) == pytest.approx(np.tile(found[:5], (300, 1)))
    assert found[:5] == pytest.approx([model.specificity(text) for text in texts[:5]])
    assert model.specificity([]).shape == (0,)


def test_what_is_not_text_is_refused(model: Model) -> None:
    with pytest.raises(InputError, match="Item 1 is None, of type NoneType"):
        model.specificity(["a", None])  # type: ignore[list-item]
    with pytest.raises(InputError, match="Got 5, of type int"):
        model.specificity(5)  # type: ignore[call-overload]


def test_a_model_without_a_gate_has_specificities_too(tiny_model: Model) -> None:
    word = tiny_model.known_words.words[0]
    assert 0 < tiny_model.specificity(word) < tiny_model.specificity(tiny_model.known_words.words[50]) < 1
    assert tiny_model.specificity("zzzzzz") == pytest.approx(1.0)


def test_an_adapted_model_has_specificities_too(tiny_adapted_model: Model) -> None:
    words = tiny_adapted_model.known_words.words
    assert 0 < tiny_adapted_model.specificity(words[0]) < tiny_adapted_model.specificity(words[20]) < 1
    assert tiny_adapted_model.specificity([words[0], "zzzzzz"]).shape == (2,)
