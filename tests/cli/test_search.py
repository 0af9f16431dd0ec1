from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Run

LINES = ["How to bake\tbread", "Treatment of leukemia", "", "Football results"]
SMALL = ["--model", "everyword-en-small", "--quiet"]


@pytest.fixture(autouse=True)
def _files(run: Run) -> None:
    Path("a.txt").write_text("\n".join(LINES))


def test_the_nearest_texts_with_cosine_and_row(run: Run) -> None:
    result = run("search", "a.txt", "leukamia treatmnt", "?!", "-k", 2, *SMALL)

    first, best, second, nothing = result.stdout.splitlines()
    assert first == "leukamia treatmnt"
    cosine, row, text = best.split(maxsplit=2)
    assert (row, text) == ("1", "Treatment of leukemia")
    assert float(cosine) > 0.7 > float(second.split()[0])
    assert nothing == "?!: it has no words that could be searched for."
    assert Path("a.txt.everyword-index").is_file()


def test_queries_from_standard_input_as_json(run: Run) -> None:
    result = run("search", "a.txt", "-k", 1, "--json", *SMALL, input="bakin bred\n\nsoccer scors\n")

    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["query"] for line in found] == ["bakin bred", "soccer scors"]
    assert [line["texts"][0]["row"] for line in found] == [0, 3]
    assert found[0]["texts"][0]["text"] == LINES[0]
    assert result.stderr == "skipped 1 blank\n"


def test_the_index_follows_the_file(run: Run) -> None:
    assert "leukemia" in run("search", "a.txt", "leukamia", "-k", 1, *SMALL).stdout
    kept = Path("a.txt.everyword-index").stat().st_mtime_ns
    assert "leukemia" in run("search", "a.txt", "leukamia", "-k", 1, *SMALL).stdout
    assert Path("a.txt.everyword-index").stat().st_mtime_ns == kept
    Path("a.txt").write_text("A cure for leukemia\n" + "\n".join(LINES))

    assert "A cure for leukemia" in run("search", "a.txt", "cure of leukamia", "-k", 1, *SMALL).stdout
    assert Path("a.txt.everyword-index").stat().st_mtime_ns > kept


def test_texts_are_cut_to_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from everyword.cli import search

    monkeypatch.setattr("shutil.get_terminal_size", lambda: type("Size", (), {"columns": 12}))
    assert search._shortened("x" * 20) == "x" * 20
    monkeypatch.setattr("sys.stdout", type("Terminal", (), {"isatty": staticmethod(lambda: True)}))
    assert search._shortened("x" * 20) == "x" * 11 + "…"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["b.txt", "x"], "There is no file b.txt; check the path."),
        (["a.doc", "x"], "a.doc: what it holds is not clear from the name"),
        ([".", "x"], "is a folder"),
        (["b.jsonl", "x"], "b.jsonl has no column 'text' (--column); choose from id, other."),
    ],
)
def test_what_cannot_be_searched_is_one_sentence(
    refused: Callable[..., str], arguments: list[str], message: str
) -> None:
    Path("b.jsonl").write_text('{"id": 1, "other": "x"}')

    assert message in refused("search", *arguments, *SMALL)
