"""A study about transfer between languages, at a tiny size on made data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest
from made import write

from everyword.errors import ConfigError, InputError
from everyword.evaluation.tasks.extrinsic import transfer
from everyword.learning.adversary import probe_accuracy
from everyword.studies.config import load_study
from everyword.studies.kinds.transfer import TransferJob, TransferStudy, run_transfer
from everyword.vectors.table import VectorTable

STUDY = """
name = "tiny-transfer"
kind = "transfer"
title = "Tiny"
source = "made"
seeds = 2
pivot = "aa"
columns = [
    "transfer/timex aa strict", "transfer/timex cc type", "transfer/timex languages after",
    "transfer/pos bb accuracy", "transfer/pos languages before",
]
small = ["sentences=12", "tagger.hidden=4", "tagger.learning.epochs=1", "adversary.every=1"]
dictionaries = { bb = "aa-bb.tsv", cc = "aa-cc.tsv" }
texts = { bb = "bb.txt", cc = "cc.txt" }

[[tasks]]
name = "timex"
train = { aa = "aa.conll", bb = "bb.conll" }
test = { aa = "aa.conll", cc = "cc.conll" }

[[tasks]]
name = "pos"
train = { aa = "aa.conllu" }
dev = { aa = "aa.conllu" }
test = { bb = "bb.conllu" }

[[variants]]
label = "unaligned"

[[variants]]
label = "identical"
alignment = "identical"

[[variants]]
label = "dictionary"
alignment = "dictionary"

[[variants]]
label = "adversary"
adversary = true
unlabelled = true
overrides = ["adversary.strength=0.5"]

[[claims]]
text = "It helps."
better = "adversary"
than = ["unaligned"]
on = "transfer/timex cc type"
"""
WORDS = [f"w{number}" for number in range(30)]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, rng = tmp_path_factory.mktemp("data"), Random(1)
    vectors = np.random.default_rng(2)
    for language in ("aa", "bb", "cc"):
        lines, trees = [], []
        for _ in range(20):
            words = rng.choices(WORDS, k=5)
            lines.append("".join(f"{word}\t{'B-DATE' if word[-1] in '123' else 'O'}\n" for word in words))
            rows = [f"{n}\t{word}\t_\t{'NUM' if word[-1] in '12' else 'X'}" for n, word in enumerate(words, 1)]
            trees.append("".join(f"{row}\t_\t_\t0\troot\t_\t_\n" for row in rows))
        write(folder / f"{language}.conll", "\n".join(lines))
        write(folder / f"{language}.conllu", "\n".join(trees))
        write(folder / f"{language}.txt", "\n".join(" ".join(rng.choices(WORDS, k=6)) for _ in range(9)) + "\n")
        write(folder / f"aa-{language}.tsv", "".join(f"{word}\t{word}\n" for word in WORDS[:20]))
        matrix = vectors.normal(size=(len(WORDS), 8)).astype(np.float32)
        VectorTable(WORDS, matrix).save(folder / f"{language}.vec")
    return folder


def job(folder: Path, data: Path, said: list[str], text: str = STUDY) -> TransferJob:
    study = load_study(str(write(folder / "transfer.toml", text)))
    assert isinstance(study, TransferStudy)
    return TransferJob(
        study=study, work=folder / "work", results=folder, data=data, vectors=data, report=said.append
    )  # fmt: skip


def test_all_ways_are_scored_and_what_is_trained_is_used_again(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "probe_accuracy", partial(probe_accuracy, steps=3))
    said: list[str] = []
    whole = job(tmp_path, data, said)
    findings = run_transfer(whole)
    assert len(said) == 2 * 4 * 2
    for row in findings.rows.values():
        for score in row.values():
            assert score is not None
            assert 0 <= score.value <= 100
            assert score.spread is not None
    assert findings.judgements[0].reason == "2 seeds; a verdict needs 3"
    assert "aa 30" in findings.teacher
    assert run_transfer(whole).to_json() == findings.to_json()
    assert len(said) == 16  # nothing is trained again
    run_transfer(replace(whole, overrides=("adversary.strength=0.1", "adversary.hidden=7"), device="auto"))
    assert len(said) == 20  # only what has an adversary


def test_mistakes_are_named(tmp_path: Path, data: Path) -> None:
    said: list[str] = []
    for old, new, message in (
        ("transfer/pos bb accuracy", "transfer/parsing bb accuracy", "does not name one of its tasks, timex, pos"),
        ("transfer/timex cc type", "transfer/timex dd type", "does not name a language with a test set"),
        ('cc = "cc.txt"', 'dd = "cc.txt"', "texts has no 'cc', which timex tests"),
        ("adversary = true", "adversary = false", "has no adversary that could see it"),
    ):
        text = STUDY.partition("[[claims]]")[0].replace(old, new)
        with pytest.raises(ConfigError, match=message):
            job(tmp_path, data, said, text)
    with pytest.raises(InputError, match=r"There is no score 'aa loose'; choose from"):
        run_transfer(job(tmp_path, data, said, STUDY.replace("transfer/timex aa strict", "transfer/timex aa loose")))
    with pytest.raises(InputError, match=r"holds no aa\.npy or \.vec or \.txt; put vectors there"):
        run_transfer(replace(job(tmp_path, data, said), vectors=tmp_path))
    with pytest.raises(InputError, match="name it by --data"):
        run_transfer(replace(job(tmp_path, data, said), data=None))
