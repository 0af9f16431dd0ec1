from __future__ import annotations

import json
from pathlib import Path

import pytest

from everyword.models.model import Model

from .conftest import Run

WRONG = "I herd teh new song on the radio."
RIGHT = "I heard the new song on the radio."


@pytest.fixture(scope="module")
def by_spelling(tiny_dan_model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("by-spelling") / "model"
    tiny_dan_model.save_pretrained(folder)
    return folder


def test_texts_files_and_standard_input_are_corrected_alike(run: Run, tmp_path: Path) -> None:
    file, output = tmp_path / "notes.txt", tmp_path / "corrected.txt"
    file.write_bytes(f"{WRONG}\r\n\n  {WRONG}".encode())
    assert run("correct", WRONG, "all is well").stdout == f"{RIGHT}\nall is well\n"
    assert run("correct", input=f"{WRONG}\n\n").stdout == f"{RIGHT}\n\n"
    assert run("correct", file, "--output", output).exit_code == 0
    assert output.read_bytes() == f"{RIGHT}\r\n\n  {RIGHT}".encode()


def test_json_tells_every_change(run: Run) -> None:
    [line] = run("correct", WRONG, "--json").stdout.splitlines()
    told = json.loads(line)
    assert (told["text"], told["corrected"]) == (WRONG, RIGHT)
    assert [(WRONG[one["begin"] : one["end"]], one["text"], one["read_as"]) for one in told["changes"]] == [
        ("herd", "herd", "heard"),
        ("teh", "teh", "the"),
    ]
    assert all(0 < one["confidence"] <= 1 for one in told["changes"])


def test_a_model_without_context_corrects_by_spelling(run: Run, by_spelling: Path, tiny_dan_model: Model) -> None:
    result = run("correct", "ban bna", "--model", by_spelling)
    assert result.stdout == tiny_dan_model.correct("ban bna") + "\n"


def test_some_words_are_kept(run: Run, tmp_path: Path) -> None:
    (tmp_path / "keep.txt").write_text("Teh\n\n", encoding="utf-8")
    result = run("correct", WRONG, "--keep", tmp_path / "keep.txt")
    assert result.stdout == "I heard teh new song on the radio.\n"


def test_bad_input_is_refused_and_nothing_written(run: Run, tmp_path: Path) -> None:
    missing = run("correct", "nots.txt")
    assert (missing.exit_code, missing.stderr) == (2, "everyword: There is no file nots.txt.\n")
    output = tmp_path / "kept.txt"
    output.write_text("kept", encoding="utf-8")
    assert run("correct", WRONG, "--output", output).exit_code == 2
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9\n")
    wrong = run("correct", tmp_path / "latin.txt", "--output", output, "--overwrite")
    assert wrong.exit_code == 2
    assert "latin.txt" in wrong.stderr
    assert output.read_text(encoding="utf-8") == "kept"
