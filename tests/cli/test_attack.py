"""everyword attack."""

from __future__ import annotations

import gzip
import json
import re
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


def test_synonyms(run: Run, refused: Callable[..., str], home: Path) -> None:
    asked = ("attack", "a.vec", "--replace", "synonyms", "--data", "data", "--budget", 3)
    assert "There is no list of synonyms" in refused(*asked)
    trees = gzip.decompress((home / "data" / "trees" / "sst" / "test.txt.gz").read_bytes()).decode()
    rows = [f"{word}\tthing\tn\t1" for word in sorted(set(re.findall(r"[a-z]{3,}", trees)))]
    (home / "data" / "lexical").mkdir()
    with gzip.open(home / "data" / "lexical" / "wordnet_synonyms.tsv.gz", "wt") as file:
        file.write("\n".join(["word\tsynonym\tpos\tsense_rank", *rows]) + "\n")
    found = run(*asked)
    assert found.exit_code == 0, found.stderr
    assert "synonyms of sst2, 3 tries per text" in found.stdout


def test_bad_input(refused: Callable[..., str], home: Path) -> None:
    assert "Texts and names are read from a data folder" in refused("attack", "a.vec")
    assert "There is no list of names" in refused("attack", "a.vec", "--replace", "cities", "--data", "data")
    assert "There is no file of labelled texts" in refused("attack", "a.vec", "--texts", "agnews", "--data", "data")
    (home / "found.json").write_text("{}")
    assert "found.json" in refused("attack", "a.vec", "--data", "data", "--output", "found.json")
