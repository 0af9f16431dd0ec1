"""everyword train classifier and everyword classify: from labelled texts to labels of texts."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from everyword.corpus.labelled.documents import SoftLabels, read_documents
from everyword.vectors.table import VectorTable

from .conftest import Run

SMALL = ("filters=8", "widths=[1,2]", "epochs=6", "batch=8", "learning_rate=0.02", "dropout=0.1")
SPORT, MONEY = ["goal", "match", "coach"], ["share", "market", "bank"]


def write(path: str, rows: list[tuple[str, str]], columns: str = "label\ttext") -> None:
    Path(path).write_text("\n".join([columns, *(f"{label}\t{text}" for label, text in rows)]) + "\n", encoding="utf-8")


@pytest.fixture
def data(run: Run) -> tuple[object, ...]:
    """Writes files to the folder of the test, and gives the arguments that name them."""
    words = [*SPORT, *MONEY, "the", "day"]
    VectorTable(words, np.random.default_rng(0).normal(size=(len(words), 8)).astype(np.float32)).save(Path("words.vec"))
    rows = [(label, f"the {word} {day}") for day in ("", "day") for label, of in KINDS for word in of]
    write("train.tsv", rows * 4)
    write("dev.tsv", rows[:6])
    return ("train", "classifier", "--train", "train.tsv", "--vectors", "words.vec", "--output", "topics", "--quiet")


KINDS = (("sport", SPORT), ("money", MONEY))


def test_a_classifier_is_trained_and_labels_texts(run: Run, data: tuple[object, ...]) -> None:
    made = run(*data, "--dev", "dev.tsv", "--test", "dev.tsv", "--adversarial", "0.05", "--prune", "0.3", *SMALL)

    assert made.exit_code == 0, made.stderr
    assert "48 texts to learn from, 6 to choose by, 2 labels." in made.stderr
    assert "accuracy on dev.tsv: 100.00" in made.stderr
    assert "Try it:  everyword classify topics TEXT" in made.stderr

    found = run("classify", "topics", "the coach", "the bank").stdout
    assert [line.split("\t")[0] for line in found.splitlines()] == ["sport", "money"]
    Path("texts.txt").write_text("the coach\nthe bank\n", encoding="utf-8")
    assert run("classify", "topics", "texts.txt").stdout == found
    assert run("classify", "topics", input="the coach\n\nthe bank\n").stdout == found
    Path("texts.jsonl").write_text('{"body": "the coach"}\n{"body": "the bank"}\n', encoding="utf-8")
    assert run("classify", "topics", "texts.jsonl", "--column", "body").stdout == found
    [line] = run("classify", "topics", "the bank", "--json", "--all").stdout.splitlines()
    answer = json.loads(line)
    assert [one["label"] for one in answer["labels"]] == ["money"]
    assert sum(answer["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    long = run("classify", "topics", "goal " * 5000)
    assert long.stdout.startswith("sport")
    assert "1 texts are longer than 400 words; the rest of them was not read." in long.stderr

    pruned = run("shrink", "topics", "--sparsity", 0.4, "--output", "smaller")
    assert "Saved the classifier with 40% zeros to smaller" in pruned.stderr
    smaller = run("classify", "smaller", "the coach", "the bank")
    assert len(smaller.stdout.splitlines()) == 2, smaller.stderr

    Path("words.vec").rename("moved.vec")
    assert run("classify", "topics", "the coach", "the bank", "--vectors", "moved.vec").stdout == found

    # Without torch: a CNN is computed in NumPy.
    code = "import sys; sys.modules['torch'] = None\nfrom everyword.cli import main\nmain(sys.argv[1:])"
    arguments = ["classify", "topics", "the coach", "the bank", "--vectors", "moved.vec"]
    alone = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert alone.stdout == found


def test_a_teacher_in_a_file_is_learnt_from(run: Run, data: tuple[object, ...]) -> None:
    train = read_documents(Path("train.tsv"))
    sport = np.array([labels == ("sport",) for labels in train.labels])
    chances = np.where(sport[:, None], np.float32([0.1, 0.9]), np.float32([0.9, 0.1]))
    SoftLabels(("money", "sport"), chances).save(Path("teacher.npz"))

    made = run(*data, "--teacher", "teacher.npz", "--network", "tfidf", "teacher_weight=4", "epochs=8")

    assert made.exit_code == 0, made.stderr
    [line] = run("classify", "topics", "the coach", "--json").stdout.splitlines()
    [answer] = json.loads(line)["labels"]
    assert answer["label"] == "sport"
    assert answer["confidence"] < 0.97  # the teacher is not sure

    again = run(*data[:-2], "small", "--quiet", "--teacher", "topics", "--network", "linear", "epochs=8")
    assert again.exit_code == 0, again.stderr


def test_a_stopped_training_says_how_it_goes_on(
    run: Run, data: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyword.systems.classifiers.train.train_classifier", lambda *_, **__: None)
    found = run(*data, "--network", "attention", "--word-objective", "tying", "--prune", "0.5", "epochs=3")
    assert found.exit_code == 130
    line = found.stderr.splitlines()[-1].partition("Continue:  everyword ")[2]
    for part in (
        "--network attention",
        "--word-objective tying",
        "--prune 0.5",
        "--resume epochs=3",
        "--output topics",
    ):
        assert part in line
    assert "There is nothing to resume" in run(*shlex.split(line)).stderr  # it is understood


def test_several_labels_and_dev_from_train(run: Run, data: tuple[object, ...]) -> None:
    both = [("sport|money", f"{one} {other}") for one in SPORT for other in MONEY]
    rows = [*((label, word) for label, of in KINDS for word in of), *both, ("", "the day")]
    write("train.tsv", rows * 4, "labels\ttext")

    made = run(*data, *SMALL, "--network", "linear")

    assert made.exit_code == 0, made.stderr
    assert "F1" in made.stderr
    assert "sport" in run("classify", "topics", "goal market").stdout


def test_what_cannot_be_is_refused(
    refused: Callable[..., str], run: Run, data: tuple[object, ...], tmp_path: Path
) -> None:
    write("broken.tsv", [("sport", "goal\tmatch")])
    assert "There is no file of labelled texts none.tsv" in refused(*data[:2], "--train", "none.tsv", *data[4:])
    assert "broken.tsv:2: needs 2 columns between tabs" in refused(*data, "--dev", "broken.tsv")
    assert "filters must be 1 or more" in refused(*data, "filters=0")
    assert "There is nothing to resume" in refused(*data, "--resume")
    write("one.tsv", [("sport", "goal")] * 20)
    assert "only one label, 'sport'" in refused(*data[:2], "--train", "one.tsv", *data[4:])
    assert "must name the columns kind and text" in refused(*data, "--label", "kind")
    assert "must be an .npz file" in refused(*data, "--teacher", "train.tsv")
    assert "There is no classifier in topics" in refused("classify", "topics", "goal")
    assert not (tmp_path / "topics").exists()

    write("new.tsv", [("chess", "goal"), ("sport", "match")])
    made = run(*data, "--dev", "new.tsv", *SMALL, "epochs=1")
    assert "chess: in dev, but not in train.tsv; such labels are never given." in made.stderr
    assert "exists already and is not empty" in refused(*data)
