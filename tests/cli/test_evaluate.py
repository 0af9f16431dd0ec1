from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from made import make_data

from .conftest import Run


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_data(tmp_path_factory.mktemp("data"))


def test_a_line_for_each_task_as_it_goes(run: Run, tiny_model_folder: Path, data: Path, tmp_path: Path) -> None:
    result = run("evaluate", tiny_model_folder, "--tasks", "clustering,similarity/rareword", "--data", data)

    assert result.exit_code == 0, result.stderr
    head, names, *lines = result.stdout.splitlines()
    assert head == "tiny, policy encode, 200 candidates, seed 0"
    assert names.split() == ["task", "score", "of", "n", "known", "score", "of", "known", "encoding", "scoring"]
    assert [line.split()[0] for line in lines] == ["similarity/rareword", "clustering/ap", "clustering/bless"]
    assert " ± " in lines[1]
    assert "purity" in lines[1]
    assert "clustering/ap: the data differ from the catalogue's copy" in result.stderr
    assert len(list((tmp_path / "results").rglob("*.json"))) == 3

    again = run("evaluate", tiny_model_folder, "--tasks", "clustering", "--data", data)
    assert again.stdout.count("saved before") == 2
    anew = run("evaluate", tiny_model_folder, "--tasks", "clustering", "--data", data, "--overwrite")
    assert "saved before" not in anew.stdout


def test_a_curve_of_every_policy_and_corruption(run: Run, tiny_model_folder: Path, data: Path, tmp_path: Path) -> None:
    options = ("--policy", "encode,zero", "--corruption", "typo,ocr", "--strengths", "0,50%", "--data", data)
    result = run("evaluate", tiny_model_folder, "--tasks", "clustering/ap", *options)

    assert result.exit_code == 0, result.stderr
    assert [line for line in result.stdout.splitlines() if line.startswith("tiny")] == [
        "tiny, policy encode, 200 candidates, seed 0",
        "tiny, policy zero, 200 candidates, seed 0",
    ]
    for policy in ("encode", "zero"):
        kept = {path.name for path in (tmp_path / "results").rglob(f"{policy}/*.json")}
        assert kept == {f"clustering.v1-ap{noise}.json" for noise in ("", "-typo-50", "-ocr-50")}
    assert "clustering.v1/ap@typo-50" in run("table").stdout
    again = run("evaluate", tiny_model_folder, "--tasks", "clustering/ap", *options)
    assert again.stdout.count("saved before") == 6


def test_the_ladder_of_the_paper_is_the_usual_one(run: Run, tiny_model_folder: Path, data: Path) -> None:
    arguments = ("--tasks", "similarity/rareword", "--corruption", "ocr", "--data", data, "--json")
    records = list(map(json.loads, run("evaluate", tiny_model_folder, *arguments).stdout.splitlines()))

    assert [record["strength"] for record in records] == [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]
    assert [record["corruption"] for record in records] == [None, *["ocr"] * 9]
    changed = [record["changed"] for record in records[1:]]
    assert changed == sorted(changed)


