from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from everyword.corpus.labelled.sets import TaggedSentences, Texts, read_tagged, read_texts
from everyword.errors import InputError


def write(path: Path, content: str) -> Path:
    path.write_bytes(gzip.compress(content.encode()) if path.suffix == ".gz" else content.encode())
    return path


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
def test_texts_are_read(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, 'label\ttext\n1\ta "fine film\r\n0\tno\u2028w . \n')

    assert read_texts(path) == Texts("a", (("a", '"fine', "film"), ("no", "w", ".")), ("1", "0"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("text\tlabel\n", r"a.tsv:1: the first line must read label<TAB>text"),
        ("label\ttext\n1\tgood\n1 bad\n", r"a.tsv:3: needs a label and a text between tabs"),
        ("label\ttext\n1\t \n", r"a.tsv:2: needs a label and a text"),
        ("label\ttext\n1\tone\ttwo\n", r"a.tsv:2: needs a label and a text"),
        ("label\ttext\n2\tgood\n", r"a.tsv:2: the label must be one of 0, 1. Got '2'"),
        ("label\ttext\n", r"a.tsv holds no texts"),
        ("", r"a.tsv is empty"),
    ],
)
def test_wrong_texts_are_refused_with_their_line(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_texts(write(tmp_path / "a.tsv", content), labels=["0", "1"])


def test_sentences_are_read_by_column(tmp_path: Path) -> None:
    path = write(tmp_path / "a.conll.gz", "Bill\tNNP\tB-PER\nGates\tNNP\tI-PER\n\n\nruns\tVBZ\tO")

    assert read_tagged(path) == TaggedSentences("a", (("Bill", "Gates"), ("runs",)), (("B-PER", "I-PER"), ("O",)))
    assert read_tagged(path, column=1, scheme="plain").tags == (("NNP", "NNP"), ("VBZ",))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a O\nb\n", r"a.conll:2: has no column 1; it has 1 columns"),
        ("a\t\n", r"a.conll:1: needs a token and a tag"),
        ("a O\nb I-PER\n", r"a.conll:2: the tag 'I-PER' is not valid BIO"),
        ("a B-LOC\nb I-PER\n", r"a.conll:2: the tag 'I-PER' is not valid BIO"),
        ("a B-LOC\n\nb I-LOC\n", r"a.conll:3: the tag 'I-LOC' is not valid BIO"),
        ("a NNP\n", r"a.conll:1: the tag 'NNP' is not valid BIO.*scheme='plain'"),
        ("a B-\n", r"a.conll:1: the tag 'B-' is not valid BIO"),
        ("a B-GPE\n", r"a.conll:1: the tag must be one of"),
        ("\n\n", r"a.conll is empty"),
    ],
)
def test_wrong_sentences_are_refused_with_their_line(tmp_path: Path, content: str, message: str) -> None:
    tags = None if "GPE" not in content else ["O", "B-PER"]
    with pytest.raises(InputError, match=message):
        read_tagged(write(tmp_path / "a.conll", content), column=1, tags=tags)


def test_files_that_are_not_there_or_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.tsv.gz").write_bytes(b"no gzip")
    (tmp_path / "latin.tsv").write_bytes(b"label\ttext\n1\tcaf\xe9\n")
    for name, message in [
        ("none.tsv", "There is no file of labelled texts"),
        ("broken.tsv.gz", "is not a complete gzip file"),
        ("latin.tsv", "cannot be read as UTF-8"),
    ]:
        with pytest.raises(InputError, match=message):
            read_texts(tmp_path / name)
