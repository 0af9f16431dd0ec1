"""A study about linguistic profiles, run on a tiny treebank."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from tiny import tiny_table

from everyword.cli import main
from everyword.errors import ConfigError
from everyword.studies.config import load_study
from everyword.studies.kinds.profiles import is_hidden

STUDY = """\
name = "small-profile"
kind = "profiles"
title = "A small profile"
source = "nobody"
seeds = 2
columns = ["profile/raw text", "profile/all"]
treebanks = ["a.conllu"]
[[variants]]
label = "length"
source = "length"
[[variants]]
label = "table, sum"
source = "vectors"
pooling = "sum"
[[variants]]
label = "hidden"
source = "vectors"
hidden = 0.5
given = "random"
[[variants]]
label = "random"
source = "random"
[[variants]]
label = "last layer"
source = "encoder"
[[claims]]
text = "The sum is better than random vectors."
better = "table, sum"
than = ["random"]
on = "profile/all"
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    table, rng = tiny_table(), np.random.default_rng(0)
    table.save(tmp_path / "a.vec")
    sentences = []
    for _ in range(60):
        words = [table.words[row] for row in rng.integers(300, size=int(rng.integers(2, 9)))]
        rows = [
            f"{place}\t{word}\t{word}\t{'VERB' if word.endswith('ing') else 'NOUN'}\t_\t_\t{place - 1}\tdep\t_\t_"
            for place, word in enumerate(words, start=1)
        ]
        sentences.append("\n".join(rows) + "\n")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.conllu").write_text("\n".join(sentences))
    (tmp_path / "small.toml").write_text(STUDY)
    return tmp_path


def test_rows_of_what_is_given_and_the_same_again(home: Path, tiny_model_folder: Path) -> None:
    command = ["reproduce", "small.toml", "--vectors", "a.vec", "--model", str(tiny_model_folder), "--data", "data"]
    result = CliRunner().invoke(main, [*command, "--work", "work", "--json"])
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    ours = {row["label"]: row["ours"] for row in found["variants"]}
    assert ours["length"]["profile/raw text"] > 40
    assert ours["table, sum"]["profile/all"] > 20
    assert ours["last layer"]["profile/all"] is None
    assert "last layer: skipped, because --encoder is missing." in result.stderr
    assert found["details"]["sentences"] == 60
    assert found["details"]["features"]["sent_length"] == "raw text"
    again = CliRunner().invoke(main, [*command, "--work", "work", "--json"])
    assert "table, sum: " not in again.stderr  # from the work folder
    assert {row["label"]: row["ours"] for row in json.loads(again.stdout)["variants"]} == ours


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('pooling = "sum"', 'pooling = "mode"', "has no pooling of texts 'mode'"),
        ('given = "random"', 'given = "spelling"', "needs a model to make vectors from spelling"),
        ("seeds = 2", "seeds = 1", "must be 2 or more"),
        ('"profile/raw text",', '"profile/style",', "'profile/style' is not one of profile/raw text"),
        ('source = "encoder"', 'source = "encoder"\nhidden = 0.1', "cannot hide words from an encoder"),
    ],
)
def test_a_study_with_mistakes(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "small.toml"
    path.write_text(STUDY.replace(old, new))
    with pytest.raises(ConfigError, match="cannot be used") as error:
        load_study(str(path))
    assert said in str(error.value)


def test_half_of_the_words_are_hidden_and_punctuation_is_not() -> None:
    words = tiny_table().words
    assert 0.35 < np.mean([is_hidden(word, 0.5) for word in words]) < 0.65
    assert [is_hidden(word.upper(), 0.5) for word in words] == [is_hidden(word, 0.5) for word in words]
    assert not is_hidden("...", 1.0)
