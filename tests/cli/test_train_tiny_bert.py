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
