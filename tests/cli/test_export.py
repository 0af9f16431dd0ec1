"""everyword export."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from everyword.plugins.onnx.word_ids import WordIds

from .conftest import Run


def test_onnx_tells_how_near_it_comes(run: Run, tiny_model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "m.onnx").write_bytes(b"earlier")
    assert "m.onnx exists already" in run("export", "onnx", tiny_model_folder, "--output", "m.onnx").stderr
    result = run("export", "onnx", tiny_model_folder, "--output", "m.onnx", "--overwrite")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("Saved m.onnx, ")
    assert "the largest difference from tiny on 210 words is " in result.stderr
    assert WordIds.load(tmp_path / "m.onnx")(["ban"]).any()
    assert [path.name for path in tmp_path.iterdir()] == ["m.onnx"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["onx", "MODEL", "m.onnx"], "There is no command 'export onx': did you mean 'onnx'?"),
        (["onnx", "everyword-em", "--output", "m.onnx"], "There is no model 'everyword-em'"),
        (["onnx", "MODEL", "--output", "m.pt"], "must end in .onnx. Got m.pt instead"),
        (["onnx", "MODEL", "--output", "missing/m.onnx"], "There is no folder missing"),
        (["onnx", "MODEL", "--output", "folder.onnx"], "folder.onnx is a folder"),
        (["onnx", "MODEL"], "Give one file to write, by --output"),
        (["onnx", "MODEL", "a.onnx", "--output", "b.onnx"], "Give one file to write, by --output"),
    ],
)
def test_what_cannot_be_used(
    refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "folder.onnx").mkdir()
    assert sentence in refused("export", *(str(tiny_model_folder) if part == "MODEL" else part for part in arguments))
    assert [path.name for path in tmp_path.iterdir()] == ["folder.onnx"]


@pytest.mark.parametrize("package", ["onnx", "onnxruntime"])
def test_without_the_extra(
    refused: Callable[..., str], tiny_model_folder: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    needed = f'needs the package {package}: run  pip install "everyword[onnx]"\n'
    assert refused("export", "onnx", tiny_model_folder, "--output", "m.onnx").endswith(needed)


def test_asking_for_nothing_is_asking_for_help(run: Run) -> None:
    assert "onnx" in run("export").stdout


def test_onnx_still_takes_the_file_as_an_argument(run: Run, tiny_model_folder: Path, tmp_path: Path) -> None:
    result = run("export", "onnx", tiny_model_folder, "m.onnx")

    assert "`OUT.onnx` is now `--output OUT.onnx`" in result.stderr
    assert (tmp_path / "m.onnx").is_file()
