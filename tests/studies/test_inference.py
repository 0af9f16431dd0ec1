"""A study about inference: networks on made-up pairs and roles, measured once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_transformers import save_tiny_bert

from everyword.errors import InputError
from everyword.studies.config import load_study
from everyword.studies.kinds import inference
from everyword.studies.kinds.inference import InferenceJob, InferenceStudy, run_inference
from everyword.vectors.table import VectorTable

PAIRS = "label\tpremise\thypothesis\n" + "".join(
    f"{label}\tthe cat sat on the mat\tthe {noun} sat\n"
    for label, noun in (("entailment", "cat"), ("contradiction", "dog"), ("neutral", "city"))
    for _ in range(6)
)
HANS = "label\tpremise\thypothesis\theuristic\tsubcase\n" + "".join(
    f"{label}\tthe dog walked the cat\tthe cat walked\t{name}\t{label[0]}_{name}\n"
    for name in ("lexical_overlap", "subsequence", "constituent")
    for label in ("entailment", "non-entailment")
)
COMPARED = "label\tpremise\thypothesis\tcategory\tlength\n" + "".join(
    f"{label}\tthe dog walked the cat\tthe cat walked the dog\t{name}\tshort\n"
    for name in ("same", "ml", "not")
    for label in ("entailment", "contradiction")
)
ROLE = '{"tokens": ["the", "cat", "sat"], "predicates": [{"index": 2, "tags": ["B-ARG1", "I-ARG1", "B-V"]}]}\n'
FILES = {"pairs.tsv": PAIRS, "hans.tsv": HANS, "compared.tsv": COMPARED, "roles.jsonl": ROLE * 8}


@pytest.fixture
def job(tmp_path: Path) -> InferenceJob:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = ["the", "cat", "dog", "sat", "on", "mat", "walked", "city"]
    VectorTable(words, np.random.default_rng(0).normal(size=(8, 6)).astype(np.float32)).save(tmp_path / "words.vec")
    study = load_study("inference-with-roles")
    assert isinstance(study, InferenceStudy)
    study = replace(
        study,
        variants=study.variants[:3],
        claims=study.claims[:5],
        seeds=2,
        pairs=("pairs.tsv",),
        held_out=4,
        tests=dict.fromkeys(study.tests, "pairs.tsv"),
        challenges={"hans": "hans.tsv", "comparisons": "compared.tsv"},
        roles=dict.fromkeys(study.roles, "roles.jsonl"),
        small=("epochs=1", "hidden=4", "batch=8"),
        encoder=("epochs=1", "batch=8"),
    )
    where = {"work": tmp_path / "work", "results": tmp_path, "data": tmp_path}
    model = str(tmp_path / "words.vec")
    return InferenceJob(study=study, model_name=model, report=lambda line: None, **where)  # type: ignore[arg-type]


def test_every_network_is_measured_once_and_columns_without_an_encoder_are_empty(
    job: InferenceJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run_inference(job)
    for label, row in found.rows.items():
        empty = {name for name, score in row.items() if score is None}
        alone = {"inference/words roles"} if "with roles" not in label else set()
        assert empty == {name for name in job.study.columns if "/encoder" in name} | alone
    average = found.rows["average of vectors"]["inference/words comparisons same"]
    assert average is not None
    assert average.value == 50
    assert found.details is not None
    assert set(found.details["cases"]["inference alone, words"]) >= {"e_subsequence", "n_subsequence"}
    monkeypatch.setattr(inference, "measure", None)  # all are saved
    assert run_inference(job).rows == found.rows


def test_an_encoder_fills_its_own_columns(job: InferenceJob, tmp_path: Path) -> None:
    study = replace(job.study, variants=(job.study.variants[2],), claims=())
    folder = save_tiny_bert(tmp_path / "bert")
    found = run_inference(replace(job, study=study, encoder=str(folder), only="encoder", limit=12))
    [row] = found.rows.values()
    assert {name for name, score in row.items() if score is None} == {n for n in study.columns if "/words" in n}


def test_without_data_there_is_nothing_to_learn(job: InferenceJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EVERYWORD_DATA", raising=False)
    with pytest.raises(InputError, match="name it by --data"):
        run_inference(replace(job, data=None))
