"""A study about losses: networks on made-up texts, settings chosen on dev, measured once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tiny_transformers import save_tiny_bert

from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study
from everyword.studies.kinds.metric import study as metric
from everyword.studies.kinds.metric.study import MetricJob, MetricSet, MetricStudy, run_metric
from everyword.vectors.table import VectorTable

WORDS = ["cat", "dog", "city", "mat", "the", "on"]


def texts(count: int, seed: int) -> str:
    rng = Random(seed)
    rows = [
        (("none", "one", "two", "three")[place % 4], WORDS[place % 4], rng.choice(WORDS[4:])) for place in range(count)
    ]
    return "label\tcategory\ttext\n" + "".join(f"x\t{label}\t{other} {word}\n" for label, word, other in rows)


@pytest.fixture
def job(tmp_path: Path) -> MetricJob:
    for seed, (name, count) in enumerate({"train": 40, "test": 16}.items()):
        (tmp_path / f"{name}.tsv").write_text(texts(count, seed), encoding="utf-8")
    VectorTable(WORDS, np.random.default_rng(0).normal(size=(6, 8)).astype(np.float32)).save(tmp_path / "words.vec")
    study = load_study("metric-losses")
    assert isinstance(study, MetricStudy)
    own = MetricSet("edos", "train.tsv", "test.tsv", label="category")
    columns = tuple(
        f"metric/{source} {name}"
        for source in ("words", "encoder")
        for name in ("all knn", "all f1", "edos knn", "edos knn-categories", "edos accuracy", "unseen knn")
    )
    study = replace(
        study,
        variants=study.variants[:2],
        columns=columns,
        claims=(),
        seeds=2,
        sets=(own, replace(own, name="unseen", unseen=2)),
        small=("network=lstm", "states=6", "epochs=4", "batch=8", "learning_rate=0.03"),
        encoder=("epochs=1", "batch=8"),
    )
    where = {"work": tmp_path / "work", "results": tmp_path, "data": tmp_path}
    model = str(tmp_path / "words.vec")
    return MetricJob(study=study, model_name=model, report=lambda line: None, **where)  # type: ignore[arg-type]


def test_settings_are_chosen_on_dev_and_every_network_is_measured_once(
    job: MetricJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run_metric(job)
    for row in found.rows.values():
        assert {name for name, score in row.items() if score is None} == {
            n for n in job.study.columns if "encoder" in n
        }
        score = row["metric/words edos knn"]
        assert score is not None
        assert score.value > 70
        assert row["metric/words all knn"] == score
        assert row["metric/words all f1"] is not None  # also where the sets' own are not shown
    assert found.details is not None
    assert found.details["settings"]["aam"]["words edos"].startswith("margin=0.05 scale=")
    assert len(list(job.work.iterdir())) == 2 * 2 + 2 * 3  # aam has two settings for the first seed
    monkeypatch.setattr(metric, "train_classifier", None)  # all are saved
    assert run_metric(job).rows == found.rows


def test_a_transformer_is_tuned_by_the_same_losses(job: MetricJob, tmp_path: Path) -> None:
    study = replace(
        job.study, seeds=1, variants=(job.study.variants[0], replace(job.study.variants[1], settings=((),)))
    )
    found = run_metric(replace(job, study=study, encoder=str(save_tiny_bert(tmp_path / "bert")), only="encoder"))
    for row in found.rows.values():
        assert {name for name, score in row.items() if score is None} == {n for n in study.columns if "words" in n}


def test_left_out_classes_are_scored_among_themselves(job: MetricJob) -> None:
    parts = job.parts(job.study.sets[1])
    assert set(parts.train.known).isdisjoint(parts.near.known)
    assert parts.near.known == parts.test.known == ["none", "two"]
    assert set(parts.dev.known) <= set(parts.train.known)


def test_wrong_studies_and_missing_data_are_told(
    job: MetricJob, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("EVERYWORD_DATA", raising=False)
    with pytest.raises(InputError, match="name it by --data"):
        run_metric(replace(job, data=None))
    path = tmp_path / "wrong.toml"
    path.write_text(
        'name = "wrong"\nkind = "metric"\ntitle = "t"\nsource = "s"\ncolumns = ["metric/words edos f2"]\nsets = []\n'
        '[[variants]]\nlabel = "a"\nloss = "hinge"\n',
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match=r"is not metric/SOURCE SET MEASURE.*there is no loss 'hinge'"):
        load_study(str(path))
