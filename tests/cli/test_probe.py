"""everyword probe, and the picture of its answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tiny import tiny_table
from tiny_probes import write_tagged

from .conftest import Run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    tiny_table().save(tmp_path / "a.vec")
    write_tagged(tmp_path / "data")
    return tmp_path


def test_a_line_for_each_question_a_file_and_a_picture(run: Run, home: Path) -> None:
    asked = ("probe", "a.vec", "random-16", "--data", "data", "--probe", "parts-of-speech")
    result = run(*asked)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "a, zero, dimension 16"
    assert lines[2].startswith("parts-of-speech ")
    assert "majority " in lines[2]
    assert "random vectors " in lines[2]
    assert lines[3] == "random-16, random, dimension 16"
    assert lines[5].endswith("(saved before)")  # as the control of the other
    again = run(*asked, "--json")
    records = [json.loads(line) for line in again.stdout.splitlines()]
    assert [record["model"] for record in records] == ["a", "random-16"]
    assert run("plot", "profile", "results", "--output", "profile.svg").exit_code == 0
    text = "".join(ElementTree.parse(home / "profile.svg").getroot().itertext())
    assert "a, zero" in text
    assert "parts-of-speech" in text
    other = run("compare", "results")
    assert other.exit_code == 2  # answers to probes are passed over
    assert "There are no results" in other.stderr


def test_what_has_no_data_is_skipped(run: Run, home: Path) -> None:
    result = run("probe", "a.vec", "--data", "data", "--quick", "--quiet")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[2].startswith("parts-of-speech")


def test_layers_of_a_transformer_follow_each_other_question_by_question(
    run: Run, home: Path, tiny_bert_folder: Path
) -> None:
    asked = ("probe", tiny_bert_folder, "--layers", "0,-1", "--device", "cpu", "--data", "data", "--quick")
    result = run(*asked, "--probe", "parts-of-speech,noun-kinds")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("bert, pieces, dimension 16")
    assert [line.split("  ")[0] for line in lines[2:]] == ["parts-of-speech, layer 0", "parts-of-speech, layer 2"]
    saved = sorted(path.name for path in (home / "results").rglob("*layer*"))
    assert saved == ["probe-parts-of-speech.v1-layer-0-quick.json", "probe-parts-of-speech.v1-layer-2-quick.json"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.vec", "--probe", "part-of-speech", "--data", "data"], "did you mean 'parts-of-speech'"),
        (["a.vec", "--data", "nowhere"], "There is no data folder nowhere"),
        (["a.vec"], "name it by --data"),
        (["b.vec", "--data", "data"], "There is no model 'b.vec'"),
        (["a.vec", "--layers", "top", "--data", "data"], "--layers takes numbers"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: list[str], said: str, refused: Callable[..., str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EVERYWORD_DATA", raising=False)
    assert said in refused("probe", *arguments)
    assert not (home / "results").exists()


def test_no_answers_are_an_error(run: Run, home: Path) -> None:
    (home / "empty").mkdir()
    result = run("probe", "a.vec", "--probe", "parts-of-speech", "--data", "empty")
    assert result.exit_code == 2
    assert "parts-of-speech: skipped. There is no file" in result.stderr
    assert "No question was answered" in result.stderr
    assert "no results" in run("plot", "profile", "nothing", "--output", "x.svg").stderr
