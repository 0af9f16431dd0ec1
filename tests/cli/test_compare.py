from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made import make_data

from .conftest import Run


@pytest.fixture
def kept(run: Run, tiny_model_folder: Path, tmp_path: Path) -> Path:
    data = make_data(tmp_path / "data")
    for policy in ("encode", "zero"):
        arguments = ("--tasks", "clustering,relation", "--policy", policy, "--data", data)
        assert run("evaluate", tiny_model_folder, *arguments).exit_code == 0
    return tmp_path / "results"


def test_results_side_by_side(run: Run, kept: Path) -> None:
    head, *lines = run("compare").stdout.splitlines()
    assert head.count("tiny ") == 2
    assert [line.split()[0] for line in lines[:4]] == [
        "clustering.v1/ap",
        "clustering.v1/bless",
        "clustering.v1/mean",
        "relation.v1/semeval2012",
    ]
    rows = run("compare", kept, "--markdown").stdout.splitlines()
    assert rows[0].startswith("| model | clustering.v1/ap |")
    assert rows[2].startswith("| tiny ")


def test_json_and_single_files(run: Run, kept: Path) -> None:
    record = json.loads(run("compare", "--json", *sorted(kept.rglob("*ap.json"))).stdout)
    assert [list(scores) for scores in record.values()] == [["clustering.v1/ap"], ["clustering.v1/ap"]]


def test_refusals(refused: Callable[..., str], tmp_path: Path) -> None:
    assert "There are no results in results: run 'everyword evaluate' first" in refused("compare")
    (tmp_path / "results").mkdir()
    assert "There are no results in results." in refused("compare")
    (tmp_path / "results" / "x.json").write_text("{}")
    assert "x.json is not a saved result" in refused("compare")
    assert "Choose --markdown or --json" in refused("compare", "--json", "--markdown")
