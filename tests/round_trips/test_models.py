"""Saved models of every kind of encoder, every precision and every kind of words give the vectors that they gave."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from attacks.sound import small_model
from hypothesis import given, settings
from hypothesis import strategies as st
from made import random_gate

import everyword
from everyword import registry
from everyword.models.adapt.adapted import AdaptedModel
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.space.linear_map import LinearMap
from everyword.text.mixed import MixedUnits
from everyword.text.ngrams import NgramUnits, NgramUnitsConfig
from everyword.text.normalise import Normaliser
from everyword.vectors.storage.quantising import Quantisation, pack
from everyword.vectors.storage.stored import StoredMatrix

from .strange import any_word, matrices, normalised

DIM = 4
PRECISIONS = ["float32", "int8", "int4", "pq"]
ASKED = ["ban", "bann", "naive", "שלום", "", "x" * 70]
words = st.lists(normalised, min_size=3, max_size=3, unique=True)


@cache
def tables_of(name: str, size: int) -> tuple[dict[str, Any], dict[str, Any]]:
    torch.manual_seed(1)
    encoder = registry.encoders.get(name)(size, DIM).eval()
    return encoder.fold(), encoder.runtime_config()


def model_of(name: str, known: list[str], matrix: Any, precision: Any, *, gated: bool) -> Model:
    letters = sorted({*"".join(known), *"abn"})
    units = MixedUnits([*letters, "ban", "##an"])
    tables, config = tables_of(name, units.size)
    encoder_precision = "float32" if precision == "pq" else precision
    packed = {title: StoredMatrix.pack(table, encoder_precision) for title, table in tables.items()}
    form_encoder = FormEncoder(units, name, config, packed, 1.0)
    stored = KnownWords(known, pack(matrix, precision, Quantisation(bytes=3, fine_rows=1)))
    return Model("strange", Normaliser(), form_encoder, stored, {}, gate=random_gate() if gated else None)


def assert_same(model: Model) -> None:
    asked = [*ASKED, *model.known_words.words]
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        again = everyword.load(folder)
        assert list(again.known_words.words) == list(model.known_words.words)
        assert again.form_encoder.units.units == model.form_encoder.units.units
        assert again.encode(asked).tobytes() == model.encode(asked).tobytes()


@pytest.mark.parametrize("name", list(registry.encoders))
@given(known=words, matrix=matrices(3, DIM), precision=st.sampled_from(PRECISIONS), gated=st.booleans())
@settings(deadline=None, max_examples=8)
def test_every_encoder(name: str, known: list[str], matrix: Any, precision: Any, gated: bool) -> None:
    with np.errstate(over="ignore", invalid="ignore"):  # vectors of the largest floats have no length
        assert_same(model_of(name, known, matrix, precision, gated=gated))


@given(known=words, matrix=matrices(3, DIM), own=matrices(1, 2))
@settings(deadline=None, max_examples=15)
def test_an_adapted_model(known: list[str], matrix: Any, own: Any) -> None:
    to_own_space = LinearMap(np.ones((3, 2), dtype=np.float32), np.zeros(2, dtype=np.float32), 1.0)
    table = KnownWords(known[:1], StoredMatrix(own))
    with np.errstate(over="ignore", invalid="ignore"):
        assert_same(AdaptedModel("own", small_model(known), to_own_space, table, {}))


@given(listed=st.lists(any_word, max_size=6), asked=st.lists(any_word, max_size=4), buckets=st.sampled_from([None, 7]))
@settings(deadline=None, max_examples=60)
def test_units(listed: list[str], asked: list[str], buckets: int | None) -> None:
    listed = [unit for unit in listed if "\n" not in unit]  # a word of a model holds no line end
    for units in (MixedUnits(listed), NgramUnits(listed, NgramUnitsConfig(1, 3, buckets=buckets))):
        with tempfile.TemporaryDirectory() as folder:
            units.save(Path(folder) / "units.txt")
            again = type(units).load(Path(folder) / "units.txt", units.config)  # type: ignore[arg-type]
        assert again.units == units.units
        assert [again.ids(word) for word in asked] == [units.ids(word) for word in asked]
        batch = again.batch(asked + [""] * 20)
        parts = np.split(batch.sequences.flat, np.cumsum(batch.sequences.lengths)[:-1])
        assert [part.tolist() for part in parts[: len(asked)]] == [units.ids(word) for word in asked]
