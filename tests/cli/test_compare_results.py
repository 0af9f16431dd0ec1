"""everyword compare-results: two models on the same items."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made import make_data
from tiny import tiny_table
from tiny_probes import write_tagged

from everyword.evaluation.item_results import CLOSENESS, item_scores, read_saved
from everyword.evaluation.results import Result, read_all

from .conftest import Run

TASKS = "similarity/rareword,misspelling/wikipedia,analogy/msr,relation,kinds,look-alikes,neighbour-spelling,clustering"


@pytest.fixture
def scored(run: Run, tiny_model_folder: Path, tmp_path: Path) -> list[Path]:
    """The folders of the results of one model under two policies."""
    data = make_data(tmp_path / "data")
    arguments = ("--tasks", TASKS, "--policy", "encode,zero", "--data", data, "--items")
    result = run("evaluate", tiny_model_folder, *arguments)
    assert result.exit_code == 0, result.stderr
    return [next((tmp_path / "results").rglob(policy)) for policy in ("encode", "zero")]


def test_the_items_of_a_task_have_its_score_as_their_mean(scored: list[Path]) -> None:
    found = [one for one in read_all(scored) if one.items and CLOSENESS not in one.items]
    assert {one.task for one in found} >= {"misspelling", "analogy", "relation", "kinds", "look-alikes"}
    for result in found:
        assert len(item_scores(result)) == result.n
        assert 100 * item_scores(result).mean() == pytest.approx(result.value, abs=0.01), result.benchmark


def test_tasks_are_compared_on_the_same_items(run: Run, scored: list[Path]) -> None:
    result = run("compare-results", *scored, "--data", "data", "--samples", 200)
    assert result.exit_code == 0, result.stderr
    text = result.stdout
    assert "misspelling/wikipedia, mrr, n " in text
    assert "similarity/rareword, spearman, n " in text
    assert "  A - B  " in text
    assert "right: both " in text
    assert "words that make most of the difference" in text
    assert "parts of the data" in text
    assert "clustering" not in text
    assert "clustering/ap: skipped, because single items were not saved" in result.stderr
    records = json.loads(run("compare-results", *scored, "--json", "--samples", 50, "--most", 2).stdout)
    by_name = {record["name"]: record for record in records}
    assert by_name["misspelling/wikipedia"]["found"]["words"] == []  # without --data, items have no names
    assert len(by_name["analogy/msr"]["sections"]) <= 2
    low, high = (by_name["similarity/rareword"]["found"]["difference"][place] for place in (1, 2))
    assert low <= by_name["similarity/rareword"]["found"]["difference"][0] <= high


def test_probes_are_compared_by_labels_sentences_and_words(run: Run, tmp_path: Path) -> None:
    tiny_table().save(tmp_path / "a.vec")
    write_tagged(tmp_path / "data")
    asked = ("probe", "a.vec", "--data", "data", "--probe", "parts-of-speech", "--quick", "--items")
    assert run(*asked).exit_code == 0
    first, second = (next((tmp_path / "results").rglob(f"{name}/*.json")) for name in ("zero", "random"))
    result = run("compare-results", first, second, "--samples", 100)
    assert result.exit_code == 0, result.stderr
    text = result.stdout
    assert text.startswith("probe/parts-of-speech (quick), accuracy, n ")
    assert "  A  " in text
    assert "a, zero" in text
    assert read_saved(first).keys() == {"probe/parts-of-speech (quick)"}
    same = run("compare-results", first, first, "--samples", 100).stdout
    assert "A - B  +0.0 [+0.0, +0.0], p 1.000" in same


def test_what_cannot_be_compared_is_one_line(refused: Callable[..., str], run: Run, tmp_path: Path) -> None:
    assert "There are no results in nowhere" in refused("compare-results", "nowhere", "nowhere")
    (tmp_path / "empty").mkdir()
    assert "There are no results in empty" in refused("compare-results", "empty", "empty")
    (tmp_path / "x.json").write_text("{}")
    assert "x.json is not a saved result" in refused("compare-results", "x.json", "x.json")
    tiny_table().save(tmp_path / "a.vec")
    write_tagged(tmp_path / "data")
    asked = ("probe", "a.vec", "--data", "data", "--probe", "parts-of-speech", "--quick")
    assert run(*asked).exit_code == 0
    saved = next((tmp_path / "results").rglob("zero/*.json"))
    assert "single items were not saved; ask again with --items" in refused("compare-results", saved, saved)
    assert "name the folder of one model" in refused("compare-results", "results", "results")
    record = json.loads(saved.read_text())
    (tmp_path / "other.json").write_text(json.dumps({**record, "data_sha256": "0" * 64}))
    assert "different data or versions" in refused("compare-results", saved, "other.json")
    (tmp_path / "third.json").write_text(json.dumps({**record, "probe": "another"}))
    assert "they share no task" in refused("compare-results", saved, "third.json")


def test_results_are_kept_as_before_where_items_are_not_asked_for(
    run: Run, tiny_model_folder: Path, tmp_path: Path
) -> None:
    data = make_data(tmp_path / "data")
    asked = ("evaluate", tiny_model_folder, "--tasks", "misspelling/wikipedia", "--data", data)
    assert run(*asked).exit_code == 0
    assert _only(tmp_path).items == {}
    assert "saved before" in run(*asked).stdout
    assert "saved before" not in run(*asked, "--items").stdout
    assert _only(tmp_path).items.keys() == {"rank"}
    assert "saved before" in run(*asked, "--items").stdout


def _only(home: Path) -> Result:
    [found] = read_all([home / "results"])
    return found
