"""Studies about pairs of word and context vectors, at a tiny size on made data."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from everyword.errors import ConfigError, InputError
from everyword.studies.config import load_study
from everyword.studies.kinds.pairs.benchmarks import MEAN, PairBenchmarks, half
from everyword.studies.kinds.pairs.study import PairJob, PairStudy, run_pairs
from everyword.vectors.table import VectorTable

STUDY = """
name = "tiny-pairs"
kind = "pairs"
title = "Tiny"
source = "made"
seeds = 2
columns = ["similarity/wordsim353", "similarity/mean", "analogy/google", "analogy/google#semantic", "texts/imdb",
    "texts/newsgroups20"]
alphas = [-2, 1, 3]
words = 40

[training]
all = ["dim=4", "epochs=1", "sentences.shortest=2", "sentences.min_count=1"]

[[variants]]
label = "GloVe: U+V"
pair = "glove"
vectors = "trained"
steps = "centre"

[[variants]]
label = "GloVe: alpha"
pair = "glove"
vectors = "alpha"
reference = "uniform"

[[variants]]
label = "skip-gram: limit"
pair = "skip-gram"
vectors = "limit"
top = 3

[[claims]]
text = "The limit is better."
better = "skip-gram: limit"
than = ["GloVe: U+V"]
on = "similarity/mean"
"""
ANIMALS, PLACES = ["cat", "dog", "cow", "hen", "pig"], ["rome", "oslo", "bern", "kiev", "riga"]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


@pytest.fixture
def job(tmp_path: Path) -> PairJob:
    rng = Random(0)
    kinds = [[*ANIMALS, "eats", "sleeps"], [*PLACES, "street", "square"]]
    lines = [" ".join(["the", *rng.choices(kinds[number % 2], k=6)]) for number in range(120)]
    write(tmp_path / "corpus.txt", "\n".join(lines) + "\n")
    data = tmp_path / "data"
    pairs = [(rng.choice(ANIMALS), rng.choice(ANIMALS + PLACES)) for _ in range(20)]
    rows = "".join(f"{one}\t{other}\t{9 if other in ANIMALS else rng.random()}\n" for one, other in pairs)
    write(data / "similarity" / "wordsim353.tsv", "word1\tword2\tscore\n" + rows)
    questions = ["\t".join(["gram1", *rng.sample(ANIMALS, 4)]) for _ in range(6)]
    questions += ["\t".join(["capitals", *rng.sample(PLACES, 4)]) for _ in range(6)]
    write(data / "analogy" / "google.tsv", "section\ta\tb\tc\td\n" + "\n".join(questions) + "\n")
    for part, count in (("train", 40), ("test", 10)):
        texts = [f"{number % 2}\t{' '.join(rng.choices(kinds[number % 2], k=4))}, said." for number in range(count)]
        write(data / "classification" / "imdb" / f"{part}.tsv.gz", "label\ttext\n" + "\n".join(texts) + "\n")
    write(tmp_path / "study.toml", STUDY)
    study = load_study(str(tmp_path / "study.toml"))
    assert isinstance(study, PairStudy)
    folders = {"work": tmp_path / "work", "results": tmp_path / "results", "data": data}
    return PairJob(study=study, corpus=(tmp_path / "corpus.txt",), report=lambda _: None, **folders)


def test_pairs_are_trained_chosen_and_scored(job: PairJob) -> None:
    pytest.importorskip("gensim")
    found = run_pairs(job)
    for row in found.rows.values():
        assert row["texts/newsgroups20"] is None  # its data is not there
        assert all(score is not None and np.isfinite(score.value) for name, score in row.items() if "news" not in name)
    score = found.rows["skip-gram: limit"]["texts/imdb"]
    assert score is not None
    assert score.value >= 50
    sweep = json.loads((job.results / "tiny-pairs-sweep.json").read_text())["rows"]["GloVe: alpha"]
    assert sweep["alphas"] == [-2, 1, 3]
    assert sweep["chosen"].keys() == {"similarity", "analogy", "texts/imdb"}
    means = [scores[MEAN] for scores in sweep["dev"]]
    assert sweep["chosen"]["similarity"] == sweep["alphas"][int(np.argmax(means))]
    # A second run trains and scores nothing.
    again: list[str] = []
    assert run_pairs(replace(job, report=again.append)).to_dict() == found.to_dict()
    assert not [line for line in again if line.startswith("training") or "seed" in line]


def test_halves_are_apart_and_stay_the_same() -> None:
    dev, test = half(21, "dev"), half(21, "test")
    assert sorted([*dev, *test]) == list(range(21))
    np.testing.assert_array_equal(half(21, "dev"), dev)


def test_scores_of_a_table_that_knows_all_and_one_that_knows_nothing(job: PairJob) -> None:
    benchmarks = PairBenchmarks.load(job.study.columns, job.data, print)
    words = [*ANIMALS, *PLACES]
    kinds = np.repeat(np.eye(2, dtype=np.float32), 5, axis=0)
    good = benchmarks.score(VectorTable(words, kinds), "test", benchmarks.kinds)
    assert good["texts/imdb"] == 100
    assert good[MEAN] > 60
    nothing = benchmarks.score(VectorTable(["x", "y"], np.eye(2)), "test", ["similarity", "analogy"])
    assert nothing == {"similarity/wordsim353": 0, MEAN: 0, **dict.fromkeys(nothing, 0)}


def test_refusals(job: PairJob, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Give text files by --corpus"):
        run_pairs(replace(job, corpus=(), work=tmp_path / "other"))
    for right, wrong, sentence in (
        ("all =", "gloev =", "training has overrides for 'gloev'"),
        ("alphas = [-2, 1, 3]", "alphas = []", "there must be at least one alpha"),
    ):
        write(tmp_path / "wrong.toml", STUDY.replace(right, wrong))
        with pytest.raises(ConfigError, match=sentence):
            load_study(str(tmp_path / "wrong.toml"))
