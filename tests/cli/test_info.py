from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from everyword import kernel
from everyword.models.model import Model

from .conftest import Run


def test_model(run: Run, tiny_model_folder: Path, tiny_model: Model) -> None:
    facts = json.loads(run("info", tiny_model_folder, "--json").stdout)
    assert facts["name"] == tiny_model.name
    assert facts["dimension"] == 16
    assert facts["known_words"] == 200
    assert facts["encoder"] == "pam-stacked.v1"
    assert facts["checksums_verified"] == ["model.safetensors", "units.txt", "words.txt"]
    assert facts["computed_by"] == kernel.status
    assert facts["teacher"].startswith("tiny.vec, 300 vectors")
    assert facts["bytes_on_disk"] == sum(path.stat().st_size for path in tiny_model_folder.iterdir())


def test_model_for_people(run: Run, tiny_model_folder: Path) -> None:
    lines = run("info", tiny_model_folder).stdout.splitlines()
    assert "known words         200" in lines
    assert "command             not recorded" in lines


@pytest.mark.parametrize("name", ["t.vec", "t.glove", "t.npy"])
def test_vector_file(run: Run, teacher_path: Path, name: str) -> None:
    run("convert", teacher_path, name)
    facts = json.loads(run("info", name, "--json").stdout)
    assert facts["dimension"] == 16
    assert facts["rows"] == (None if name == "t.glove" else 300)
    assert facts["first_words"][:2] == ["ban", "baner"]
    assert len(facts["first_words"]) == 10


def test_vector_file_for_people(run: Run, teacher_path: Path) -> None:
    lines = run("info", teacher_path).stdout.splitlines()
    assert "format         word2vec" in lines
    assert "rows           300" in lines


def test_damaged_model(refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_model_folder, tmp_path / "m")
    (tmp_path / "m" / "words.txt").write_text("other\n")
    assert "words.txt is damaged" in refused("info", "m")


@pytest.mark.parametrize(
    ("name", "sentence"), [("nope", "There is no model 'nope'"), ("words.txt", "not a known format")]
)
def test_refusals(refused: Callable[..., str], tmp_path: Path, name: str, sentence: str) -> None:
    (tmp_path / "words.txt").write_text("cat\ndog\n")
    assert sentence in refused("info", name)
