from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def texts(tmp_path: Path) -> list[Path]:
    lines = {
        "en": ["the water is cold", "the man is good", "winter is here"],
        "nl": ["het water is koud", "de man is goed", "de winter is hier"],
        "fi": ["vesi on kylmää", "mies on hyvä", "talvi on täällä"],
    }
    for name, text in lines.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(text * 4), encoding="utf-8")
    return [tmp_path / f"{name}.txt" for name in lines]


def test_the_table_lists_the_closest_first(run: Run, texts: list[Path]) -> None:
    result = run("language-distance", *texts)

    heading, *rows = result.stdout.splitlines()
    assert heading.split() == ["target", "helper", "perplexity", "smoothed", "perplexity", "shared", "words", "rank"]
    assert [row.split()[:2] for row in rows if row.startswith("nl")] == [["nl", "en"], ["nl", "fi"]]
    assert len(rows) == 6


def test_json_of_one_target(run: Run, texts: list[Path]) -> None:
    rows = json.loads(run("language-distance", *texts, "--target", "nl", "--json").stdout)

    assert [(row["helper"], row["rank"]) for row in rows] == [("en", 1), ("fi", 2)]
    assert rows[0]["perplexity"] < rows[1]["perplexity"]
    assert rows[0]["shared words"] > rows[1]["shared words"]


def test_bad_texts(refused: Callable[..., str], texts: list[Path]) -> None:
    assert "two or more languages" in refused("language-distance", texts[0])
    assert "different names" in refused("language-distance", texts[0], texts[0])
    assert "no text of the target 'sv'" in refused("language-distance", *texts, "--target", "sv")
    assert "does not exist" in refused("language-distance", texts[0], texts[0].with_name("sv.txt"))
