"""everyword shrink."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from made import similarity_text
from tiny import tiny_table

from everyword.vectors.read import read_table

from .conftest import Run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    tiny_table().save(tmp_path / "a.vec")
    (tmp_path / "data" / "similarity").mkdir(parents=True)
    (tmp_path / "data" / "similarity" / "simlex999.tsv").write_text(similarity_text())
    return tmp_path


def test_the_usual_methods_side_by_side(run: Run, home: Path) -> None:
    result = run("shrink", "a.vec", "--tasks", "similarity/simlex999", "--data", "data")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["method", "bytes", "size", "dim", "cosine", "of", "10", "mean", "simlex999"]
    first = [line.split()[0] for line in lines[1:]]
    assert {"float32", "int8", "int4", "pq:8", "pca:8", "pca:8,int8", "prune:0.5", "prune:0.5:scope=row"} <= set(first)
    assert lines[1].split()[2:6] == ["101%", "16", "1.0000", "10.0"]  # with the header of the file
    assert sorted(path.name for path in home.iterdir()) == ["a.vec", "data"]


def test_write_one_and_open_it_as_any_table(run: Run, home: Path) -> None:
    result = run("shrink", "a.vec", "--method", "pca:8,int8", "--tasks", "none", "--output", "small.safetensors")
    assert result.exit_code == 0, result.stderr
    size = (home / "small.safetensors").stat().st_size
    assert f"Saved 300 vectors of dimension 8 to small.safetensors, {size:,} bytes." in result.stderr
    assert f" {size:,} " in result.stdout
    small = read_table(home / "small.safetensors")
    assert (len(small), small.dim) == (300, 8)
    described = run("info", "small.safetensors", "--json")
    facts = json.loads(described.stdout)
    assert (facts["format"], facts["stored_as"], facts["dimension"]) == ("compact", "int8", 8)
    assert run("convert", "small.safetensors", "again.vec").exit_code == 0
    np.testing.assert_allclose(read_table(home / "again.vec").matrix, small.matrix, rtol=1e-4, atol=1e-5)
    later = run("postprocess", "a.vec", "--record", "small.safetensors.record", "--limit", 5, "--output", "later.vec")
    assert later.exit_code == 0, later.stderr
    np.testing.assert_allclose(read_table(home / "later.vec").matrix, small.matrix[:5], atol=0.1)
    assert run("evaluate", "small.safetensors", "--tasks", "simlex999", "--data", "data").exit_code == 0


def test_words_of_no_task_are_shrunk_all_the_same(run: Run, home: Path) -> None:
    (home / "data" / "similarity" / "simlex999.tsv").write_text("word1\tword2\tscore\nqqqq\tzzzz\t1\nqq\tzz\t2\n")
    options = ("--method", "int8", "--tasks", "similarity/simlex999", "--data", "data", "--output", "small.safetensors")
    result = run("shrink", "a.vec", *options)
    assert result.exit_code == 0, result.stderr
    assert "simlex999" not in result.stdout
    assert len(read_table(home / "small.safetensors")) == 300


def test_a_budget_chooses_the_best_that_fits(run: Run, home: Path) -> None:
    chosen = ["--method", "float32", "--method", "int8", "--method", "prune:0.9"]
    result = run(
        "shrink", "a.vec", *chosen, "--tasks", "none", "--budget", "8.5KB", "--output", "s.safetensors", "--json"
    )
    assert result.exit_code == 0, result.stderr
    record = json.loads(result.stdout)
    assert record["chosen"] == "int8"
    [int8] = [one for one in record["methods"] if one["method"] == "int8"]
    assert int8["bytes"] == (home / "s.safetensors").stat().st_size <= 8500
    assert int8["cosine"] > 0.99
    by_score = run("shrink", "a.vec", *chosen, "--tasks", "simlex999", "--data", "data", "--budget", "1MB")
    assert "The best that fits 1,000,000 bytes: " in by_score.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.vec", "--method", "int9"], "There is no post-processing step 'int9'"),
        (["a.vec", "--method", "pca:90", "--tasks", "none"], "ask for 16 or fewer"),
        (["a.vec", "--method", "int8", "--output", "x.vec"], "must end in .safetensors"),
        (["a.vec", "--budget", "twenty"], "as in 20MB"),
        (["a.vec", "--budget", "1KB", "--tasks", "none", "--output", "x.safetensors"], "No method fits 1,000 bytes"),
        (["none.vec", "--tasks", "none"], "There is no file none.vec"),
        (["a.vec", "--tasks", "nothing", "--data", "data"], "There is no task 'nothing'"),
        (["a.vec", "--method", "int8", "--output", "no/x.safetensors", "--tasks", "none"], "There is no folder no"),
    ],
)
def test_what_cannot_be_done_writes_nothing(
    arguments: list[str], said: str, run: Run, home: Path, refused: Callable[..., str]
) -> None:
    result = run("shrink", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr.splitlines()[-1]
    assert sorted(path.name for path in home.iterdir()) == ["a.vec", "data"]


def test_output_needs_one_method(run: Run, home: Path) -> None:
    result = run("shrink", "a.vec", "--output", "x.safetensors")
    assert result.exit_code == 2
    assert "give one --method, or --budget" in result.stderr


def test_a_study_of_shrinking(run: Run, home: Path) -> None:
    (home / "tiny.toml").write_text("""
