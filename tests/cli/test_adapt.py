"""everyword adapt and everyword add-vectors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tiny import own_table, tiny_table

import everyword

from .conftest import Run


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    own_table().save(tmp_path / "own.vec")
    return tmp_path / "own.vec"


def test_adapt_prints_how_good_it_is_and_saves_a_model(run: Run, own_file: Path, tiny_model_folder: Path) -> None:
    result = run("adapt", own_file, "--model", tiny_model_folder, "--output", "mine")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines] == [
        "known words",
        "shared with tiny",
        "ridge",
        *(
            f"words that tiny {kind}: {way}"
            for kind in ("knows", "does not know")
            for way in ("adapted", "the mean vector", "nearest spelling")
        ),
    ]
    assert lines[0].endswith("260, of dimension 10")
    assert lines[3].endswith(" of 10 neighbours, n = 16")
    assert "Saved the model to mine. Try it:  everyword nearest mispelling --model mine" in result.stderr
    model = everyword.load(own_file.with_name("mine"))
    assert model.name == "mine"
    np.testing.assert_array_equal(model.encode(own_table().words), own_table().matrix)
    assert run("nearest", "bann", "--model", "mine").exit_code == 0
    facts = json.loads(run("info", "mine", "--json").stdout)
    assert facts["checksums_verified"] == ["model.safetensors", "words.txt", "base/config.json"]
    assert facts["summary"] == "The words of own.vec, and every other word from tiny, mapped into their space."


def test_adapt_to_the_first_words_packed(run: Run, own_file: Path, tiny_model_folder: Path) -> None:
    options = ("--limit", 140, "--precision", "int8", "--output", "small")
    assert run("adapt", own_file, "--model", tiny_model_folder, *options).exit_code == 0
    model = everyword.load(own_file.with_name("small"))
    assert (len(model.known_words), model.known_words.matrix.precision) == (140, "int8")


def test_attach(run: Run, tiny_model_folder: Path, teacher_path: Path, tmp_path: Path) -> None:
    result = run("add-vectors", tiny_model_folder, teacher_path, "--output", "whole")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("Saved the model to whole.")
    model = everyword.load(tmp_path / "whole")
    np.testing.assert_array_equal(model.encode(tiny_table().words), tiny_table().matrix)
    assert "added words" in (tmp_path / "whole" / "README.md").read_text(encoding="utf-8")


def test_a_model_is_replaced_only_on_request(
    run: Run, refused: Callable[..., str], own_file: Path, tiny_model_folder: Path
) -> None:
    command = ("adapt", own_file, "--model", tiny_model_folder, "--output", "mine")
    assert run(*command).exit_code == 0
    assert "mine exists already and is not empty" in refused(*command)
    assert run(*command, "--overwrite").exit_code == 0


def test_what_cannot_be_is_one_line(refused: Callable[..., str], own_file: Path, tiny_model_folder: Path) -> None:
    missing = own_file.with_name("missing.vec")
    assert "missing.vec" in refused("adapt", missing, "--output", "x")
    (own_file.with_name("few.vec")).write_text("2 2\nban 1 2\nbaner 3 4\n")
    assert "Only 2 words have vectors in both few.vec and tiny" in refused(
        "adapt", "few.vec", "--model", tiny_model_folder, "--output", "x"
    )
    assert "There is no model" in refused("adapt", own_file, "--model", "everyword-xx", "--output", "x")
    assert "of dimension 16, and those of own.vec have 10" in refused(
        "add-vectors", tiny_model_folder, own_file, "--output", "x"
    )
