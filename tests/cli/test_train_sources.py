"""everyword train with a recipe that makes its teacher itself."""

from __future__ import annotations

import json
import shlex
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tiny_sources import TINY_EVERYWORD, make_sources, shown_words, source_options

import everyword
from everyword.learning.loop import TrainingLoop
from everyword.models.explanation import Source
from everyword.systems.word_space import build as word_space
from everyword.systems.word_space.config import LEXICON_SOURCES
from everyword.vectors.table import VectorTable

from .conftest import Run

Train = Callable[..., Result]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory, tiny_bert_folder: Path) -> dict[str, Path]:
    return make_sources(tmp_path_factory.mktemp("sources"), tiny_bert_folder)


@pytest.fixture
def train(run: Run, sources: dict[str, Path]) -> Train:
    def train_tiny(*arguments: object, recipe: str = "everyword-en") -> Result:
        options = [*source_options(sources), "--device", "cpu", "--quiet", *TINY_EVERYWORD]
        return run("train", recipe, *options, *arguments)

    return train_tiny


def weights(folder: Path) -> bytes:
    return (folder / "model.safetensors").read_bytes()


def test_from_sources_to_model(train: Train, sources: dict[str, Path], tmp_path: Path) -> None:
    result = train("--output", "m")
    assert result.exit_code == 0, result.stderr
    assert result.stderr.splitlines()[0] == f"encoding {len(shown_words()) + 20} entries in 2 templates"
    model = everyword.load(tmp_path / "m")
    assert model.dim == 8
    assert model.source("dan") is Source.KNOWN
    assert model.explain("ddan").candidates
    training = json.loads((tmp_path / "m" / "config.json").read_text())["training"]
    names = source_options({name: Path(path.name) for name, path in sources.items()})
    expected = ["everyword", "train", "everyword-en", *names, "--output", "m", *TINY_EVERYWORD]
    assert training["command"] == shlex.join(expected)
    assert training["synonyms"] == "synonyms.tsv"
    assert training["misspellings"] == "misspellings.tsv"


def test_words_kept_for_evaluation_are_told(train: Train, tmp_path: Path) -> None:
    assert train("--output", "m").exit_code == 0
    kept = (tmp_path / "m-run" / "evaluated-words.txt").read_text().splitlines()
    training = json.loads((tmp_path / "m" / "config.json").read_text())["training"]
    assert len(kept) == training["evaluated_words"] == 9
    assert set(kept) <= set(shown_words())
    taught = VectorTable.load(tmp_path / "m-run" / "teacher.npy").words
    assert training["words"] + training["held_out_words"] == len(taught) - 21 - 9  # phrases and foreign words are not


def test_the_small_model_takes_the_teacher_of_the_large_one(
    train: Train, run: Run, sources: dict[str, Path], tmp_path: Path
) -> None:
    assert train("--output", "large", "--prepare-only").exit_code == 0
    kept = {name: sources[name] for name in ("synonyms", "misspellings", "human-misspellings", "slang")}
    options = ["--teacher", "large-run/teacher.npy", *source_options(kept), "--output", "small", "--quiet"]
    result = run("train", "everyword-en-small", *options, *TINY_EVERYWORD)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == "Saved the model to small. Try it:  everyword nearest mispelling --model small\n"
    assert everyword.load(tmp_path / "small").dim == 8
    assert "--teacher teacher.npy --source synonyms=synonyms.tsv" in (tmp_path / "small" / "config.json").read_text()


def test_ctrl_c_and_on(train: Train, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_step = TrainingLoop._step

    def interrupted_step(loop: TrainingLoop, *arguments: Any) -> Any:
        if (loop.progress.epoch, loop.progress.step) == (1, 1):
            signal.raise_signal(signal.SIGINT)
        return take_step(loop, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(TrainingLoop, "_step", interrupted_step)
        result = train("--output", "stopped")
    assert result.exit_code == 130
    command = result.stderr.splitlines()[-1].partition("Continue:  ")[2]
    resumed = run(*shlex.split(command)[1:], "--quiet")
    assert resumed.exit_code == 0, resumed.stderr
    assert train("--output", "straight").exit_code == 0
    assert weights(tmp_path / "stopped") == weights(tmp_path / "straight")


def test_a_run_killed_while_the_teacher_was_made_goes_on_by_the_same_command(
    train: Train, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(word_space, "_finish", interrupted)
        assert train("--output", "m").exit_code != 0
    assert (tmp_path / "m-run" / "space" / "templates.safetensors").exists()
    monkeypatch.setattr(word_space, "from_templates", interrupted)
    result = train("--output", "m")
    assert result.exit_code == 0, result.stderr
    assert "encoding" not in result.stderr


def test_what_is_missing_is_named(refused: Callable[..., str], sources: dict[str, Path], tmp_path: Path) -> None:
    sentence = "The recipe needs sources that were not given; add"
    names = [*LEXICON_SOURCES, "mpnet", "corpus", "glove", "glove-6b", "synonyms", "human-misspellings"]
    options = " ".join(f"--source {name}=PATH" for name in names)
    assert refused("train", "everyword-en", "--output", "m") == f"everyword: {sentence} {options}\n"
    without = source_options({name: path for name, path in sources.items() if name not in ("mpnet", "misspellings")})
    error = refused("train", "everyword-en", *without, "--output", "m", "space.lexicon=lexicon")
    assert error == f"everyword: {sentence} --source mpnet=PATH --source misspellings=PATH\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("words.tsv", "A source must read NAME=PATH. Got 'words.tsv' instead."),
        ("words=gone.tsv", "There is nothing at gone.tsv, given as source 'words'; check the path."),
    ],
)
def test_bad_sources(refused: Callable[..., str], option: str, sentence: str) -> None:
    assert refused("train", "everyword-en", "--source", option, "--output", "m") == f"everyword: {sentence}\n"


def test_sources_alone_are_no_teacher(refused: Callable[..., str], sources: dict[str, Path]) -> None:
    error = refused("train", "love", "--source", f"synonyms={sources['synonyms']}", "--output", "m")
    assert "A new training needs --teacher" in error


def test_another_recipe_does_not_take_over_the_teacher(train: Train) -> None:
    assert train("--output", "m", "--prepare-only").exit_code == 0
    result = train("--output", "m", "--overwrite", "space.trust=3")
    assert result.exit_code == 2
    assert "m-run holds a teacher of another recipe; choose another --run-folder or remove it" in result.stderr
