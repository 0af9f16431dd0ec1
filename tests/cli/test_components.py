"""everyword components."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from made import similarity_text
from tiny import tiny_table

from .conftest import Run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    table = tiny_table()
    table.save(tmp_path / "a.vec")
    (tmp_path / "data" / "similarity").mkdir(parents=True)
    (tmp_path / "data" / "similarity" / "simlex999.tsv").write_text(similarity_text())
    words = table.words
    texts = [f"{number % 2}\t{words[number]} {words[number + 2]}\n" for number in range(90)]
    (tmp_path / "data" / "classification" / "sst2").mkdir(parents=True)
    for part, lines in (("train", texts[:50]), ("dev", texts[50:70]), ("test", texts[70:])):
        path = tmp_path / "data" / "classification" / "sst2" / f"{part}.tsv"
        path.write_text("label\ttext\n" + "".join(lines))
    return tmp_path


def test_tables_a_file_and_a_picture(run: Run, home: Path) -> None:
    arguments = ["--tasks", "simlex999,sst2", "--data", "data", "--points", 4, "--singles", 2]
    result = run("components", "a.vec", *arguments, "--output", "found.json", "--plot", "curves.svg")
    assert result.exit_code == 0, result.stderr
    assert "a, policy zero: 16 components, fitted to 300 words" in result.stdout
    for title in ("variance of the thirds: top ", "first components", "top components removed", "single components"):
        assert title in result.stdout
    assert "mean of classification" in result.stdout
    record = json.loads((home / "found.json").read_text())
    assert record["tasks"][0]["first"].keys() == {"4", "8", "12", "16"}
    assert sum(record["shares"]) == pytest.approx(1, abs=1e-3)
    assert ElementTree.parse(home / "curves.svg").getroot().tag.endswith("svg")
    again = run("components", "a.vec", *arguments, "--json")
    assert json.loads(again.stdout) == record


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.vec", "--tasks", "sst3", "--data", "data"], "There is no task"),
        (["a.vec", "--tasks", "mr", "--data", "data"], "There is no file of labelled texts"),
        (["a.vec", "--data", "nowhere"], "There is no data folder nowhere"),
        (["a.vec", "--data", "data", "--plot", "curves.txt"], "must end in .png or .svg"),
        (["a.vec", "--data", "data", "--output", "a.vec"], "exists already"),
        (["a.vec", "--data", "data", "--output", "no/x.json"], "There is no folder no"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    arguments: list[str], said: str, refused: Callable[..., str], home: Path
) -> None:
    before = sorted(path.name for path in home.iterdir())
    assert said in refused("components", *arguments)
    assert sorted(path.name for path in home.iterdir()) == before


def test_a_study_of_changes(run: Run, home: Path, refused: Callable[..., str]) -> None:
    study = """
name = "tiny-spaces"
kind = "spaces"
title = "Tiny"
source = "made"
seeds = 2
columns = ["spaces/one similarity", "spaces/one sst2", "spaces/other sst2"]

[[variants]]
label = "as it is"
change = "none"

[[variants]]
label = "middle"
change = "components"
begin = 0.33333
end = 0.66667
paper = { "spaces/one sst2" = 50.0 }

[[variants]]
label = "random"
change = "random"

[[claims]]
text = "Something holds."
better = "as it is"
than = ["random"]
on = "spaces/one sst2"

[[claims]]
text = "Something else holds."
better = "as it is"
than = ["middle"]
on = "spaces/one sst2"
"""
    (home / "tiny.toml").write_text(study)
    result = run("reproduce", "tiny.toml", "--vectors", "one=a.vec", "--data", "data", "--results", "kept")
    assert result.exit_code == 0, result.stderr
    assert "other: skipped, because --vectors other=FILE is missing." in result.stderr
    record = json.loads((home / "kept" / "tiny-spaces.json").read_text())
    rows = {row["label"]: row for row in record["variants"]}
    assert rows["middle"]["ours"]["spaces/other sst2"] is None
    assert rows["as it is"]["spread"] == {}
    assert 0 <= rows["middle"]["ours"]["spaces/one sst2"] <= 100
    assert list(record["inputs"]["vectors"]) == ["a.vec"]
    assert [rows[label]["seeds"] for label in ("as it is", "middle", "random")] == [None, None, 2]
    assert [one["reason"] for one in record["claims"]] == ["2 seeds; a verdict needs 3", "nothing is drawn"]
    assert "has no table 'third'" in refused("reproduce", "tiny.toml", "--vectors", "third=a.vec", "--data", "data")
    assert "NAME=FILE" in refused("reproduce", "tiny.toml", "--vectors", "a.vec", "--data", "data")
    (home / "tiny.toml").write_text(study.replace("spaces/other sst2", "spaces/other sst5"))
    assert "is not spaces/TABLE TASK" in refused("reproduce", "tiny.toml", "--data", "data")
