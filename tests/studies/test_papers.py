"""The list of all tables and figures of the main papers: each has a study, a result, a picture or a reason."""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from everyword.config import read_toml
from everyword.studies.config import load_study, published_studies

ROOT = Path(__file__).parents[2]
PAPERS: list[dict[str, Any]] = read_toml(ROOT / "benchmarks" / "papers.toml")["papers"]
EVERY_PAPER = pytest.mark.parametrize("paper", PAPERS, ids=[paper["name"] for paper in PAPERS])
WAYS = ("studies", "picture", "reason")


@cache
def sources() -> dict[str, str]:
    return {name: read_toml(path)["source"] for name, path in published_studies().items()}


@EVERY_PAPER
def test_every_part_has_a_study_or_a_reason(paper: dict[str, Any]) -> None:
    for part in paper["parts"]:
        [way] = [one for one in WAYS if part.get(one)]
        if way == "studies":
            assert set(part["studies"]) <= set(published_studies())
            studies = [load_study(name) for name in part["studies"]]
            columns = [column for study in studies for column in study.columns]
            assert all(any(column.startswith(one) for column in columns) for one in part.get("columns", ()))
            assert {*part.get("rows", ())} <= {variant.label for study in studies for variant in study.variants}
        elif way == "picture":
            assert (ROOT / "docs" / "pictures" / part["picture"]).exists()
            assert part["picture"] in (ROOT / "docs" / part["page"]).read_text(encoding="utf-8")


@EVERY_PAPER
def test_no_part_is_left_out(paper: dict[str, Any]) -> None:
    """Tables and figures are numbered from 1, those of an appendix after a letter."""
    numbers = sorted(re.findall(r"^(Table|Figure) ([A-Z]?)(\d+)$", part["part"])[0] for part in paper["parts"])
    for _, group in groupby(numbers, key=lambda found: found[:2]):
        found = sorted(int(number) for *_, number in group)
        assert found == list(range(1, len(found) + 1))
    counts = {what: sum(part["part"].startswith(what) for part in paper["parts"]) for what in ("Table", "Figure")}
    assert counts == {"Table": paper["tables"], "Figure": paper["figures"]}


@EVERY_PAPER
def test_every_study_of_a_paper_is_listed(paper: dict[str, Any]) -> None:
    listed = {name for part in paper["parts"] for name in part.get("studies", ())} | set(paper.get("beside", ()))
    assert {name for name, source in sources().items() if source.startswith(paper["name"])} == listed


def test_the_makefile_of_the_papers_has_every_study_and_all_its_seeds() -> None:
    text = (ROOT / "benchmarks" / "main_papers.mk").read_text(encoding="utf-8")
    set_to = dict(re.findall(r"^(\S+) := (.*)$", text, re.MULTILINE))
    runs = {"THREE": 3, "FIVE": 5}
    groups = ("LOVE", "RECONSTRUCTION", "ENCODERS", "BERTRAM", "STATIC")
    named = " ".join(set_to[group] for group in groups).split()
    wanted = {name for paper in PAPERS for part in paper["parts"] for name in part.get("studies", ())}
    assert sorted(named) == sorted(wanted | {name for paper in PAPERS for name in paper.get("beside", ())})
    for name in named:
        assert runs[set_to.get(f"SEEDS_{name}", "$(THREE)").strip("$()")] == load_study(name).seeds, name