def test_json_and_the_environment(
    run: Run, tiny_model_folder: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVERYWORD_DATA", str(data))
    result = run("evaluate", tiny_model_folder, "--tasks", "msr", "--policy", "infer", "--candidates", "150", "--json")

    [record] = map(json.loads, result.stdout.splitlines())
    assert (record["task"], record["data"], record["policy"]) == ("analogy", "msr", "infer")
    assert record["candidates"] == 150
    assert record["known"] == sum(section["known"] for section in record["sections"].values())


def test_vectors_and_held_out_words(run: Run, teacher_path: Path, tiny_model_folder: Path, tmp_path: Path) -> None:
    known = set((tiny_model_folder / "words.txt").read_text().split())
    words = [line.split()[0] for line in teacher_path.read_text().splitlines()[1:]]
    (tmp_path / "new.txt").write_text("\n".join(word for word in words if word not in known))

    arguments = ("--tasks", "held-out", "--held-out", "new.txt", "--teacher", teacher_path, "--results", "kept")
    result = run("evaluate", tiny_model_folder, *arguments)

    assert result.exit_code == 0, result.stderr
    assert "held-out/new" in result.stdout
    assert "100" in result.stdout
    assert list((tmp_path / "kept").rglob("held-out.v1-new.json"))


def test_a_teacher_of_another_dimension(refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.vec").write_text("2 3\nzork 1 2 3\nfrob 3 2 1\n")
    (tmp_path / "new.txt").write_text("zork\nfrob\n")

    result = refused(
        "evaluate",
        tiny_model_folder,
        "--tasks",
        "held-out",
        "--held-out",
        "new.txt",
        "--teacher",
        "other.vec",
        "--json",
    )
    assert "other.vec has dimension 3 and tiny has 16" in result


def test_what_cannot_be_scored_is_said_and_the_rest_goes_on(
    run: Run, tiny_model_folder: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyword.evaluation.catalogue.find_spec", lambda name: None)
    folder = make_data(tmp_path / "part")
    (folder / "clustering" / "ap.tsv").unlink()
    result = run("evaluate", tiny_model_folder, "--tasks", "clustering", "--data", folder)
    assert result.exit_code == 0
    assert "clustering/ap: skipped. The data set 'ap' is missing: get it from" in result.stderr
    assert "clustering/bless" in result.stdout


def test_a_wrong_model_is_reported_before_missing_data(refused: Callable[..., str]) -> None:
    assert "There is no model 'no-such-model'" in refused("evaluate", "no-such-model")


def test_much_missing_data_is_said_in_one_line(
    run: Run, tiny_model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyword.evaluation.catalogue.find_spec", lambda name: None)
    folder = make_data(tmp_path / "part")
    for name in ("similarity", "clustering"):
        shutil.rmtree(folder / name)
    result = run("evaluate", tiny_model_folder, "--data", folder)
    assert result.exit_code == 0
    [line] = [line for line in result.stderr.splitlines() if line.startswith("Skipped")]
    assert "data sets not found (similarity/" in line
    assert "everyword evaluate --tasks similarity/" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tasks", "clusterng"], "There is no task 'clusterng': did you mean 'clustering'"),
        (["--tasks", ","], "--tasks needs the name of at least one task"),
        (["--tasks", "clustering", "--policy", "guess"], "context or context-content. Got 'guess' instead"),
        (["--tasks", "ap", "--policy", ","], "--policy needs the name of at least one policy"),
        (["--tasks", "ap", "--policy", "zero,guess"], "Got 'guess' instead"),
        (["--tasks", "ap", "--corruption", "tpyo"], "There is no corruption 'tpyo': did you mean 'typo'"),
        (["--tasks", "ap", "--corruption", ","], "--corruption needs the name of at least one corruption"),
        (["--tasks", "ap", "--corruption", "ocr", "--strengths", "101"], "between 0 and 100 percent. Got 101"),
        (["--tasks", "ap", "--corruption", "ocr", "--strengths", "-1"], "between 0 and 100 percent. Got -1"),
        (["--tasks", "ap", "--corruption", "ocr", "--strengths", "nan"], "between 0 and 100 percent. Got nan"),
        (["--tasks", "ap", "--corruption", "ocr", "--strengths", "much"], "as in 0,10,50. Got 'much'"),
        (["--tasks", "ap", "--strengths", "10"], "--strengths needs --corruption, the kind of error"),
        (["--tasks", "typo-similarity/rareword", "--corruption", "ocr", "--strengths", "9"], "takes no corruption"),
        (["--tasks", "held-out"], "give --held-out and --teacher"),
        (["--data", "nowhere"], "There is no data folder nowhere"),
    ],
)
def test_refusals(
    refused: Callable[..., str], tiny_model_folder: Path, data: Path, arguments: list[str], message: str
) -> None:
    if "--data" not in arguments:
        arguments = [*arguments, "--data", str(data)]
    assert message in refused("evaluate", tiny_model_folder, *arguments)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "ap.tsv is empty"),
        ("name\tclass\ncat\tanimal\n", "ap.tsv:1: the first line must name the columns word, category"),
        ("word\tcategory\ncat animal\n", "ap.tsv:2: needs word, category between tabs"),
    ],
)
def test_a_bad_data_file_is_named(
    refused: Callable[..., str], tiny_model_folder: Path, tmp_path: Path, content: str, message: str
) -> None:
    folder = make_data(tmp_path / "bad")
    (folder / "clustering" / "ap.tsv").write_text(content)

    assert message in refused("evaluate", tiny_model_folder, "--tasks", "ap", "--data", folder, "--json")[-300:]


def test_nothing_scored_is_an_error(run: Run, data: Path, tmp_path: Path) -> None:
    (tmp_path / "other.vec").write_text("2 2\n東京 1 2\n京都 2 1\n", encoding="utf-8")
    result = run("evaluate", "other.vec", "--tasks", "similarity", "--data", data)

    assert result.exit_code == 2
    assert "similarity/rareword: skipped. No pair of rareword has both words in other" in result.stderr
    assert result.stderr.endswith("everyword: Nothing was scored; the lines above give the reasons.\n")
