from __future__ import annotations

import json
import shlex
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tiny import TINY_OVERRIDES

import everyword
from everyword.learning.loop import TrainingLoop

from .conftest import Run

Train = Callable[..., Result]


@pytest.fixture
def train(run: Run, teacher_path: Path) -> Train:
    """Trains the tiny recipe quietly on the CPU."""

    def train_tiny(*arguments: object, teacher: Path | None = teacher_path) -> Result:
        options = ["--teacher", teacher] if teacher else []
        return run("train", "love", *options, "--device", "cpu", "--quiet", *TINY_OVERRIDES, *arguments)

    return train_tiny


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def recorded_command(folder: Path) -> str:
    return str(json.loads((folder / "config.json").read_text())["training"]["command"])


def test_from_teacher_to_model(train: Train, run: Run, tmp_path: Path) -> None:
    result = train("--output", tmp_path / "deep" / "my model")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    sentence, _, command = result.stderr.strip().partition("  ")
    assert sentence == f"Saved the model to {tmp_path / 'deep' / 'my model'}. Try it:"
    assert run(*shlex.split(command)[1:]).stdout.startswith("mispelling (inferred)\n")
    expected = ["train", "love", "--teacher", "tiny.vec", "--output", "my model", *TINY_OVERRIDES]
    assert recorded_command(tmp_path / "deep" / "my model") == shlex.join(["everyword", *expected])


def test_resumed_is_straight(train: Train, tmp_path: Path) -> None:
    assert train("--output", "straight").exit_code == 0
    assert train("--output", "extended", "training.epochs=1").exit_code == 0
    assert weights(tmp_path / "extended") != weights(tmp_path / "straight")
    result = train("--output", "extended", "--resume", "--overwrite", teacher=None)
    assert result.exit_code == 0, result.stderr
    assert weights(tmp_path / "extended") == weights(tmp_path / "straight")
    assert recorded_command(tmp_path / "extended") == recorded_command(tmp_path / "straight").replace(
        "--output straight", "--output extended"
    )


