"""A study about attention: classifiers on labelled texts, measured once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.studies.config import load_study
from everyword.studies.kinds.attention import study as attention
from everyword.studies.kinds.attention.study import (
    MEASURES,
    AttentionJob,
    AttentionSet,
    AttentionStudy,
    read_parts,
    run_attention,
)
from everyword.vectors.table import VectorTable

WORDS = ["the", "film", "was", "here", "and", "there", "bad", "good"]


def lines(count: int, seed: int) -> str:
    rng = Random(seed)
    found = ["label\ttext"]
    for _ in range(count):
        label = rng.choice(["bad", "good", "dull"])
        found.append(f"{label}\t{' '.join(rng.sample(WORDS[:6], 3))} {label}")
    return "\n".join(found) + "\n"


@pytest.fixture
def job(tmp_path: Path) -> AttentionJob:
    (tmp_path / "data").mkdir()
    for seed, (name, count) in enumerate({"train": 40, "dev": 12, "test": 12}.items()):
        (tmp_path / "data" / f"{name}.tsv").write_text(lines(count, seed), encoding="utf-8")
    matrix = np.random.default_rng(0).normal(size=(len(WORDS), 6)).astype(np.float32)
    VectorTable(WORDS, matrix).save(tmp_path / "words.vec")
    study, objectives = load_study("attention-words"), load_study("attention-objectives")
    assert isinstance(study, AttentionStudy)
    assert isinstance(objectives, AttentionStudy)
    own = AttentionSet("films", "train.tsv", "test.tsv", "dev.tsv", ("bad", "good"), ("batch=16",))
    columns = tuple(f"attention/films {measure}" for measure in MEASURES)
    tiny = ("epochs=1", "hidden=4", "scorer=4")
    rows = (*study.variants, *(one for one in objectives.variants if one.objective != "none"))
    variants = tuple(replace(variant, paper={}) for variant in rows)
    small = replace(study, variants=variants, sets=(own,), columns=columns, claims=(), seeds=2, small=tiny)
    return AttentionJob(
        study=small,
        work=tmp_path / "work",
        results=tmp_path,
        data=tmp_path / "data",
        model_name=str(tmp_path / "words.vec"),
        report=lambda line: None,
    )


def test_every_classifier_is_measured_once(job: AttentionJob, monkeypatch: pytest.MonkeyPatch) -> None:
    found = run_attention(job)
    assert len(found.rows) == 6
    for row in found.rows.values():
        assert set(row) == set(job.study.columns)
        assert all(score is not None for score in row.values())
    monkeypatch.setattr(attention, "measure", None)  # all are saved
    assert run_attention(job).rows == found.rows


def test_only_texts_with_the_labels_that_are_asked_for_are_read(job: AttentionJob) -> None:
    [own] = job.study.sets
    train, dev, test = read_parts(own, job.folder)
    assert set(train.labels) == {"bad", "good"}
    assert 0 < len(train) < 40
    assert len(dev) <= 12
    assert all(text[-1] == label for text, label in zip(test.tokens, test.labels, strict=True))
    with pytest.raises(InputError, match="has no label 'fine'"):
        read_parts(replace(own, labels=("bad", "fine")), job.folder)
    with pytest.raises(InputError, match="There is no file of labelled texts"):
        read_parts(replace(own, train="missing.tsv"), job.folder)
