from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from everyword.cli.explain import OWN_SPELLING
from everyword.models.model import Model

from .conftest import Run


@pytest.fixture(scope="module")
def gated(tiny_dan_model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gated") / "model"
    tiny_dan_model.save_pretrained(folder)
    return folder


def test_for_people(run: Run, gated: Path, tiny_dan_model: Model) -> None:
    result = run("explain", "ban", "bna", "東京", "--model", gated)
    assert (result.exit_code, result.stderr) == (0, "")
    explained = tiny_dan_model.explain("bna")
    shares = [(part.share, part.word) for part in explained.candidates] + [(explained.form_share, OWN_SPELLING)]
    assert result.stdout.splitlines() == [
        "ban (known, confidence 1.00)",
        f"bna ({explained.source.value}, confidence {explained.confidence:.2f})",
        *(f"  {share:6.1%}  {word}" for share, word in sorted(shares, reverse=True)),
        "東京 (none, confidence 0.00)",
    ]


def test_json_from_standard_input(run: Run, gated: Path, tiny_dan_model: Model) -> None:
    result = run("explain", "--json", "--model", gated, input="BNA\n\nban\n")
    unknown, known = map(json.loads, result.stdout.splitlines())
    explained = tiny_dan_model.explain("bna")
    assert unknown["word"] == "BNA"
    assert unknown["source"] == explained.source.value
    assert unknown["confidence"] == pytest.approx(explained.confidence, abs=1e-6)
    assert unknown["form_share"] == pytest.approx(explained.form_share, abs=1e-6)
    assert [part["word"] for part in unknown["candidates"]] == [part.word for part in explained.candidates]
    assert known["word"] == "ban"
    assert known["source"] == "known"
    assert known["confidence"] == 1.0
    assert known["candidates"] == []
    assert known["form_share"] == 0.0
    assert known["read_as"] is None
    assert result.stderr == "skipped 1 blank\n"


def test_a_model_without_a_gate(run: Run, tiny_model_folder: Path) -> None:
    assert (
        run("explain", "bannx", "--model", tiny_model_folder).stdout == f"bannx (inferred)\n  100.0%  {OWN_SPELLING}\n"
    )
    shown = json.loads(run("explain", "bannx", "--json", "--model", tiny_model_folder).stdout)
    assert shown["confidence"] is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dan", "--model", "nope"], "There is no model 'nope'"),
        (["dan", "--count", "3"], "No such option"),
        (["\ud800"], "is not valid text"),
    ],
)
def test_refusals(refused: Callable[..., str], arguments: list[str], sentence: str) -> None:
    assert sentence in refused("explain", *arguments)


def test_lines_that_are_no_text(refused: Callable[..., str], gated: Path) -> None:
    assert "standard input:1: this line is not UTF-8" in refused("explain", "--model", gated, input=b"caf\xe9\n")


def test_other_commands_say_retrieved_too(run: Run, gated: Path, tiny_dan_model: Model) -> None:
    word = next(word for word in ("bna", "grleo", "trsut", "banig") if tiny_dan_model.source(word).value == "retrieved")
    assert run("nearest", word, "-k", 1, "--model", gated).stdout.startswith(f"{word} (retrieved)\n")
    assert run("similarity", word, "ban", "--model", gated).stdout.endswith(f"  {word} (retrieved)  ban (known)\n")
    encoded = run("encode", word, "ban", "--model", gated)
    assert json.loads(encoded.stdout.splitlines()[0])["source"] == "retrieved"
    assert encoded.stderr == "2 words: 1 known, 1 retrieved, 0 inferred, 0 without a vector\n"
