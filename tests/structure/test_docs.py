"""What the README and the docs say is true: code runs, links lead somewhere, numbers are the kept ones."""

from __future__ import annotations

import ast
import importlib
import inspect
import pydoc
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from click.testing import CliRunner

from everyword.cli import main
from everyword.evaluation.probes.probe_results import read_all

from .readers_own import lay_out
from .test_examples import commands

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
"""Python and bash blocks are run, in order; a text block behind one of them shows what it prints."""
REPEATED = 20
"""How many words in a row may not stand on two pages; a title of a paper is shorter."""
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


def links_of(page: Path) -> list[Path]:
    """The files that a page leads to, in order."""
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    return [(page.parent / target).resolve() for target in targets if not target.startswith("http")]


def test_every_page_is_two_clicks_from_the_index() -> None:
    docs = ROOT / "docs"
    index = docs / "README.md"
    near = {index, *links_of(index)}
    reached = near | {target for page in near if page.suffix == ".md" for target in links_of(page)}
    assert not [str(page) for page in docs.rglob("*.md") if page not in reached]


SECTIONS = {
    "Use it": "use/README.md",
    "Train it": "train/README.md",
    "Understand it": "understand/README.md",
    "Reference": "reference/README.md",
}


@pytest.mark.parametrize("section", SECTIONS)
def test_the_first_page_of_a_section_and_the_navigation_agree(section: str) -> None:
    docs = ROOT / "docs"
    first = docs / SECTIONS[section]
    pages = [docs / page for page in pages_in(navigation()[section])]
    commands = [page for page in pages if page.parent.name == "commands"]  # all but the first are made with the site
    listed = [page for page in dict.fromkeys(links_of(first)) if page in pages]
    assert [first, *listed] == [page for page in pages if page not in commands[1:]]


def test_no_group_of_the_navigation_is_long_and_no_page_is_in_two() -> None:
    def sizes(group: list[object]) -> Iterator[int]:
        yield len(group)
        for entry in group:
            for inner in entry.values() if isinstance(entry, dict) else ():
                yield from sizes(inner) if isinstance(inner, list) else ()

    sections = navigation()
    assert max(size for group in sections.values() for size in sizes(group)) <= 7
    pages = [page for group in sections.values() for page in pages_in(group)]
    assert len(pages) == len(set(pages))


def navigation() -> dict[str, list[object]]:
    """The sections of the site by their titles."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    sections = yaml.safe_load(text[text.index("\nnav:") :])["nav"]
    return {title: group for section in sections for title, group in section.items()}


def pages_in(group: object) -> Iterator[str]:
    """The pages of a part of the navigation, in order."""
    if isinstance(group, str):
        yield group
    for entry in group.values() if isinstance(group, dict) else group if isinstance(group, list) else ():
        yield from pages_in(entry)


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


def test_no_page_repeats_another() -> None:
    """No run of words stands on two pages, but for blocks of code, generated text and what a picture shows."""
    aside = re.compile(
        r"^```.*?^```|<!-- begin generated.*?<!-- end generated[^>]*-->|!\[[^\]]*\]|\]\([^)]*\)",
        re.DOTALL | re.MULTILINE,
    )
    seen: dict[tuple[str, ...], Path] = {}
    for page in sorted((ROOT / "docs").rglob("*.md")):
        words = re.findall(
            r"\w+|\|", aside.sub(lambda cut: "]" if cut[0][0] == "]" else " | ", page.read_text("utf-8"))
        )
        for run in zip(*(words[start:] for start in range(REPEATED)), strict=False):
            assert "|" in run or seen.setdefault(run, page) == page, f"{page.name}, {seen[run].name}: {' '.join(run)}"


def test_every_picture_is_in_the_gallery_with_its_command_and_its_page() -> None:
    gallery = ROOT / "docs" / "gallery.md"
    entries = re.split(r"^##+ ", gallery.read_text(encoding="utf-8"), flags=re.MULTILINE)
    shown = {picture: entry for entry in entries for picture in re.findall(r"!\[.+?\]\(pictures/(.+?)\)", entry)}
    assert set(shown) == {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    for picture, entry in shown.items():
        if not picture.startswith("playground"):  # one command and one page for all of these
            told = re.search(r"`(?:everyword|python) [^`]+`\s·\s\[.+?\]\(([^)#]+)[^)]*\)$", entry.strip())
            assert told is not None, picture
            assert picture in (gallery.parent / told[1]).read_text(encoding="utf-8"), picture


def test_every_command_is_shown_on_a_page() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    shown = "\n".join(block for language, block in BLOCK.findall(text) if language in ("", "bash"))
    for path, _ in commands(main):
        used = re.search(rf"\beveryword {' '.join(path)}(?![\w-])", shown) is not None
        named = len(path) > 1 and f"`{path[-1]}`" in text  # studies and recipes, which stand in a table
        assert used or named, path


PUBLIC = [
    "everyword",
    "everyword.plugins.sentence_transformers",
    "everyword.plugins.transformers",
    "everyword.space",
    "everyword.space.alignment",
    "everyword.systems.bertram",
    "everyword.systems.skipgram",
    "everyword.vectors",
]
"""Packages that list what they offer."""


def test_every_public_name_stands_on_one_page_of_the_reference() -> None:
    pages = pages_by_object()
    for package in PUBLIC:
        for name in importlib.import_module(package).__all__:
            if not name.startswith("__"):
                assert len(pages.get(id(named(f"{package}.{name}")), ())) == 1, f"{package}.{name}"


def test_every_name_that_a_page_imports_stands_on_one_page_of_the_reference() -> None:
    pages = pages_by_object()
    imports = {
        f"{node.module}.{alias.name}"
        for page in PAGES
        for language, block in BLOCK.findall(page.read_text(encoding="utf-8"))
        if language in ("", "python") and re.search(r"^from everyword", block, re.MULTILINE)
        for node in ast.walk(ast.parse(block))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if str(node.module).startswith("everyword")
    }
    assert len(imports) > 100
    for name in sorted(imports):
        if not inspect.ismodule(named(name)):
            assert len(pages.get(id(named(name)), ())) == 1, name


@cache
def pages_by_object() -> dict[int, list[str]]:
    """The pages of the reference that show an object, by its identity; a module shows what is defined in it."""
    found: dict[int, list[str]] = {}
    for page in sorted((ROOT / "docs" / "reference").glob("*.md")):
        for path in re.findall(r"^::: (\S+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            thing = named(path)
            inside = vars(thing).values() if inspect.ismodule(thing) else ()
            for one in (thing, *(one for one in inside if getattr(one, "__module__", "") == path)):
                found.setdefault(id(one), []).append(page.name)
    return found


def named(path: str) -> object:
    """What a dotted path leads to."""
    return pydoc.locate(path)


def test_every_extra_is_on_the_page_of_installation() -> None:
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]")[2]
    extras = re.findall(r"^([\w-]+) = \[", text.partition("\n\n")[0], re.MULTILINE)
    assert len(extras) > 15
    for extra in extras:
        assert f"`{extra}`" in page, extra
