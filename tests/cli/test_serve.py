from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run


def test_an_open_door_is_warned_of(run: Run, tiny_model_folder: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        options = ("serve", "--model", tiny_model_folder, "--host", "0.0.0.0", "--port", taken.getsockname()[1])
        warned, quiet = run(*options), run(*options, "--token", "secret")
    assert warned.stderr.startswith("everyword: anyone who can reach 0.0.0.0 can use this service; set EVERYWORD_TOKEN")
    assert "cannot listen" in warned.stderr
    assert "anyone" not in quiet.stderr


def test_a_model_that_does_not_exist(refused: Callable[..., str]) -> None:
    for workers in (1, 2):
        assert "There is no model 'everyword-em'" in refused("serve", "--model", "everyword-em", "--workers", workers)


def test_without_the_extra(refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    assert 'The service needs the package fastapi: run  pip install "everyword[serve]"' in refused("serve")
