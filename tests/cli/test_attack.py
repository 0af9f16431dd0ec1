"""everyword attack."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tiny import tiny_table
from tiny_attacks import write_attacked

from .conftest import Run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    tiny_table().save(tmp_path / "a.vec")
    write_attacked(tmp_path / "data")
    return tmp_path


def test_names_by_band_with_their_repair(run: Run, home: Path) -> None:
    result = run("attack", "a.vec", "--data", "data", "--budget", 5, "--output", "found.json")
    assert result.exit_code == 0, result.stderr
    assert "a, policy zero: people of sst2, 5 tries per text" in result.stdout
    reports = json.loads((home / "found.json").read_text())["reports"]
    assert {"known names", "unknown names", "unknown names, repaired"} <= {*reports}
    assert reports["unknown names"]["stable"] == 100
    assert reports["known names"]["worst"] <= reports["known names"]["best"]


def test_pairs_and_misspellings(run: Run, home: Path) -> None:
    pairs = run("attack", "a.vec", "--texts", "mrpc", "--replace", "people", "--data", "data", "--budget", 3, "--json")
    assert json.loads(pairs.stdout)["reports"]["known names"]["metric"] == "f1"
    typos = run("attack", "a.vec", "--replace", "misspellings", "--data", "data", "--budget", 3)
    assert "misspellings" in typos.stdout


def test_bad_input(refused: Callable[..., str], home: Path) -> None:
    assert "Texts and names are read from a data folder" in refused("attack", "a.vec")
    assert "There is no list of names" in refused("attack", "a.vec", "--replace", "cities", "--data", "data")
    assert "There is no file of labelled texts" in refused("attack", "a.vec", "--texts", "agnews", "--data", "data")
    (home / "found.json").write_text("{}")
    assert "found.json" in refused("attack", "a.vec", "--data", "data", "--output", "found.json")
