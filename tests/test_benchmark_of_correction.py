"""The pure parts of the benchmark of correctors."""

from __future__ import annotations

import gzip
import lzma
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def correct(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(variable, "1")
    return import_module("correct")


def test_joined_and_split_words_are_aligned(correct: ModuleType) -> None:
    assert correct.aligned(["I", "sea", "you"], ["i", "see", "you"]) == ["i", "see", "you"]
    assert correct.aligned(["th", "e", "dog"], ["the", "dog"]) == ["the", "", "dog"]
    assert correct.aligned(["adog", "ran"], ["a", "dog", "ran"]) == ["a dog", "ran"]


def test_errors_are_read_and_judged(correct: ModuleType, tmp_path: Path) -> None:
    noisy, corpus = tmp_path / "noisy", tmp_path / "corpus"
    noisy.mkdir()
    corpus.mkdir()
    with gzip.open(noisy / "neuspell_bea4660.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("noisy\tclean\nthet dog, ther\tthat dog, there\n")
    header = "split\twrong\tright\toffset\tnoisy\tclean\n"
    (noisy / "realword_wikipedia.tsv").write_text(header + "train\tform\tfrom\t2\tI form it\tI from it\n")
    with lzma.open(corpus / "wiki-00.txt.xz", "wt", encoding="utf-8") as file:
        file.write("All is well.\nStill well.\n")
    material = correct.read_material(tmp_path, development=False)

    def corrector(texts: list[str]) -> list[list[str]]:
        right = {"thet": "that", "form": "from", "Still": "Stall"}
        return [[right.get(word, word) for word in correct.tokens_of(text)] for text in texts]

    scores = correct.judged(corrector, material, lambda word: word == "thet")

    assert scores == {
        "unknown wrong words put right": 1.0,
        "all wrong words put right": 0.5,
        "real-word errors put right": 1.0,
        "clean words changed": {"learners' sentences": 0.0, "Wikipedia": 0.2},
    }
    bars = correct.bars({"correctors": {"everyword-en": scores}, "bytes": 13_000_000})
    assert [bar["reached"] for bar in bars] == [True, True, False, False]
