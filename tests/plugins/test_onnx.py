"""Every encoder that can be exported gives the vectors of the runtime in onnxruntime."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from tiny import tiny_table

from everyword import registry
from everyword.errors import InputError
from everyword.models.form_encoder import FormEncoder
from everyword.models.known import KnownWords
from everyword.models.model import Model
from everyword.plugins.onnx.encoders import ENCODERS
from everyword.plugins.onnx.export import export
from everyword.plugins.onnx.word_ids import WordIds
from everyword.vectors.storage.stored import StoredMatrix

WORDS = [*tiny_table().words[:40], "plann", "Groru", "x" * 90, "tr", "", "日本"]
OPTIONS = [{}, {"kernel": "sqrt"}, {"width": 9, "hidden": 33, "blocks": 2}, {"attention": 5}]


def options_of(name: str) -> list[dict[str, object]]:
    known = {item.name for item in fields(registry.encoders.get(name).Config)}
    return [options for options in OPTIONS if options.keys() <= known]


CASES = [(name, options) for name in ENCODERS for options in options_of(name)]


def with_encoder(model: Model, name: str, norm: float | None = 3.0, **options: object) -> Model:
    """The tiny model with another encoder, of random weights."""
    torch.manual_seed(4)
    kind = registry.encoders.get(name)
    encoder = kind(model.form_encoder.units.size, 12, kind.Config(initial_scale=0.3, **options)).eval()
    tables = {table: StoredMatrix.pack(values, "float32") for table, values in encoder.fold().items()}
    form_encoder = FormEncoder(model.form_encoder.units, name, encoder.runtime_config(), tables, norm)
    known = KnownWords(model.known_words.words, StoredMatrix(np.zeros((len(model.known_words), 12), dtype=np.float32)))
    return Model("drawn", model.normalise, form_encoder, known, {})


def run(path: Path, words: list[str]) -> Any:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return session.run(["vectors"], {"ids": WordIds.load(path)(words)})[0]


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
@pytest.mark.parametrize("units", ["tiny_model", "tiny_dan_model"])
def test_the_file_gives_the_vectors_of_the_model(
    request: pytest.FixtureRequest, tmp_path: Path, name: str, options: dict[str, object], units: str
) -> None:
    model = with_encoder(request.getfixturevalue(units), name, **options)
    done = export(model, tmp_path / "m.onnx")
    assert done.difference < 1e-5
    assert done.bytes == (tmp_path / "m.onnx").stat().st_size
    np.testing.assert_allclose(run(tmp_path / "m.onnx", WORDS), model.infer(WORDS), atol=1e-5)
    for word in ("plann", ""):
        np.testing.assert_allclose(run(tmp_path / "m.onnx", [word]), model.infer([word]), atol=1e-5)


@pytest.mark.parametrize("name", ["tiny_model", "tiny_dan_model", "tiny_adapted_model"])
def test_trained_packed_and_adapted_models(request: pytest.FixtureRequest, tmp_path: Path, name: str) -> None:
    model: Model = request.getfixturevalue(name)
    export(model, tmp_path / "m.onnx")
    made = run(tmp_path / "m.onnx", WORDS)
    np.testing.assert_allclose(made, model.infer(WORDS), atol=1e-5)
    assert made.shape == (len(WORDS), model.dim)


def test_an_encoder_keeps_its_own_lengths_where_the_model_has_no_norm(tiny_model: Model, tmp_path: Path) -> None:
    model = with_encoder(tiny_model, "bos.v1", norm=None)
    export(model, tmp_path / "m.onnx")
    np.testing.assert_allclose(run(tmp_path / "m.onnx", WORDS), model.infer(WORDS), atol=1e-5)


def test_the_metadata_tell_how_ids_are_made(tiny_model: Model, tmp_path: Path) -> None:
    export(tiny_model, tmp_path / "m.onnx")
    entries = {entry.key: entry.value for entry in onnx.load(tmp_path / "m.onnx").metadata_props}
    described = json.loads(entries["everyword"])
    assert described["units"]["units"] == tiny_model.form_encoder.units.units
    assert (described["model"], described["dim"], described["encoder"]["name"]) == ("tiny", 16, "pam-stacked.v1")
    assert np.array_equal(WordIds.load(tmp_path / "m.onnx")(WORDS), WordIds.of(tiny_model)(WORDS))
    assert not WordIds.of(tiny_model)(["ban", "日本"])[1].any()


def test_an_encoder_without_a_graph(tiny_model: Model, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"has the encoder kvq.v1, which cannot be exported; those that can are dan.v1, "
    ):
        export(with_encoder(tiny_model, "kvq.v1"), tmp_path / "m.onnx")
    assert not list(tmp_path.iterdir())


def test_a_file_that_differs_is_not_written(tiny_model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENCODERS, "pam-stacked.v1", ENCODERS["self-attention.v1"])
    (tmp_path / "m.onnx").write_bytes(b"earlier")
    with pytest.raises(InputError, match=r"differs from the model by .*; nothing was written"):
        export(tiny_model, tmp_path / "m.onnx")
    assert (tmp_path / "m.onnx").read_bytes() == b"earlier"


@pytest.mark.parametrize("content", [None, b"no graph", b""])
def test_files_that_are_no_exported_model(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "m.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match="everyword export onnx wrote"):
        WordIds.load(path)
