from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made import make_data, write
from tiny import tiny_table

from .conftest import Run


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    lines = [f"{word}\t{1 + place * 5}" for place, word in enumerate(tiny_table().words)]
    return write(tmp_path / "counts.tsv", "word\tcount\n" + "\n".join(lines) + "\n")


def test_a_model_by_frequency(run: Run, tiny_model_folder: Path, counts: Path, tmp_path: Path) -> None:
    data = make_data(tmp_path / "data")
    given = ("by-resource", tiny_model_folder, "--frequencies", counts, "--data", data)
    given = (*given, "--tasks", "similarity/rareword")

    shown = run(*given, "--least", 3, "--width", 3)
    assert (shown.exit_code, shown.stderr) == (0, "")
    lines = shown.stdout.splitlines()
    assert lines[2] == "similarity/rareword"
    assert any("a doubling of frequency: " in line for line in lines)
    assert lines[-6] == "words of the model that occur"
    assert lines[-5].split() == ["more", "than", "0", "100.0", "%"]

    drawn = run(*given, "--least", 3, "--picture", tmp_path / "bands.svg")
    assert drawn.exit_code == 0
    assert "similarity/rareword" in (tmp_path / "bands.svg").read_text(encoding="utf-8")
    part = json.loads(run(*given, "--json").stdout)["found"]["similarity/rareword"]
    assert sum(band["n"] for band in part["bands"]) == 30
    assert part["regressions"][0]["coefficients"][0]["name"] == "frequency"


def test_scores_by_sizes(run: Run, tmp_path: Path) -> None:
    rows = [("en", 90, 1024, 300), ("de", 80, 512, 90), ("fi", 72, 256, 200), ("lv", 58, 128, 40), ("yo", 50, 64, 60)]
    text = "name\tscore\ttext\ttraining\n" + "".join("\t".join(map(str, row)) + "\n" for row in rows)
    write(tmp_path / "languages.tsv", text)

    lines = run("by-resource", "--scores", "languages.tsv").stdout.splitlines()

    assert lines[0] == "languages.tsv, scores"
    assert sum("a doubling of text: " in line for line in lines) == 2
    assert "  a doubling of text: +10.20 " in "\n".join(lines)
    assert lines[-1].startswith("  likelihood ratio, text without the others: p ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Give --frequencies to score a model, or --scores"),
        (["--frequencies", "a", "--scores", "b"], "Give --frequencies to score a model, or --scores"),
        (["m", "--scores", "bad.tsv"], "Give either a model or --scores"),
        (["--scores", "bad.tsv"], "bad.tsv:1: the columns must be name, score and one size or more"),
        (["--scores", "words.tsv"], "words.tsv:2: needs name, score, size between tabs, and numbers"),
        (["--scores", "few.tsv"], "needs 3 scores. Got 1"),
        (["--frequencies", "none.tsv"], "none.tsv"),
        (["--scores", "few.tsv", "--picture", "bands.pdf"], "must end in .png or .svg"),
    ],
)
def test_refusals(refused: Callable[..., str], tmp_path: Path, arguments: list[str], sentence: str) -> None:
    write(tmp_path / "bad.tsv", "name\tpoints\nen\t1\n")
    write(tmp_path / "words.tsv", "name\tscore\tsize\nen\tmany\t1\n")
    write(tmp_path / "few.tsv", "name\tscore\tsize\nen\t5\t1\n")
    assert sentence in refused("by-resource", *arguments)


def test_nothing_scored(run: Run, tiny_model_folder: Path, counts: Path, tmp_path: Path) -> None:
    data = make_data(tmp_path / "data")
    given = ("by-resource", tiny_model_folder, "--frequencies", counts, "--data", data, "--tasks", "clustering/ap")
    result = run(*given)
    assert result.exit_code == 2
    assert "clustering/ap: skipped. The task clustering cannot be scored by frequency" in result.stderr
    assert "Nothing was scored" in result.stderr
