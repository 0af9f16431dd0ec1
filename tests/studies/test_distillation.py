"""A study about distillation: teachers and students on labelled texts, measured once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword.corpus.labelled.documents import SoftLabels
from everyword.errors import InputError
from everyword.language_models.fine_tuning import FineTuning
from everyword.language_models.teachers import Teacher, soft_labels
from everyword.studies.config import load_study
from everyword.studies.kinds.distillation import runs as distillation_runs
from everyword.studies.kinds.distillation.study import (
    DistillationJob,
    DistillationSet,
    DistillationStudy,
    run_distillation,
)
from everyword.vectors.table import VectorTable

WORDS = ["goal", "coach", "share", "bank", "the", "day"]


def rows(count: int, seed: int) -> str:
    rng, lines = Random(seed), ["labels\ttext"]
    for number in range(count):
        labels = [["sport"], ["money"], ["sport", "money"]][number % 3]
        words = [rng.choice(WORDS[:2] if label == "sport" else WORDS[2:4]) for label in labels]
        lines.append(f"{'|'.join(labels)}\t{' '.join([*words, rng.choice(WORDS[4:])])}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def job(tmp_path: Path, tiny_bert_folder: Path) -> DistillationJob:
    (tmp_path / "data").mkdir()
    for seed, (name, count) in enumerate({"train": 60, "test": 18}.items()):
        (tmp_path / "data" / f"{name}.tsv").write_text(rows(count, seed), encoding="utf-8")
    (tmp_path / "data" / "tags.conll").write_text("goal\tNOUN\nbank\tNOUN\nthe\tDET\n\n", encoding="utf-8")
    matrix = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)
    VectorTable(WORDS, matrix).save(tmp_path / "words.vec")
    study = load_study("distillation")
    assert isinstance(study, DistillationStudy)
    small = replace(
        study,
        variants=tuple(replace(one, paper={}, shares=tuple({*one.shares} - {1})) for one in study.variants),
        sets=(DistillationSet("made", "train.tsv", "test.tsv", ("batch=16",), teacher_epochs=1),),
        columns=("distillation/made 100%", "distillation/made 100% gain", "distillation/made 10%"),
        claims=(),
        seeds=1,
        students={"lstm": ("states=4",), "cnn": ("filters=4",)},
        small=("epochs=1",),
        full=("epochs=1",),
        most=None,
        teacher=FineTuning(longest=16),
        tags="tags.conll",
        least_steps=2,
    )
    return DistillationJob(
        study=small,
        work=tmp_path / "work",
        results=tmp_path,
        data=tmp_path / "data",
        model_name=str(tmp_path / "words.vec"),
        encoder=str(tiny_bert_folder),
        size="full",
        report=lambda line: None,
    )


def test_every_row_is_measured_once(job: DistillationJob, monkeypatch: pytest.MonkeyPatch) -> None:
    run_distillation(replace(job, only_seed=0))
    monkeypatch.setattr(distillation_runs, "train_classifier", None)  # all are saved
    found = run_distillation(job)
    assert len(found.rows) == 10
    for label, row in found.rows.items():
        assert row["distillation/made 100%"] is not None
        assert (row["distillation/made 100% gain"] is not None) == ("taught" in label)
        assert (row["distillation/made 10%"] is None) == ("LSTM" in label or "copies" in label)
    costs = (found.details or {})["costs"]
    assert costs["LR"]["flops"] < costs["LSTM"]["flops"]
    assert costs["LR"]["parameters"] < costs["teacher"]["parameters"]


def test_without_a_language_model_the_students_teach_together(job: DistillationJob) -> None:
    study = replace(job.study, most=40)
    found = run_distillation(replace(job, study=study, encoder=None, size="small", only_set="made"))
    rows, costs = found.rows, (found.details or {})["costs"]
    assert rows["LSTM"]["distillation/made 100%"] is None
    assert rows["LR, taught, copies"]["distillation/made 100% gain"] is not None
    assert costs["teacher"]["flops"] == pytest.approx(costs["LR"]["flops"] + costs["CNN"]["flops"], abs=1e-3)
    parts = [SoftLabels.load(job.work / f"{name}-made-100-0-train.npz") for name in ("teacher", "lr", "cnn")]
    mean = (parts[1].probabilities + parts[2].probabilities) / 2
    assert parts[0].probabilities == pytest.approx(mean, abs=1e-6)


def test_a_teacher_in_a_folder_names_its_labels(job: DistillationJob, tmp_path: Path) -> None:
    runs = distillation_runs.SetRun(job, job.study.sets[0], 0)
    train, dev = runs.parts.train, runs.parts.dev
    teacher = distillation_runs.train_teacher(job.encoder, train, dev, FineTuning(epochs=1, longest=16))
    teacher.save(tmp_path / "teacher")
    again = soft_labels(tmp_path / "teacher", dev)
    assert again.labels == ("money", "sport")
    assert again.probabilities == pytest.approx(teacher.soft_labels(dev).probabilities, abs=1e-5)
    assert not np.allclose(again.probabilities.sum(axis=1), 1)  # each label by itself
    assert Teacher.load(tmp_path / "teacher").labels_of(dev) == teacher.labels_of(dev)
    other = replace(dev, labels=(("chess",), *dev.labels[1:]))
    with pytest.raises(InputError, match="does not know the label 'chess'"):
        soft_labels(tmp_path / "teacher", other)
