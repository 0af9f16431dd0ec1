from __future__ import annotations

import json

import pytest

from everyword import registry
from everyword.cli.train import PROGRAMS
from everyword.studies.config import published_studies
from everyword.systems.spelling.recipe import shipped_recipes

from .conftest import Run


def test_nothing_is_left_out(run: Run) -> None:
    listed = json.loads(run("list", "--json").stdout)
    names = {kind: [entry["name"] for entry in entries] for kind, entries in listed.items()}
    assert names["recipes"] == [*(name for name in shipped_recipes() if name not in PROGRAMS), *PROGRAMS]
    assert names["studies"] == [*published_studies()]
    for kind in (
        "encoders",
        "losses",
        "corruptions",
        "space_steps",
        "mergers",
        "alignment_methods",
        "vector_formats",
        "tasks",
    ):
        assert names[kind] == list(getattr(registry, kind))
    assert all(entry["description"] for entry in listed["vector_formats"] + listed["corruptions"] + listed["tasks"])
    assert {entry["name"] for entry in listed["vector_formats"] if not entry["writable"]} == {"fasttext", "wink"}


def test_for_people(run: Run) -> None:
    shown = run("list").stdout
    assert "\nvector formats\n  word2vec         " in shown
    assert "\n  swap      Exchange two" in shown
    assert "\n  mse\n" in shown
    assert "Purity of k-means clusters. [ap, bless]" in shown


def test_recipes_without_a_toml_reader(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from everyword.errors import MissingExtraError

    def no_reader(path: object) -> None:
        raise MissingExtraError("tomli is missing")

    monkeypatch.setattr("everyword.config.read_toml", no_reader)
    assert "love" in [entry["name"] for entry in json.loads(run("list", "--json").stdout)["recipes"]]
