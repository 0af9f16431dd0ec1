"""Studies about techniques of training: adversarial training and pruned encoders, on tiny sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword import config
from everyword.errors import ConfigError, InputError
from everyword.evaluation.robustness.noise import Noise
from everyword.learning.adversarial import AdversarialConfig
from everyword.studies.config import load_study
from everyword.studies.kinds import pruning as pruned_encoders
from everyword.studies.kinds.adversarial import study as adversarial
from everyword.studies.kinds.adversarial.classifiers import exact_match, question_f1
from everyword.studies.kinds.adversarial.study import (
    AdversarialJob,
    AdversarialStudy,
    AdversarialVariant,
    Tuned,
    run_adversarial,
)
from everyword.studies.kinds.labelled_columns import ColumnSet, ColumnTexts, read_columns
from everyword.studies.kinds.pruning import PrunedJob, PrunedStudy, PrunedVariant, run_pruned
from everyword.vectors.table import VectorTable

WORDS = ["the", "city", "walked", "on", "mat", "cat", "dog"]


def rows(count: int, seed: int) -> str:
    """Questions with two answers each, of which one is right: that which names the cat."""
    rng = Random(seed)
    lines = ["label\tkind\tquestion\tanswer"]
    for number in range(count):
        asked = " ".join(rng.choices(WORDS[:5], k=3)) + f" {number}"
        lines += [f"{label}\tx\t{asked}\tthe {animal}" for label, animal in (("yes", "cat"), ("no", "dog"))]
    return "\n".join(lines) + "\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name, count in {"train": 30, "test": 10}.items():
        (tmp_path / f"{name}.tsv").write_text(rows(count, len(name)), encoding="utf-8")
    matrix = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)
    VectorTable(WORDS, matrix).save(tmp_path / "words.vec")
    return tmp_path


OWN = ColumnSet("pets", "train.tsv", "test.tsv", columns=("question", "answer"), together=("question",))


def test_questions_are_never_cut_apart(data: Path) -> None:
    parts = read_columns(OWN, data)

    assert parts.names == ("no", "yes")
    assert (len(parts.train), len(parts.dev), len(parts.test)) == (52, 8, 20)
    asked = [{cells[0] for cells in part.cells} for part in (parts.train, parts.dev)]
    assert not asked[0] & asked[1]
    assert parts.test.joined(" / ")[0].endswith(" / the cat")
    assert len(read_columns(replace(OWN, most=7, most_scored=3), data).train) == 7


def test_texts_are_misspelt_alike_and_labels_stay(data: Path) -> None:
    test = read_columns(OWN, data).test
    noisy = test.misspelt(Noise("typo", 100))

    assert noisy.cells != test.cells
    assert noisy.cells == test.misspelt(Noise("typo", 100)).cells
    assert np.array_equal(noisy.labels, test.labels)


def test_files_that_cannot_be_read_are_named(data: Path) -> None:
    with pytest.raises(InputError, match=r"train.tsv:1: there is no column 'title'. The columns are label, kind"):
        read_columns(replace(OWN, columns=("title",)), data)
    (data / "short.tsv").write_text("label\tquestion\tanswer\nyes\tone\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"short.tsv:2: needs 3 columns between tabs. Got 2"):
        read_columns(replace(OWN, train="short.tsv"), data)
    (data / "one.tsv").write_text("label\tquestion\tanswer\nyes\tone\ttwo\n", encoding="utf-8")
    with pytest.raises(InputError, match="has only one label"):
        read_columns(replace(OWN, train="one.tsv"), data)
    two = "label\tquestion\tanswer\nyes\tone\ttwo\nperhaps\tone\ttwo\n"
    (data / "two.tsv").write_text(two, encoding="utf-8")
    with pytest.raises(InputError, match="has the label 'no', which its train part never has"):
        read_columns(replace(OWN, train="two.tsv"), data)


def test_scores_of_questions() -> None:
    texts = ColumnTexts((("a",),) * 6, np.array([1, 0, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 2, 2]))

    assert exact_match(texts.labels, texts) == question_f1(texts.labels, texts) == 100
    predicted = np.array([1, 0, 1, 0, 0, 0])
    assert exact_match(predicted, texts) == pytest.approx(200 / 3)
    assert question_f1(predicted, texts) == pytest.approx(100 * (1 + 2 / 3 + 1) / 3)


def adversarial_job(data: Path, encoder: Path | None) -> AdversarialJob:
    study = load_study("adversarial-training")
    assert isinstance(study, AdversarialStudy)
    columns = tuple(
        f"adversarial/pets {network} {measure}" for network in adversarial.NETWORKS for measure in adversarial.MEASURES
    )
    variants = tuple(replace(variant, paper={}) for variant in study.variants)
    own = Tuned(**vars(OWN))
    tiny = {"vectors": ("epochs=2", "hidden=4"), "encoder": ("epochs=1", "batch=32")}
    small = replace(study, variants=variants, sets=(own,), columns=columns, claims=(), seeds=2, **tiny)
    return AdversarialJob(
        study=small,
        work=data / "work",
        results=data,
        data=data,
        model_name=str(data / "words.vec"),
        encoder=str(encoder) if encoder else None,
        report=lambda line: None,
    )


def test_every_classifier_is_scored_once(data: Path, tiny_bert_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = adversarial_job(data, tiny_bert_folder)
    found = run_adversarial(job)

    assert list(found.rows) == ["plain", "label", "prediction", "both"]
    assert all(score is not None for row in found.rows.values() for score in row.values())
    monkeypatch.setattr(adversarial, "score", None)  # all are saved
    assert run_adversarial(job).rows == found.rows
    without = run_adversarial(adversarial_job(data, None)).rows["both"]
    assert without["adversarial/pets encoder accuracy"] is None
    assert without["adversarial/pets vectors accuracy"] is not None


def test_a_row_says_what_is_learnt() -> None:
    assert AdversarialVariant(label="plain").settings(0.2) is None
    both = AdversarialVariant(label="both", label_term=True, prediction_term=True, radius=0.5)
    assert both.settings(0.2) == AdversarialConfig(eps=0.1)
    with pytest.raises(ConfigError, match="both a time and a sparsity, or neither"):
        config.check(PrunedVariant(label="wrong", when="before"))


def test_an_encoder_is_pruned_in_every_way_once(
    data: Path, tiny_bert_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = load_study("pruned-encoders")
    assert isinstance(study, PrunedStudy)
    columns = ("pruning/pets accuracy", "pruning/pets loss")
    variants = tuple(replace(variant, paper={}) for variant in study.variants if variant.sparsity in (0.0, 0.6))
    small = replace(
        study, variants=variants, sets=(OWN,), columns=columns, claims=(), seeds=2, tuning=("epochs=1", "batch=32")
    )
    job = PrunedJob(
        study=small,
        work=data / "work",
        results=data,
        data=data,
        encoder=str(tiny_bert_folder),
        report=lambda line: None,
    )
    found = run_pruned(job)

    assert len(found.rows) == 5
    assert all(score is not None for row in found.rows.values() for score in row.values())
    assert found.details is not None
    assert found.details["movement"]["pets"].keys() == {"ranks", "masks"}
    monkeypatch.setattr(pruned_encoders.Cell, "network", None)  # all are saved
    assert run_pruned(job).rows == found.rows
    with pytest.raises(InputError, match="An encoder to prune is needed; name it by --encoder"):
        run_pruned(replace(job, encoder=None))
