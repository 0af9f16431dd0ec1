from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from everyword.models.model import Model

from .conftest import Run


def test_two_words(run: Run, tiny_model_folder: Path, tiny_model: Model) -> None:
    result = run("similarity", "dan", "daans", "--model", tiny_model_folder)
    cosine = tiny_model.similarity("dan", "daans")
    assert result.stdout == f"{cosine:6.3f}  dan (known)  daans (inferred)\n"


def test_json(run: Run, tiny_model_folder: Path, tiny_model: Model) -> None:
    result = run("similarity", "dan", "daans", "--json", "--model", tiny_model_folder)
    assert json.loads(result.stdout) == {
        "first": "dan",
        "second": "daans",
        "sources": ["known", "inferred"],
        "cosine": pytest.approx(tiny_model.similarity("dan", "daans"), abs=1e-6),
    }


def test_pairs_from_standard_input(run: Run, tiny_model_folder: Path) -> None:
    text = "dan\tdan\r\n\ndan\t東京\nnew york\tdan"
    result = run("similarity", "--model", tiny_model_folder, input=text)
    first, second, third = result.stdout.splitlines()
    assert first == " 1.000  dan (known)  dan (known)"
    assert second == " 0.000  dan (known)  東京 (no vector)"
    assert third.endswith("  new york (inferred)  dan (known)")


def test_one_word_is_not_enough(refused: Callable[..., str], tiny_model_folder: Path) -> None:
    assert "Give two words" in refused("similarity", "dan", "--model", tiny_model_folder)


@pytest.mark.parametrize("line", ["dan", "dan dan", "dan\tdan\tdan"])
def test_lines_that_are_no_pair(refused: Callable[..., str], tiny_model_folder: Path, line: str) -> None:
    error = refused("similarity", "--model", tiny_model_folder, input=f"\n{line}\n")
    assert "standard input:2: a line needs two words with a tab between them" in error
