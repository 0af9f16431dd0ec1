"""Studies about compositionality and about attacks, at a tiny size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny import tiny_table
from tiny_attacks import write_attacked

from everyword.config import build
from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study
from everyword.studies.kinds.compositionality.study import (
    CompositionJob,
    CompositionStudy,
    partial_spearman,
    run_compositionality,
)
from everyword.studies.kinds.compositionality.text_sources import TextSources, pooled
from everyword.studies.kinds.names import NameJob, NameStudy, run_names


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_attacked(tmp_path_factory.mktemp("data"))
    tiny_table().save(folder / "a.vec")
    return folder


def test_parts_and_wholes(folder: Path, tiny_model_folder: Path) -> None:
    study = load_study("compositionality")
    assert isinstance(study, CompositionStudy)
    keep = ("everyword-en, mean", "everyword-en, deep, tuned", "GloVe, mean", "encoder")
    variants = tuple(replace(one, rules=one.rules[:1]) for one in study.variants if one.label in keep)
    small = replace(study, variants=variants, claims=(), seeds=2, fit=20, judge=10, training=("epochs=3",))
    sources = TextSources(str(tiny_model_folder), {"glove": folder / "a.vec"})
    lines: list[str] = []
    job = CompositionJob(
        study=small, work=folder / "work", results=folder, data=folder, overrides=("steps=40",), sources=sources,
        report=lines.append,
    )  # fmt: skip

    findings = run_compositionality(job)

    rows = findings.rows
    assert rows["GloVe, mean"]["polarity/yelp both"].value <= 100
    assert rows["GloVe, mean"]["trees/sum fitted"].value > 90
    assert rows["everyword-en, deep, tuned"]["trees/sum fitted"] is None
    assert rows["encoder"]["polarity/yelp both"] is None
    assert "encoder: skipped, because its vectors are not given." in lines
    lines.clear()
    assert run_compositionality(job).rows == rows  # nothing is computed twice
    assert lines == ["encoder: skipped, because its vectors are not given."]


def test_attacks(folder: Path, tiny_model_folder: Path) -> None:
    study = load_study("names")
    assert isinstance(study, NameStudy)
    columns = ("names/sst2 people known", "names/sst2 people unknown", "names/mrpc people unknown", "typos/sst2 1")
    variants = tuple(one for one in study.variants if one.policy in ("encode", "zero"))
    small = replace(study, columns=columns, variants=variants, claims=(), seeds=2, curves=("sst2",), typo_items=15)
    job = NameJob(
        study=small, work=folder / "attacks", results=folder, data=folder, overrides=("budget=4", "known=150"),
        model_name=str(tiny_model_folder), report=lambda line: None,
    )  # fmt: skip

    findings = run_names(job)

    rows = findings.rows
    assert rows["zeros: stable"]["names/sst2 people unknown"].value == 100
    assert rows["everyword: worst"]["typos/sst2 1"].value <= rows["everyword: best"]["typos/sst2 1"].value
    assert rows["everyword: repaired worst"]["typos/sst2 1"] is None
    curves = findings.to_dict()["details"]["curves"]["sst2"]["encode"]
    assert [row[0] for row in curves["noise"]][:2] == [0.0, 0.005]
    assert curves["noise"][0][1] == curves["noise"][0][2] == curves["typos"][0][1]
    assert curves["typo radius"] > 0


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        (CompositionStudy, "trees/product held-out"),
        (CompositionStudy, "polarity/yelp height"),
        (NameStudy, "names/sst2"),
    ],
)
def test_columns_that_do_not_exist(kind: type, column: str) -> None:
    variant = {"label": "a"} if kind is CompositionStudy else {"label": "a", "measure": "worst"}
    given = {"kind": "x", "name": "x", "title": "x", "source": "x", "columns": [column], "variants": [variant]}
    if kind is CompositionStudy:
        given |= {"texts": {"yelp": ["a", "b"]}, "trees": ["a", "b"]}
    given["kind"] = "compositionality" if kind is CompositionStudy else "names"
    with pytest.raises(ConfigError, match=f"'{column}' is not"):
        build(kind, given, "the study")


def test_a_correlation_without_what_length_explains() -> None:
    rng = np.random.default_rng(0)
    length = rng.normal(size=300)
    one, other = length + rng.normal(size=300), length + rng.normal(size=300)
    assert abs(partial_spearman(one, other, length)) < 0.15
    assert partial_spearman(one, one, length) == pytest.approx(1)


def test_poolings_leave_out_words_without_a_vector() -> None:
    vectors = np.array([[1.0, -4.0], [3.0, 0.0], [0.0, 0.0]], dtype=np.float32)
    texts = [np.array([0, 1, 2]), np.array([2]), np.array([], dtype=np.int64)]
    assert pooled(vectors, texts).tolist() == [[2.0, -2.0], [0.0, 0.0], [0.0, 0.0]]
    assert pooled(vectors, texts, "max").tolist() == [[3.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    with pytest.raises(InputError, match="vectors of texts, not of words"):
        TextSources(encoder="x").words("encoder", ["a"])
