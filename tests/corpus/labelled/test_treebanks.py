from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from everyword.corpus.labelled.treebanks import read_treebank, treebank_splits
from everyword.errors import InputError


def line(number: str, form: str, tag: str) -> str:
    return "\t".join([number, form, "_", tag, "_", "_", "0", "root", "_", "_"])


def write(path: Path, sentences: int, word: str = "talo") -> Path:
    lines = []
    for place in range(sentences):
        lines += [f"# sent_id = {place}", line("1-2", "eikö", "_"), line("1", "ei", "AUX"), line("2", "kö", "PART")]
        lines += [line("2.1", "olla", "VERB"), line("3", f"{word}{place}", "NOUN"), ""]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_words_and_tags(tmp_path: Path) -> None:
    found = read_treebank(write(tmp_path / "dev.conllu.gz", 2))

    assert found.tokens == (("ei", "kö", "talo0"), ("ei", "kö", "talo1"))
    assert found.tags == (("AUX", "PART", "NOUN"),) * 2
    assert found.scheme == "plain"


def test_splits_of_a_whole_treebank(tmp_path: Path) -> None:
    for part, sentences in (("train", 5), ("dev", 3), ("test", 2)):
        write(tmp_path / f"{part}.conllu.gz", sentences)
    found = treebank_splits(tmp_path)

    assert [len(part) for part in (found.train, found.dev, found.test)] == [5, 3, 2]


def test_a_treebank_without_train_is_cross_validated_on_dev(tmp_path: Path) -> None:
    write(tmp_path / "dev.conllu.gz", 20, "kala")
    write(tmp_path / "test.conllu.gz", 3)
    folds = [treebank_splits(tmp_path, number) for number in range(5)]

    assert {len(one.train) for one in folds} == {16}
    assert {len(one.dev) for one in folds} == {4}
    assert sorted(tokens for one in folds for tokens in one.dev.tokens) == sorted(
        read_treebank(tmp_path / "dev.conllu.gz").tokens
    )
    for one in folds:
        assert not set(one.train.tokens) & set(one.dev.tokens)
        assert one.test == folds[0].test


def test_bad_files(tmp_path: Path) -> None:
    path = tmp_path / "dev.conllu.gz"
    path.write_bytes(gzip.compress(b"1\tword\tNOUN\n"))
    with pytest.raises(InputError, match=r"dev.conllu.gz:1: a word has 10 columns"):
        read_treebank(path)
    path.write_bytes(gzip.compress(b"# nothing\n\n"))
    with pytest.raises(InputError, match="holds no sentences"):
        read_treebank(path)
