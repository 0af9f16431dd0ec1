from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner

from everyword.cli import main
from everyword.errors import ConfigError, UnknownNameError
from everyword.studies.table_study import TableConfig, TableStudy, judge_tables, load_table_study, shipped_table_studies
from everyword.vectors.table import VectorTable


@pytest.mark.parametrize("name", [*shipped_table_studies()])
def test_every_shipped_study_can_be_read(name: str) -> None:
    study = load_table_study(name)

    assert study.name == name
    assert len({table.file for table in study.tables}) == len(study.tables)
    assert all(set(table.paper) <= set(study.pieces) for table in study.tables)
    given = {key: [key] for key in ("encoder", "corpus", "parser", "prepared", "work", "device", "output")}
    for table in study.tables:
        command = table.command(given)
        assert command is not None
        # Every command is one that the shell takes, with options that it knows.
        with main.make_context("everyword", [command[0], "--help"], resilient_parsing=True):
            pass
        assert "output" in command


def test_a_command_is_filled_in_or_left_out() -> None:
    table = TableConfig("A table, mine", "extract @encoder @corpus --words @prepared/words.tsv --template '{}'")

    assert table.file == "a-table-mine.npy"
    assert table.command({"encoder": ["bert"], "corpus": ["a", "b"], "prepared": ["p"]}) == [
        *("extract", "bert", "--corpus", "a", "--corpus", "b", "--words", "p/words.tsv", "--template", "{}"),
    ]
    assert table.command({"encoder": ["bert"], "corpus": [], "prepared": ["p"]}) is None


def test_names_that_do_not_exist_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="did you mean"):
        load_table_study("dynamic-statik")
    wrong = TableStudy("a", "b", "c", ("similarity/wordsim999",), ())
    assert "there is no piece" in next(wrong.problems())


def similarity_data(folder: Path) -> Path:
    (folder / "similarity").mkdir(parents=True)
    lines = ["word1\tword2\tscore", "cat\tdog\t9", "cat\tcity\t2", "dog\tmat\t1", "city\tmat\t5"]
    (folder / "similarity" / "wordsim353.tsv").write_text("\n".join(lines) + "\n")
    return folder


def test_tables_at_hand_are_judged_and_the_others_not_tested(tmp_path: Path) -> None:
    study = load_table_study("dynamic-static")
    work, told = tmp_path / "work", []
    work.mkdir()
    good = np.array([[1, 0.1], [1, 0.2], [0.1, 1], [0.4, 1]], dtype=np.float32)
    for label, matrix in (("contextual skip-gram", good), ("CBOW", good[::-1]), ("GloVe", -good[[0, 2, 1, 3]])):
        file = next(table.file for table in study.tables if table.label == label)
        VectorTable(["cat", "dog", "city", "mat"], matrix).save(work / file)
    found = judge_tables(
        study, work, data=similarity_data(tmp_path / "data"), results=tmp_path / "results", told="", tell=told.append
    )

    verdicts = {judged.claim.on: judged.verdict for judged in found.claims}
    assert set(verdicts.values()) == {"not tested"}
    assert found.rows["skip-gram"]["similarity/wordsim353"] is None
    score = found.rows["contextual skip-gram"]["similarity/wordsim353"]
    assert score is not None
    assert score.value > 50
    assert any("passed over" in line for line in told)


def test_the_command_makes_what_is_missing_and_judges_it(
    tiny_bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng, words = Random(2), ("cat", "dog", "city", "mat", "the", "walked", "older", "café", "owner", "on", "in", "a")
    (tmp_path / "text.txt").write_text("\n".join(" ".join(rng.choices(words, k=12)) for _ in range(40)))
    small = load_table_study("dynamic-static")
    kept = [table for table in small.tables if table.label in ("CBOW", "bare word", "contextual skip-gram")]
    less = TableStudy(small.name, small.title, small.source, ("similarity/wordsim353",), tuple(kept))
    monkeypatch.setattr("everyword.studies.table_study.load_table_study", lambda _: less)
    asked = ["reproduce", "dynamic-static", "--data", str(similarity_data(tmp_path / "data")), "--device", "cpu"]
    asked += ["--work", "work", "--results", "results"]

    nothing = CliRunner().invoke(main, asked)
    assert nothing.exit_code == 0, nothing.output
    assert nothing.stderr.count("left out, because --encoder, --corpus or --parser is missing") == 3

    done = CliRunner().invoke(main, [*asked, "--encoder", str(tiny_bert_folder), "--corpus", "text.txt"])
    assert done.exit_code == 0, done.output
    assert "everyword train static cbow --prepared work/prepared --output work/cbow.npy" in done.stderr
    findings = json.loads((tmp_path / "results" / "dynamic-static.json").read_text())
    assert all(row["ours"]["similarity/wordsim353"] is not None for row in findings["variants"])
    assert "| contextual skip-gram |" in done.stdout

    again = CliRunner().invoke(main, asked)
    assert "left out" not in again.stderr


def test_a_study_with_mistakes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.toml").write_text('name = "bad"\ntitle = ""\nsource = ""\npieces = ["a/b"]\ntables = []\n')
    monkeypatch.setattr("everyword.studies.table_study.shipped_table_studies", lambda: {"bad": tmp_path / "bad.toml"})
    with pytest.raises(ConfigError, match="there is no piece"):
        load_table_study("bad")
