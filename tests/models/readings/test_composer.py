"""Vectors of tokens: never NaN, the same in every batch, zero only where there is nothing to read."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import everyword
from everyword.errors import DamagedModelError
from everyword.files import read_object
from everyword.models.explanation import Explanation, Share, Source
from everyword.models.model import Model
from everyword.models.readings.composer import RELIABILITY, Readings

TOKENS = ["ban-dan", "ban dan", "#banDan", "42", "🙂", "ban's", "собака", "bna", "BAN", "東京", "", "7:30", "ban+xqzv"]
TOKENS += ["grustinx", "melolyness", "Melolyness"]


@pytest.fixture(scope="module")
def model(tiny_dan_model: Model) -> Model:
    return tiny_dan_model.with_readings(Readings())


@cache
def default_model() -> Model:
    return everyword.load().with_readings(Readings())


def has_something_to_read(text: str) -> bool:
    return any(c.isalnum() or (unicodedata.category(c)[0] in "SP" and unicodedata.name(c, "")) for c in text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=20) | st.text(alphabet="aB1-_'.#@/$%🙂 é", max_size=12))
def test_any_text_has_a_finite_vector(model: Model, text: str) -> None:
    alone = model.encode(text)
    among = model.encode(["first", text, "ban-dan", "42"])[1]

    assert np.isfinite(alone).all()
    np.testing.assert_allclose(alone, among, atol=1e-5)


@settings(max_examples=60, deadline=None)
@example("\x1b\r\x1b")
@example("ʿ")
@given(text=st.text(min_size=1, max_size=8))
def test_what_can_be_read_has_a_vector(text: str) -> None:
    made = default_model().encode(text).any()
    assert made or not has_something_to_read(text)
    assert not made or any(unicodedata.category(character)[0] not in "CZ" for character in text)


def test_all_ways_to_ask_agree(model: Model) -> None:
    vectors = model.encode(TOKENS)
    with_origins, origins = model.encode_with_origins(TOKENS)
    looked_up, explanations = model.look_up(TOKENS)

    np.testing.assert_allclose(vectors, with_origins, atol=1e-5)
    np.testing.assert_allclose(vectors, looked_up, atol=1e-5)
    np.testing.assert_allclose(vectors, [model[token] for token in TOKENS], atol=1e-5)
    assert [origin.source for origin in origins] == [explained.source for explained in explanations]
    assert model.source(TOKENS) == [origin.source for origin in origins]
    for explained in explanations:
        shares = sum(part.share for part in explained.candidates) + explained.form_share
        assert explained.source in (Source.KNOWN, Source.NONE) or shares == pytest.approx(1.0, abs=0.2)
        assert explained.confidence is not None
        assert 0 <= explained.confidence <= 1


def test_words_are_as_they_were(model: Model, tiny_dan_model: Model) -> None:
    words = ["ban", "bna", "grelonesss", "Trusting", "PLINNES"]
    np.testing.assert_allclose(model.encode(words), tiny_dan_model.encode(words), atol=1e-5)
    assert model.explain(words) == tiny_dan_model.explain(words)


def test_a_composed_vector_is_between_its_parts(model: Model) -> None:
    known = [word for word in model.known_words.words if word.isalpha()]
    first, second = known[0], known[-1]
    assert model.source(f"{first}-{second}") is Source.COMPOSED
    assert model.similarity(f"{first}-{second}", first) > model.similarity(first, second)
    assert model.similarity(f"{first}-{second}", second) > model.similarity(first, second)
    assert model.similarity(f"{first} {second}", f"{first}_{second}") == pytest.approx(1.0, abs=1e-5)


def test_an_explanation_names_the_parts() -> None:
    explained = Explanation(
        "heart-attack", Source.COMPOSED, (Share("attack", 0.55), Share("heart", 0.45)), 0.0, 0.7, "heart + attack"
    )
    assert str(explained) == "heart-attack: composed, read as heart + attack, confidence 0.70 (attack 55%, heart 45%)"
    assert explained.to_dict()["read_as"] == "heart + attack"


def test_unknown_parts_make_it_less_sure(model: Model) -> None:
    known = [word for word in model.known_words.words if word.isalpha()]
    sure = model.explain(f"{known[0]}-{known[1]}").confidence
    unsure = model.explain(f"{known[0]}-xqzvw").confidence
    assert sure == pytest.approx(RELIABILITY["composed"])
    assert unsure is not None
    assert unsure < RELIABILITY["composed"]


def test_readings_are_saved_with_the_model(model: Model, tmp_path: Path) -> None:
    own = model.with_readings(Readings({**RELIABILITY, "number": 0.5}))
    own.save_pretrained(tmp_path / "own")
    loaded = everyword.load(tmp_path / "own")
    assert loaded.readings == own.readings
    np.testing.assert_allclose(loaded.encode(TOKENS), own.encode(TOKENS), atol=1e-5)
    assert loaded.explain("42").confidence == pytest.approx(own.explain("42").confidence)
    assert everyword.load(tmp_path / "own").with_readings(None).source("🙂") is Source.NONE


@pytest.mark.parametrize(
    "readings", [{"name": "readings.v9"}, {"name": "readings.v1", "reliability": {"number": 2}}, 3]
)
def test_other_readings_are_refused(model: Model, tmp_path: Path, readings: object) -> None:
    import json

    model.save_pretrained(tmp_path / "model")
    path = tmp_path / "model" / "config.json"
    path.write_text(json.dumps({**read_object(path), "readings": readings}))
    with pytest.raises(DamagedModelError, match="reading"):
        everyword.load(tmp_path / "model")


def test_models_without_readings_do_not_mention_them(tiny_dan_model: Model, tmp_path: Path) -> None:
    tiny_dan_model.save_pretrained(tmp_path / "model")
    described = read_object(tmp_path / "model" / "config.json")
    assert "readings" not in described
    assert "compatible" not in described["normalise"]


def test_an_adapted_model_reads_tokens_as_its_base_does(model: Model) -> None:
    from tiny import own_table

    adapted = everyword.adapt(own_table(), model)
    assert adapted.source("🙂") is Source.SYMBOL
    assert adapted.source("customerService") is Source.COMPOSED
    assert adapted.encode("🙂").any()


def test_without_known_words_and_gate_tokens_are_still_read(tiny_model: Model) -> None:
    bare = tiny_model.without(tiny_model.known_words.words).with_readings(Readings())
    assert np.isfinite(bare.encode(TOKENS)).all()
    assert bare.encode("42").any()


@pytest.mark.parametrize(
    ("token", "near", "far"),
    [
        ("42", "43", "87"),
        ("42", "forty-two", "forty"),
        ("1998", "1999", "1958"),
        ("3rd", "third", "three"),
        ("5kg", "5 kilograms", "5km"),
        ("100", "101", "7"),
        ("$5", "dollars", "euros"),
        ("🙂", "😀", "😡"),
        ("🇫🇷", "france", "germany"),
        ("Straße", "strasse", "stress"),
        ("ﬁnance", "finance", "nance"),
        ("#climatechange", "climate", "chance"),
        ("@BBCNews", "news", "knees"),
        ("Москва", "moskva", "mosque"),
    ],
)
def test_tokens_are_near_what_they_mean(token: str, near: str, far: str) -> None:
    model = default_model()
    assert model.similarity(token, near) > model.similarity(token, far)


def test_without_a_gate_nobody_knows_how_sure_unknown_parts_are(tiny_model: Model) -> None:
    model = tiny_model.with_readings(Readings())
    known = [word for word in model.known_words.words if word.isalpha()]
    assert model.explain(f"{known[0]}-bannx").confidence is None
    assert model.explain(f"{known[0]}-{known[1]}").confidence == RELIABILITY["composed"]


def test_a_hyphen_in_a_misspelling_does_not_hide_the_word() -> None:
    model = default_model()
    assert model.explain("to-geather").candidates[0].word == "together"
    assert model.explain("wasen't").source is Source.RETRIEVED
    np.testing.assert_allclose(model.encode("to-geather"), model.look_up(["to-geather"])[0][0], atol=1e-5)
    assert model.source("covid-free") is Source.COMPOSED
