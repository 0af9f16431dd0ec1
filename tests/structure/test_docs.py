"""What the README and the docs say is true: code runs, links lead somewhere, numbers are the kept ones."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from everyword.cli.group import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@EVERY_PAGE
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in blocks(page, "python"):
        exec(compile(code, str(page), "exec"), names)


@EVERY_PAGE
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


@EVERY_PAGE
def test_commands_in_shell_examples_exist(page: Path) -> None:
    for block in blocks(page, ""):
        for command in re.findall(r"^(?:.*&& )?everyword ([a-z]+)", block, re.MULTILINE):
            assert command in COMMANDS, command


def test_the_readme_begins_with_the_two_lines_that_do_everything() -> None:
    first = blocks(ROOT / "README.md", "")[0].splitlines()
    assert first[0].startswith("pip install . && everyword nearest mispelling leukamia archiitect")
    assert first[1].startswith('pip install -e ".[dev]" -c constraints.txt && pytest')


def test_every_generated_number_is_the_kept_one() -> None:
    report = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "report.py", "--check"], capture_output=True, text=True, check=False
    )
    assert report.returncode == 0, report.stdout + report.stderr


def test_the_architecture_page_names_every_room() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for path in (ROOT / "src" / "everyword").iterdir():
        if not path.name.startswith("__") and path.name != "py.typed" and ".egg-info" not in path.name:
            assert path.name + ("/" if path.is_dir() else "") in page, path.name


def test_pictures_are_small_and_whole() -> None:
    pictures = sorted((ROOT / "docs" / "pictures").iterdir())
    assert pictures
    for path in pictures:
        assert path.stat().st_size < (90_000 if path.suffix == ".png" else 60_000), path
        if path.suffix == ".png":
            data = path.read_bytes()
            assert data.startswith(b"\x89PNG")
            assert data.endswith(b"IEND\xaeB`\x82")
        else:
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
