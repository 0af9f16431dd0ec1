"""The hub itself cannot be reached in tests: its client runs for real against a folder that stands in for the cache."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from huggingface_hub import constants

import everyword
from everyword.errors import InputError, MissingExtraError
from everyword.models.model import Model


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)


@pytest.mark.parametrize("name", ["tiny_model", "tiny_adapted_model"])
def test_a_cached_hub_id_loads(
    request: pytest.FixtureRequest, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model: Model = request.getfixturevalue(name)
    commit = "0" * 40
    repository = tmp_path / "models--someone--tiny"
    model.save_pretrained(repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    loaded = everyword.load("someone/tiny")
    np.testing.assert_array_equal(loaded.encode(["bann"]), model.without(()).encode(["bann"]))


def test_an_id_that_cannot_be_had_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="'someone/nothing' is not a folder here and could not be downloaded "):
        everyword.load("someone/nothing")


def test_pushing_offline_is_one_sentence(tiny_model: Model) -> None:
    with pytest.raises(InputError, match="could not be pushed to 'someone/tiny': "):
        tiny_model.push_to_hub("someone/tiny", token="none")


def test_without_the_extra_the_pip_line_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=r'pip install "everyword\[hub\]"'):
        everyword.load("someone/tiny")
