from __future__ import annotations

import json
import shutil
import stat
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import everyword
from everyword.errors import DamagedModelError, InputError, UnknownNameError
from everyword.files import checksum
from everyword.models.model import Model
from everyword.models.saved import layout

WORDS = ["ban", "bann", "PLINNES", "trusting", "zzz", ""]


@pytest.fixture
def folder(tiny_model_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_model_folder, tmp_path / "model"))


def test_a_saved_model_gives_the_same_vectors(tiny_model: Model, tmp_path: Path) -> None:
    tiny_model.save_pretrained(tmp_path / "again")
    again = everyword.load(tmp_path / "again")
    np.testing.assert_array_equal(again.encode(WORDS), tiny_model.encode(WORDS))
    assert again.name == tiny_model.name == "tiny"
    assert again.record == tiny_model.record


def test_saving_twice_gives_the_same_bytes(tiny_model: Model, tmp_path: Path) -> None:
    for name in ("one", "two"):
        tiny_model.save_pretrained(tmp_path / name)
    for name in (*layout.CHECKED, layout.CONFIG, layout.CARD):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_nothing_but_the_documented_files_is_left(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {*layout.CHECKED, layout.CONFIG, layout.CARD}


def test_other_users_may_read_the_files(folder: Path, tiny_model: Model) -> None:
    tiny_model.save_pretrained(folder)
    assert all(path.stat().st_mode & stat.S_IRGRP for path in folder.iterdir())


def test_the_card_tells_where_the_model_comes_from(folder: Path) -> None:
    card = (folder / layout.CARD).read_text(encoding="utf-8")
    for fact in (
        "# tiny",
        "tiny.vec, 300 vectors of dimension 16",
        "swap, drop, insert, keyboard",
        '"temperature": 0.07',
    ):
        assert fact in card


def test_saving_over_a_file_is_refused(tiny_model: Model, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="is a file; a model is saved to a folder"):
        tiny_model.save_pretrained(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("name", layout.CHECKED)
def test_an_altered_file_is_noticed(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(DamagedModelError, match=f"{name} is damaged"):
        everyword.load(folder)


@pytest.mark.parametrize("name", layout.CHECKED)
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(DamagedModelError, match=f"{name} is missing"):
        everyword.load(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "is not a saved model: config.json is missing"),
        ("{", "is not the configuration of a saved model"),
        ("[]", "is not the configuration of a saved model"),
        ('{"format": 99}', r"model format 99, and this version .* pip install -U everyword"),
        ('{"format": 1, "name": "x"}', "lacks the keys encoder, files, normalise, training, units"),
    ],
)
def test_a_bad_configuration_is_one_sentence(folder: Path, text: str | None, message: str) -> None:
    (folder / layout.CONFIG).unlink()
    if text is not None:
        (folder / layout.CONFIG).write_text(text)
    with pytest.raises(DamagedModelError, match=message):
        everyword.load(folder)


def test_tensors_that_are_none_are_noticed_even_with_a_right_checksum(folder: Path) -> None:
    (folder / layout.TENSORS).write_bytes(b"no tensors at all")
    described = json.loads((folder / layout.CONFIG).read_text())
    described["files"][layout.TENSORS] = checksum(folder / layout.TENSORS)
    (folder / layout.CONFIG).write_text(json.dumps(described))
    with pytest.raises(DamagedModelError, match="cannot be read"):
        everyword.load(folder)


def test_an_encoder_of_the_future_is_named(folder: Path) -> None:
    described = json.loads((folder / layout.CONFIG).read_text())
    described["encoder"]["name"] = "pam-stacked.v9"
    (folder / layout.CONFIG).write_text(json.dumps(described))
    with pytest.raises(UnknownNameError, match=r"no forward pass 'pam-stacked\.v9': did you mean 'pam-stacked\.v1'"):
        everyword.load(folder).encode(["bann"])


def test_an_unknown_name_gets_the_names_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="There is no model 'lov-en'"):
        everyword.load("lov-en")


def test_a_file_is_no_model(tmp_path: Path) -> None:
    path = tmp_path / "vectors.vec"
    path.write_text("1 1\na 1\n")
    with pytest.raises(InputError, match=r"is a file; a model is a folder. .* VectorTable.load"):
        everyword.load(path)


@pytest.fixture
def gated(tiny_dan_model: Model, tmp_path: Path) -> Path:
    tiny_dan_model.save_pretrained(tmp_path / "gated")
    return tmp_path / "gated"


@pytest.mark.parametrize("gate", [{"name": "gate.v9"}, {}, "gate.v9"])
def test_a_gate_of_the_future_is_named(gated: Path, gate: object) -> None:
    described = json.loads((gated / layout.CONFIG).read_text())
    assert described["gate"] == {"name": "gate.v2", "reach": 120_000}
    (gated / layout.CONFIG).write_text(json.dumps(described | {"gate": gate}))
    with pytest.raises(DamagedModelError, match=r"has a gate .*, and this version .* and 'gate\.v2': run  pip"):
        everyword.load(gated)


@pytest.mark.parametrize("change", ["missing", "cut"])
def test_a_gate_that_is_not_whole_is_noticed(gated: Path, change: str) -> None:
    tensors, name = load_file(gated / layout.TENSORS), "gate.form.score"
    tensors[name] = tensors[name][:-1].copy()
    if change == "missing":
        del tensors[name]
    save_file(tensors, gated / layout.TENSORS)
    described = json.loads((gated / layout.CONFIG).read_text())
    described["files"][layout.TENSORS] = checksum(gated / layout.TENSORS)
    (gated / layout.CONFIG).write_text(json.dumps(described))
    with pytest.raises(DamagedModelError, match=r"gate is incomplete: form\.score missing or of the wrong size\."):
        everyword.load(gated)


def test_a_folder_from_before_there_were_gates_is_read(folder: Path) -> None:
    described = json.loads((folder / layout.CONFIG).read_text())
    assert described.pop("gate") is None
    (folder / layout.CONFIG).write_text(json.dumps(described))
    assert everyword.load(folder).gate is None
