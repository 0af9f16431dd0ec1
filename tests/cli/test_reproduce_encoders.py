"""Studies about word vectors inside an encoder, from their file to their claims."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made import classification_text, make_data

from everyword.corpus.labelled.sets import Texts
from everyword.evaluation.tasks.extrinsic.tasks import changed_share
from everyword.language_models.language_model import LanguageModel
from everyword.studies.kinds.encoders import tasks as encoder_tasks
from everyword.studies.kinds.encoders.noisy_texts import with_errors
from everyword.vectors.table import VectorTable

from .conftest import Run

STUDY = """
name = "toy-encoder"
kind = "encoders"
title = "A toy study"
source = "nobody, table 3"
columns = ["texts/sst2", "texts/sst2@published-10", "texts/sst2@typos-1", "tags/conll2003", "tags/conll2003@typo-50"]
seeds = 2

[small]
items = 12
rates = [1e-4, 1e-3]
tuning = ["epochs=1"]
spelling = ["training.epochs=1", "vocabulary.size=200", "negatives.per_word=0", "words.held_out=0.1"]
occurrences = 3

[[variants]]
label = "plain"
paper = { "texts/sst2" = 91.5 }

[[variants]]
label = "input"
vectors = "input"

[[variants]]
label = "distilled"
vectors = "distilled"
strategy = "linear"

[[claims]]
text = "LOVE costs nothing."
better = "input"
than = ["plain"]
on = "texts/sst2"
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = make_data(tmp_path / "data")
    test = classification_text(2)
    (folder / "classification" / "sst2" / "typo_10.tsv").write_text(test.replace("an", "na"), encoding="utf-8")
    return folder


def test_from_study_to_claims(
    run: Run, data: Path, tiny_bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "corpus.txt").write_text("the cat sat on the mat .\nthe dog walked .\n", encoding="utf-8")
    given = ("--encoder", tiny_bert_folder, "--data", data, "--device", "cpu")
    first = run("reproduce", "toy.toml", *given, "--corpus", "corpus.txt")
    assert first.exit_code == 0, first.stderr
    assert "2 seeds" in first.stdout
    assert "not tested:        LOVE costs nothing." in first.stdout

    for tuned in ("fine_tune", "fine_tune_tagger"):
        monkeypatch.setattr(encoder_tasks, tuned, None)
    found = json.loads(run("reproduce", "toy.toml", *given, "--corpus", "corpus.txt", "--json").stdout)
    plain, own, distilled = (row["ours"] for row in found["variants"])
    assert all(0 <= value <= 100 for row in (plain, own, distilled) for value in row.values())
    assert set(found["changed"]) == {"texts/sst2@published-10", "texts/sst2@typos-1", "tags/conll2003@typo-50"}
    work = tmp_path / "runs" / "toy-encoder"
    assert len(list((work / "spelling").iterdir())) == 4, "two kinds of targets, two seeds"
    [saved, _] = sorted((work / "input").glob("conll2003-*.json"))
    assert set(json.loads(saved.read_text())["dev"]) == {"0.0001", "0.001"}

    without = run("reproduce", "toy.toml", *given, "--json")
    assert "distilled: skipped. Distilled vectors need --corpus." in without.stderr
    assert json.loads(without.stdout)["variants"][2]["ours"]["texts/sst2"] is None


def test_a_stopped_reading_goes_on_and_another_corpus_makes_a_table_of_its_own(
    run: Run, data: Path, tiny_bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "one.txt").write_text("the cat sat on the mat .\nthe dog walked .\n", encoding="utf-8")
    (tmp_path / "two.txt").write_text("the dog walked .\n", encoding="utf-8")
    given = ("reproduce", "toy.toml", "--encoder", tiny_bert_folder, "--data", data, "--device", "cpu", "--seeds", 1)

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(VectorTable, "save", stopped)  # what was read is in the checkpoint
        assert run(*given, "--only-row", "distilled", "--corpus", "one.txt").exit_code == 130
    monkeypatch.setattr(LanguageModel, "outputs", stopped)  # nothing is read again
    again = run(*given, "--only-row", "distilled", "--corpus", "one.txt")
    assert again.exit_code == 0, again.stderr
    assert run(*given, "--only-row", "distilled", "--corpus", "two.txt").exit_code == 130


def test_mistakes_are_told_in_a_sentence(refused: Callable[..., str], data: Path, tmp_path: Path) -> None:
    def told(wrong: str, right: str, *given: object) -> str:
        (tmp_path / "toy.toml").write_text(STUDY.replace(right, wrong), encoding="utf-8")
        return refused("reproduce", "toy.toml", "--encoder", "none", "--data", data, *given)

    assert "is not texts/SET or tags/SET" in told("tagging/sst2", "texts/sst2")
    assert "There is no corruption 'typos'" in told("@typos-0", "@typos-1")
    assert "vectors' must be one of" in told('vectors = "inputs"', 'vectors = "input"')
    assert "did you mean 'epochs'" in told("", "@@", "tuning.epoch=3")
    assert "did you mean 'epochs'" in told("", "@@", "training.epoch=3")


def test_errors_in_some_words_of_each_text() -> None:
    texts = Texts("toy", (("interesting", "and", "wonderful", "film", "!"), ("so", "bad")), ("yes", "no"))
    once, often = (with_errors(texts, count) for count in (1, 9))
    assert once == with_errors(texts, 1)
    differing = [a != b for a, b in zip(texts.tokens[0], once.tokens[0], strict=True)]
    assert sum(differing) == 1
    assert often.tokens[0][differing.index(True)] == once.tokens[0][differing.index(True)], "the same error"
    assert often.tokens[1] == texts.tokens[1], "short words stay"
    assert 0 < changed_share(texts, once) < changed_share(texts, often) < 1
