"""Every command that reads a file refuses what it cannot read in one sentence; a full disk loses nothing."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from attacks.sound import small_model

import everyword
from everyword.vectors.table import VectorTable

from .conftest import Run

WORDS = ["ban", "belo", "grin", "trust", "plinness", *(f"w{number}" for number in range(20))]
WRONG = ("missing", "empty", "folder", "bytes", "latin", "packed")
MODEL, QUIET = ("--model", "model"), ("--quiet",)
LANGUAGE = ("train", "language", "--code", "de", "--english", "model", "--output", "out", "--quiet")
TAGGER = ("train", "tagger", "--vectors", "t.vec", "--output", "out", "--quiet")
CLASSIFIER = ("train", "classifier", "--vectors", "t.vec", "--output", "out", "--quiet")
COMMANDS = {
    "tag": ("tag", "@", "hello"),
    "classify": ("classify", "@", "hello"),
    "correct": ("correct", "@.txt", *MODEL),
    "search": ("search", "@.txt", "ban", *MODEL, *QUIET),
    "search, CSV": ("search", "@.csv", "ban", *MODEL, *QUIET),
    "search, JSON lines": ("search", "@.jsonl", "ban", *MODEL, *QUIET),
    "search, Parquet": ("search", "@.parquet", "ban", *MODEL, *QUIET),
    "search, model": ("search", "texts.txt", "ban", "--model", "@", *QUIET),
    "embed": ("embed", "@.txt", "--output", "out", *MODEL, *QUIET, "--workers", "1"),
    "embed, Parquet": ("embed", "@.parquet", "--output", "out", *MODEL, *QUIET, "--workers", "1"),
    "align": ("align", "@", "t.vec", "--dictionary", "pairs.tsv", "--output", "o.vec"),
    "align, dictionary": ("align", "t.vec", "t.vec", "--dictionary", "@", "--output", "o.vec"),
    "align, map": ("align", "t.vec", "t.vec", "--map", "@", "--output", "o.vec"),
    "align, test": ("align", "t.vec", "t.vec", "--dictionary", "pairs.tsv", "--test", "@", "--output", "o.vec"),
    "alpha": ("alpha", "@", "--contexts", "t.vec", "--output", "o.vec"),
    "alpha, contexts": ("alpha", "t.vec", "--contexts", "@", "--output", "o.vec"),
    "alpha, counts": ("alpha", "t.vec", "--contexts", "t.vec", "--counts", "@", "--output", "o.vec"),
    "shrink": ("shrink", "@", "--method", "pca:2", "--tasks", "none", "--output", "o.safetensors"),
    "shrink, folder": ("shrink", "@", "--sparsity", "0.5", "--output", "out"),
    "probe": ("probe", "@", "--data", ".", *QUIET),
    "probe, data": ("probe", "model", "--data", "@", *QUIET),
    "attack": ("attack", "@", "--data", "."),
    "components": ("components", "@", "--data", "."),
    "by-resource": ("by-resource", "@", "--frequencies", "counts.tsv", "--data", "."),
    "by-resource, frequencies": ("by-resource", "t.vec", "--frequencies", "@", "--data", "."),
    "by-resource, scores": ("by-resource", "--scores", "@"),
    "language-distance": ("language-distance", "@", "texts.txt"),
    "compare-results": ("compare-results", "@", "@"),
    "attributes": ("attributes", "--wordnet", "@", "--output", "o.tsv"),
    "train tagger": (*TAGGER, "--train", "@.conll"),
    "train tagger, CoNLL-U": (*TAGGER, "--train", "@.conllu"),
    "train tagger, dev": (*TAGGER, "--train", "train.conll", "--dev", "@.conll"),
    "train classifier": (*CLASSIFIER, "--train", "@.tsv"),
    "train classifier, dev": (*CLASSIFIER, "--train", "train.tsv", "--dev", "@.tsv"),
    "train classifier, teacher": (*CLASSIFIER, "--train", "train.tsv", "--teacher", "@.npz"),
    "train language": (*LANGUAGE, "--dictionary", "named.tsv", "--corpus", "@"),
    "train language, dictionary": (*LANGUAGE, "--dictionary", "@", "--corpus", "texts.txt"),
    "train language, frequencies": (
        *(*LANGUAGE, "--dictionary", "named.tsv", "--corpus", "texts.txt", "--frequencies", "@"),
    ),
    "train average": ("train", "average", "--encoder", "model", "--prepared", "@", "--output", "o.vec"),
    "reproduce": ("reproduce", "@.toml", "--teacher", "t.vec", "--data", ".", "--work", "work"),
}  # fmt: skip
READABLE = {("correct", "empty")}
"""What can be read after all."""


def make_files(folder: Path) -> None:
    """What commands read when one of their files is wrong."""
    small_model().save_pretrained(folder / "model")
    vectors = np.random.default_rng(0).normal(size=(len(WORDS), 4)).astype(np.float32)
    VectorTable(WORDS, vectors).save(folder / "t.vec")
    texts = {
        "pairs.tsv": "".join(f"{word}\t{word}\n" for word in WORDS),
        "counts.tsv": "".join(f"{word}\t{number}\n" for number, word in enumerate(WORDS, start=1)),
        "named.tsv": "source\ttarget\n" + "".join(f"{word}\t{word}\n" for word in WORDS),
        "texts.txt": "ban belo grin\ntrust\n" * 9,
        "train.conll": "ban\tO\nbelo\tB-X\n\ngrin\tO\nban\tB-X\n\n" * 9,
        "train.tsv": "label\ttext\n" + "a\tban belo\nb\tgrin trust\n" * 9,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def make_wrong(path: Path, kind: str) -> None:
    """A file of this kind, or what is there in its place."""
    if kind == "folder":
        path.mkdir()
    elif kind != "missing":
        packed = gzip.compress(b"a line\n" * 99)[:30]
        raw = {"empty": b"", "bytes": b"\xfe\0\x01" * 99, "latin": b"Stra\xdfe\t1\n", "packed": packed}
        path.write_bytes(raw[kind])


@pytest.mark.parametrize("name", COMMANDS)
def test_what_cannot_be_read_is_refused(run: Run, refused: Callable[..., str], tmp_path: Path, name: str) -> None:
    make_files(tmp_path)
    suffix = next(argument.removeprefix("@") for argument in COMMANDS[name] if argument.startswith("@"))
    before = {path.name for path in tmp_path.iterdir()}
    for kind in WRONG:
        if (name, kind) not in READABLE:
            make_wrong(tmp_path / f"{kind}{suffix}", kind)
            arguments = [kind + suffix if argument[:1] == "@" else argument for argument in COMMANDS[name]]
            result = run(*arguments)
            said = result.stderr.splitlines()
            assert result.exit_code == 2, (kind, result.output)
            assert said[-1].startswith("everyword: "), (kind, said)
            assert len(said[-1]) < 500, (kind, said)
            assert not said[-1].endswith(f"everyword: {kind}{suffix}"), "a name alone is not a sentence"
    wrong = {f"{kind}{suffix}" for kind in WRONG}
    written = {path.name for path in tmp_path.iterdir()} - before - wrong
    assert written <= {"out-run"}, "only a folder for checkpoints may be there"


FULL = """
import resource, sys
from everyword.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))  # what a full disk does to a file
main(sys.argv[1:])
"""
WRITING = {
    "align": ("align", "t.vec", "t.vec", "--dictionary", "pairs.tsv", "--output", "o.vec"),
    "alpha": ("alpha", "t.vec", "--contexts", "t.vec", "--counts", "counts.tsv", "--output", "o.vec"),
    "shrink": ("shrink", "t.vec", "--method", "pca:2", "--tasks", "none", "--output", "o.safetensors"),
    "shrink, folder": ("shrink", "model", "--sparsity", "0.5", "--output", "out"),
    "correct": ("correct", "texts.txt", *MODEL, "--output", "o.txt"),
}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_loses_nothing(run: Run, tmp_path: Path, name: str) -> None:
    make_files(tmp_path)
    (tmp_path / "texts.txt").write_text("ban belo grin\n" * 50, encoding="utf-8")
    command = [*WRITING[name], "--overwrite"]
    assert run(*command).exit_code == 0
    before = contents(tmp_path)

    environment = {**os.environ, "PYTHONPATH": str(Path(everyword.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", FULL, *command],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 2, done.stderr
    assert "everyword: A file cannot be written: File too large. Make room, or write to another place." in done.stderr
    assert contents(tmp_path) == before


def test_an_index_that_cannot_be_kept_leaves_nothing_behind(tmp_path: Path) -> None:
    make_files(tmp_path)
    before = contents(tmp_path)
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(everyword.__file__).parents[1]),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-c", FULL, "search", "texts.txt", "ban", *MODEL, *QUIET],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "trust" in done.stdout
    assert contents(tmp_path) == before
