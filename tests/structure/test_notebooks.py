"""The notebooks are those that the tutorials make, and they run in a real kernel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

from .test_docs import numbers, without_numbers

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PATIENCE = 120
"""Seconds that a cell may take on a busy machine."""

pytestmark = pytest.mark.filterwarnings(
    "ignore:Proactor event loop:RuntimeWarning", "ignore:There is no current event loop:DeprecationWarning"
)


def printed(cell: NotebookNode) -> str:
    """What a cell wrote to standard output."""
    return "".join(
        output.text for output in cell.get("outputs", ()) if output.output_type == "stream" and output.name == "stdout"
    )


def test_they_are_what_the_tutorials_make() -> None:
    made = subprocess.run(
        [sys.executable, ROOT / "notebooks" / "make.py", "--check"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, f"{made.stdout}{made.stderr}python notebooks/make.py makes them again"
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_begins_with_its_installation(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    assert first.source.startswith('%pip install -q "everyword')
    assert first.metadata.tags == ["install"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_runs_and_prints_what_it_shows(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)  # where `everyword` is
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if "install" not in cell.metadata.get("tags", ())]
    shown = [printed(cell) for cell in notebook.cells]

    NotebookClient(notebook, timeout=PATIENCE, resources={"metadata": {"path": str(tmp_path)}}).execute()

    for cell, expected in zip(notebook.cells, shown, strict=True):
        if expected:
            assert without_numbers(printed(cell)) == without_numbers(expected)
            assert numbers(printed(cell)) == pytest.approx(numbers(expected), rel=0.1, abs=0.02)
