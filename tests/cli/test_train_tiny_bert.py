from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run

SIZE = (
    "layers=1",
    "width=16",
    "heads=2",
    "inner=16",
    "vocabulary=60",
    "length=8",
    "batch=4",
    "epochs=1",
    "held_out=0.1",
)


@pytest.fixture
def text(tmp_path: Path) -> str:
    (tmp_path / "text.txt").write_text("the cat sat on the mat and the dog sat too\n" * 30)
    return "text.txt"


def test_prepared_here_and_trained_there(run: Run, text: str, tmp_path: Path) -> None:
    prepared = run("train", "tiny-bert", "--corpus", text, "--output", "bert", "--prepare-only", *SIZE)
    assert prepared.exit_code == 0, prepared.stderr
    assert "Train on it:  everyword train tiny-bert --output bert --run-folder bert-run --resume" in prepared.stderr
    assert not (tmp_path / "bert").exists()
    (tmp_path / text).unlink()
    trained = run("train", "tiny-bert", "--output", "bert", "--resume", "--device", "cpu", *SIZE)
    assert trained.exit_code == 0, trained.stderr
    assert "epoch 1: loss" in trained.stderr
    assert (tmp_path / "bert" / "model.safetensors").is_file()


def test_attributes_of_words_that_only_the_lexicon_knows(run: Run, text: str, tmp_path: Path) -> None:
    (tmp_path / "lexicon.tsv").write_text("cat\tanimal\ndog\tanimal\nlion\tanimal\n")
    (tmp_path / "words.txt").write_text("cat\nlion\nhouse\n")
    new = ("train", "tiny-bert", "--corpus", text, "--attributes", "lexicon.tsv", "--output", "bert", "--device", "cpu")
    trained = run(*new, *SIZE, "causal=true", "units=words")
    assert trained.exit_code == 0, trained.stderr
    assert "1 attributes of 2 of " in trained.stderr
    assert "everyword extract bert --words WORDS" in trained.stderr
    extracted = run("extract", "bert", "--how", "attributes", "--words", "words.txt", "--output", "vectors.vec")
    assert extracted.exit_code == 0, extracted.stderr
    assert "1 of 3 words are left out" in extracted.stderr
    assert len((tmp_path / "vectors.vec").read_text().splitlines()) in (2, 3)
    more = ("--resume", "--overwrite", "--device", "cpu", *SIZE, "causal=true", "units=words")
    again = run("train", "tiny-bert", "--output", "bert", *more)
    assert again.exit_code == 0, again.stderr


def test_bad_attributes_are_refused(refused: Callable[..., str], text: str, tmp_path: Path) -> None:
    new = ("train", "tiny-bert", "--corpus", text, "--output", "bert", "--device", "cpu", *SIZE)
    (tmp_path / "lexicon.tsv").write_text("cat animal\n")
    assert "lexicon.tsv:1: needs a word, a tab" in refused(*new, "--attributes", "lexicon.tsv")
    assert "no lexicon; name one by --attributes" in refused(*new, "attributes.weight=2")
    assert "needs causal=true" in refused(*new, "--attributes", "lexicon.tsv", "attributes.target=read")
    resumed = ("train", "tiny-bert", "--output", "bert", "--resume")
    assert "--attributes goes with --corpus" in refused(*resumed, "--attributes", "lexicon.tsv")
    assert not (tmp_path / "bert-run").exists()


def test_refusals(run: Run, refused: Callable[..., str], text: str, tmp_path: Path) -> None:
    new = ("train", "tiny-bert", "--corpus", text, "--output", "bert", "--device", "cpu")
    assert "by --corpus, or resume a run by --resume" in refused("train", "tiny-bert", "--output", "bert")
    assert "did you mean 'tiny-bert'?" in refused("train", "tiny-bret", "--output", "bert")
    assert "No such option '--teacher'" in refused(*new, "--teacher", "x.vec")
    assert "width must be a multiple of heads" in refused(*new, "width=10")
    assert run(*new, *SIZE, "--prepare-only").exit_code == 0
    assert "holds a run already" in refused(*new, *SIZE)
    (tmp_path / "bert").mkdir()
    (tmp_path / "bert" / "config.json").write_text("{}")
    assert "bert exists already and is not empty" in refused(*new, *SIZE)
