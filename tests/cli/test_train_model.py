"""everyword train --teacher-model: the input vectors of a language model are learnt."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny import TINY_OVERRIDES

import everyword
from everyword.language_models.input_embeddings import input_table
from everyword.language_models.language_model import LanguageModel
from everyword.systems.spelling.teacher import merge_spellings

from .conftest import Run

SMALL = (*TINY_OVERRIDES, "training.anchors=8", "store.words=1000")


@pytest.fixture(params=["bert", "roberta"])
def language_model(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.getfixturevalue(f"tiny_{request.param}_folder")
    return folder


def record(folder: Path) -> dict[str, Any]:
    training: dict[str, Any] = json.loads((folder / "config.json").read_text())["training"]
    return training


@pytest.mark.parametrize("recipe", ["love", "dan"])
def test_the_model_knows_the_words_of_one_piece(run: Run, language_model: Path, tmp_path: Path, recipe: str) -> None:
    result = run("train", recipe, "--teacher-model", language_model, "--output", "m", "--quiet", *SMALL)
    assert result.exit_code == 0, result.stderr
    model = everyword.load(tmp_path / "m")
    table = input_table(LanguageModel.load(language_model, device="cpu"))
    words, matrix = merge_spellings(table, model.normalise)
    assert model.known_words.words == words
    np.testing.assert_allclose(model.encode(words), matrix, atol=1e-2)
    told = record(tmp_path / "m")
    name = language_model.name
    assert told["teacher"]["description"] == f"input vectors of {name}, {len(table)} words of dimension 16"
    assert told["command"].startswith(f"everyword train {recipe} --teacher-model {name} --output m ")


def test_a_run_is_resumed_with_or_without_naming_the_model(
    run: Run, tiny_bert_folder: Path, tiny_roberta_folder: Path, teacher_path: Path, tmp_path: Path
) -> None:
    begin = ["train", "love", "--output", "m", "--quiet", *SMALL]
    prepared = run(*begin, "--teacher-model", tiny_bert_folder, "--prepare-only")
    assert prepared.exit_code == 0, prepared.stderr
    for other in (["--teacher-model", tiny_roberta_folder], ["--teacher", teacher_path]):
        refused = run(*begin, *other, "--resume")
        assert refused.exit_code == 2
        assert f"m-run was started with another teacher than {other[1]}; use that one again." in refused.stderr
    command = shlex.split(prepared.stderr.strip().partition("  ")[2])[1:]
    assert run(*command, "--quiet").exit_code == 0
    first = (tmp_path / "m" / "model.safetensors").read_bytes()
    assert "--teacher-model bert" in record(tmp_path / "m")["command"]
    assert run(*begin, "--teacher-model", tiny_bert_folder, "--resume", "--overwrite").exit_code == 0
    assert (tmp_path / "m" / "model.safetensors").read_bytes() == first


def test_without_transformers(
    refused: Callable[..., str], tiny_bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    error = refused("train", "love", "--teacher-model", tiny_bert_folder, "--output", "m")
    assert error.endswith('needs the package transformers: run  pip install "everyword[transformers]"\n')
    assert not list(tmp_path.iterdir())
