"""What the README and the docs say is true: code runs, links lead somewhere, numbers are the kept ones."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from everyword.cli import main
from everyword.evaluation.probes.probe_results import read_all

from .readers_own import lay_out

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""Python and bash blocks are run, in order; a text block behind one of them shows what it prints."""
NUMBER = re.compile(r"-?\b\d+(?:,\d{3})*(?:\.\d+)?\b")
"""Trained on another processor, numbers differ a little."""


def blocks(page: Path, language: str) -> list[str]:
    return [text for found, text in BLOCK.findall(page.read_text(encoding="utf-8")) if found == language]


@EVERY_PAGE
def test_examples_run_and_print_what_the_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if page == README:
        lay_out(tmp_path)
    names: dict[str, object] = {}
    printed = ""
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(text, str(page), "exec"), names)
            printed = capsys.readouterr().out
        elif language == "bash":
            printed = "".join(map(output_of, text.replace("\\\n", " ").splitlines()))
        elif language == "text":
            assert without_numbers(text) == without_numbers(printed)
            assert numbers(text) == pytest.approx(numbers(printed), rel=0.1, abs=0.02)


def without_numbers(text: str) -> str:
    return NUMBER.sub("#", text)


def numbers(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]


def output_of(command: str) -> str:
    program, *arguments = shlex.split(command, comments=True)
    assert program == "everyword"
    done = CliRunner().invoke(main, arguments, prog_name=program)
    assert done.exit_code == 0, done.stderr
    return done.stdout


@EVERY_PAGE
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_the_readme_says_what_it_is_before_it_says_how_to_install_it() -> None:
    text = README.read_text(encoding="utf-8")
    assert text.startswith("# everyword\n\n**A good vector for every word, and for every text made of them**")
    first, last = blocks(README, "")[0], blocks(README, "")[-1]
    assert first.startswith("pip install . && everyword nearest mispelling covid")
    assert last.startswith('pip install -e ".[dev]" -c constraints.txt && pytest -n auto')


def test_every_generated_number_is_the_kept_one() -> None:
    report = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "report.py", "--check"], capture_output=True, text=True, check=False
    )
    assert report.returncode == 0, report.stdout + report.stderr


def test_kept_answers_of_probes_hold_no_words_of_their_data() -> None:
    answers = read_all([ROOT / "benchmarks" / "results" / "probes"])
    assert answers
    assert not [answer.label for answer in answers if answer.items], "ask again without --items"


def test_the_index_leads_to_every_page() -> None:
    docs = ROOT / "docs"
    index = (docs / "README.md").read_text(encoding="utf-8")
    for page in docs.rglob("*.md"):
        assert page == docs / "README.md" or f"]({page.relative_to(docs).as_posix()})" in index, page


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "models").iterdir()), ids=lambda page: page.stem)
def test_a_model_page_has_what_all_of_them_have(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for section in ("Data flow", "Configuration", "Scores", "Citation"):
        assert f"\n## {section}\n" in text, section


def test_the_architecture_page_names_every_room() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for path in (ROOT / "src" / "everyword").iterdir():
        if not path.name.startswith("__") and path.name != "py.typed" and path.suffix not in (".so", ".pyd"):
            assert f"`{path.name}{'/' if path.is_dir() else ''}`" in page, path.name


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