def test_ctrl_c_and_on(train: Train, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_step = TrainingLoop._step

    def interrupted_step(loop: TrainingLoop, *arguments: Any) -> Any:
        if (loop.progress.epoch, loop.progress.step) == (1, 1):
            signal.raise_signal(signal.SIGINT)
        return take_step(loop, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLoop, "_step", interrupted_step)
        result = train("--output", "stopped", "--run-folder", "kept")
    assert result.exit_code == 130
    assert result.stdout == ""
    sentence, _, command = result.stderr.strip().partition("  ")
    assert sentence == "Stopped; the run is saved in kept. Continue:"
    assert not (tmp_path / "stopped").exists()
    resumed = run(*shlex.split(command)[1:])
    assert resumed.exit_code == 0, resumed.stderr
    assert train("--output", "straight").exit_code == 0
    assert weights(tmp_path / "stopped") == weights(tmp_path / "straight")


def test_prepare_here_train_elsewhere(train: Train, run: Run, tmp_path: Path) -> None:
    result = train("--output", "m", "--prepare-only")
    assert result.exit_code == 0, result.stderr
    assert not (tmp_path / "m").exists()
    command = result.stderr.strip().partition("  ")[2]
    assert run(*shlex.split(command)[1:], "--quiet").exit_code == 0
    assert everyword.load(tmp_path / "m").dim == 16


def test_lenient_teacher(train: Train, teacher_path: Path, tmp_path: Path) -> None:
    ragged = tmp_path / "ragged.vec"
    ragged.write_text(teacher_path.read_text() + "short 1 2\n")
    result = train("--output", "m", "--lenient", "--prepare-only", teacher=ragged)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.startswith(f"everyword: {ragged}: skipped 1 row: 1 ragged row (first at {ragged}:302)")
    assert result.stderr.count("\n") == 2
    assert "\nPrepared the data in m-run. Train on them:  everyword train love" in result.stderr
    assert (tmp_path / "m-run" / "teacher-options.txt").read_text() == "--teacher ragged.vec --lenient\n"


def test_commands_name_no_folders(train: Train, run: Run, teacher_path: Path, tmp_path: Path) -> None:
    recipe, pieces = tmp_path / "mine.toml", tmp_path / "pieces.txt"
    recipe.write_text('recipe = "love"\nname = "mine"\n')
    pieces.write_text("pla\n##n\n")
    extra = [*TINY_OVERRIDES, "training.epochs=1", f"vocabulary.pieces={pieces}"]
    result = run("train", recipe, "--teacher", teacher_path, "--output", tmp_path / "m", "--quiet", *extra)
    assert result.exit_code == 0, result.stderr
    command = recorded_command(tmp_path / "m")
    assert "/" not in command
    assert command.endswith("vocabulary.pieces=pieces.txt")
    assert command.startswith("everyword train mine.toml --teacher tiny.vec --output m ")


def test_what_is_there_is_not_overwritten(
    train: Train, refused: Callable[..., str], teacher_path: Path, tiny_model_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiny_model_folder, tmp_path / "m")
    arguments = ["train", "love", "--teacher", teacher_path, "--output", "m"]
    assert "m exists already and is not empty" in refused(*arguments)
    assert not (tmp_path / "m-run").exists()
    assert train("--output", "m", "--overwrite", "training.epochs=1").exit_code == 0
    assert weights(tmp_path / "m") != weights(tiny_model_folder)
    shutil.rmtree(tmp_path / "m")
    assert "m-run holds a run already; continue it with --resume" in refused(*arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["love", "--output", "m"], "A new training needs --teacher, a vector file"),
        (["love"], "Missing option '--output'"),
        (["lov", "--teacher", "TEACHER", "--output", "m"], "did you mean 'love'"),
        (["missing.toml", "--teacher", "TEACHER", "--output", "m"], "There is no file missing.toml"),
        (["love", "--teacher", "missing.vec", "--output", "m"], "There is no file missing.vec"),
        (["love", "--teacher", "file", "--output", "m"], "not a known format"),
        (["love", "--teacher", "TEACHER", "--output", "file"], "file is a file; give the path of a folder"),
        (["love", "--teacher", "TEACHER", "--output", "file/m"], "cannot be made"),
        (
            ["love", "--teacher", "TEACHER", "--output", "m", "--run-folder", "file"],
            "file is a file; give the path of a folder",
        ),
        (["love", "--teacher", "TEACHER", "--output", "m", "--device", "abacus"], "'abacus' cannot be used"),
        (["love", "--teacher", "TEACHER", "--output", "m", "training.epoch=1"], "did you mean 'epochs'?"),
        (["love", "--teacher", "TEACHER", "--output", "m", "epochs"], "An override must read section.key=value"),
        (["love", "--output", "m", "--resume"], "There is nothing to resume in m-run"),
        (["love", "--teacher", "TEACHER", "--teacher-model", "bert", "--output", "m"], "exclude each other; give one"),
        (["love", "--teacher-model", "bert", "--lenient", "--output", "m"], "--lenient goes with --teacher"),
        (["love", "--teacher-model", "my/own/bert", "--output", "m"], "There is no folder my/own/bert; check"),
        (["love", "--teacher-model", "file", "--output", "m"], "file is a file; a model of transformers is a folder"),
    ],
)
def test_refused_before_any_work(
    refused: Callable[..., str], teacher_path: Path, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "file").write_text("neither vectors nor a folder\n")
    arguments = [str(teacher_path) if argument == "TEACHER" else argument for argument in arguments]
    assert sentence in refused("train", *arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_another_recipe_does_not_resume(train: Train, tmp_path: Path) -> None:
    assert train("--output", "m", "--prepare-only").exit_code == 0
    result = train("--output", "m", "--resume", "training.seed=9", teacher=None)
    assert result.exit_code == 2
    assert "another configuration" in result.stderr


def test_without_torch(
    refused: Callable[..., str], teacher_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    error = refused("train", "love", "--teacher", teacher_path, "--output", "m")
    assert error == 'everyword: Training needs the package torch: run  pip install "everyword[train]"\n'
