"""The wheel: all that is needed to use everyword, nothing else, and it works with three packages beside it."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from everyword.config import read_toml

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "everyword"
MOST_BYTES = 60_000_000
LIGHT = ("numpy", "safetensors", "click")
USE = """
import importlib.util, sys
import everyword
assert everyword.__file__.startswith(sys.path[0]), everyword.__file__
assert importlib.util.find_spec("torch") is None
model = everyword.load()
assert model.encode(["mispelling", "leukamia"]).shape == (2, model.dim)
from everyword.cli import main
main(["list"])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing is left in the checkout and nothing that lies about there gets in."""
    home = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT / "src", home / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, home / name)
    command = [sys.executable, "-m", "pip", "wheel", str(home), "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "-w", str(home / "dist")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    (built,) = (home / "dist").iterdir()
    return built


def test_it_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    expected = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".so")
    }
    compiled = {name for name in names if name.endswith((".so", ".pyd"))}
    assert set(names) - compiled == expected
    assert len(compiled) == (1 if shutil.which("cc") else 0)
    assert wheel.stat().st_size < MOST_BYTES


def test_data_types_recipes_and_the_page_are_among_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        points = next(archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
    assert {"everyword/py.typed", "everyword/data/everyword-en/model.safetensors"} <= names
    assert {"everyword/recipes/love.toml", "everyword/web/page/frame.html", "everyword/web/curves.json"} <= names
    assert "everyword = everyword.cli:main" in points


def test_it_works_with_three_packages_beside_it(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:  # what installing a wheel of Python alone does
        archive.extractall(tmp_path / "installed")
    (tmp_path / "beside").mkdir()
    for name in LIGHT:
        found = importlib.util.find_spec(name)
        assert found is not None
        assert found.origin is not None
        folder = Path(found.origin).parent
        (tmp_path / "beside" / name).symlink_to(folder)
        if (libraries := folder.with_name(f"{name}.libs")).is_dir():
            (tmp_path / "beside" / libraries.name).symlink_to(libraries)
    places = [str(tmp_path / "installed"), str(tmp_path / "beside")]
    code = f"import sys; sys.path[:0] = {places!r}\n{USE}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False, cwd="/"
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "love" in done.stdout


def test_floors_of_versions() -> None:
    project = read_toml(ROOT / "pyproject.toml")["project"]
    extras = project["optional-dependencies"]
    assert sorted(line.partition(">")[0] for line in project["dependencies"]) == sorted(LIGHT)
    assert "torch>=2.6" in extras["train"]
    assert {"torch>=2.6", "transformers>=5.5"} <= set(extras["transformers"])