name = "tiny-shrinking"
kind = "spaces"
title = "Tiny"
source = "made"
rows = 200
columns = ["spaces/one size", "spaces/one neighbours", "spaces/one similarity", "spaces/model size"]

[[variants]]
label = "float32"
change = "shrink"
method = "float32"

[[variants]]
label = "half"
change = "shrink"
method = "prune:0.5:scope=row"
""")
    result = run("reproduce", "tiny.toml", "--vectors", "one=a.vec", "--model", "love-en", "--data", "data", "--json")
    assert result.exit_code == 0, result.stderr
    whole, half = (row["ours"] for row in json.loads(result.stdout)["variants"])
    assert whole["spaces/one size"] == whole["spaces/one neighbours"] == 100
    assert 40 < half["spaces/one size"] < 70
    assert half["spaces/one neighbours"] < 100
    assert whole["spaces/model size"] is None
    broken = (home / "tiny.toml").read_text().replace('method = "float32"\n', "")
    (home / "tiny.toml").write_text(broken)
    refused = run("reproduce", "tiny.toml", "--data", "data")
    assert refused.exit_code == 2
    assert 'must have a method with change = "shrink"' in refused.stderr


def test_a_model_is_pruned_and_says_so(run: Run, tmp_path: Path) -> None:
    done = run("shrink", "love-en", "--sparsity", 0.5, "--output", "small", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["bytes"] < found["bytes_before"]
    assert f"to small, {found['bytes']:,} bytes instead of {found['bytes_before']:,}." in done.stderr
    assert "Vectors from spelling alone have a mean cosine of" in done.stderr
    assert json.loads(run("info", "small", "--json").stdout)["pruned"].endswith("zeros in the encoder")
    assert run("nearest", "catt", "--model", "small").exit_code == 0


def test_a_folder_that_cannot_be_pruned(refused: Callable[..., str], home: Path) -> None:
    assert "for a vector file use --method prune:0.5" in refused("shrink", "a.vec", "--sparsity", 0.5)
    assert "name a folder to write by --output" in refused("shrink", "love-en", "--sparsity", 0.5)
    assert "A folder is shrunk by --sparsity alone" in refused("shrink", "data")
    (home / "ner").mkdir()
    (home / "ner" / "tagger.safetensors").write_bytes(b"no")
    output = ("--output", "small")
    assert "cannot be read as saved weights" in refused("shrink", "ner", "--sparsity", 0.5, *output)
    assert "is read by this command" in refused("shrink", "ner", "--sparsity", 0.5, "--output", "ner", "--overwrite")
    assert "above 0 and below 1. Got 2" in refused("shrink", "love-en", "--sparsity", 2, *output)
    assert "There is no model 'nothing'" in refused("shrink", "nothing", "--sparsity", 0.5, *output)
