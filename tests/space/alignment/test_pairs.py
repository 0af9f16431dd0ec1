"""Dictionaries from files."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from everyword.errors import InputError
from everyword.space.alignment import read_dictionary


def test_pairs_are_read_with_and_without_a_first_line(tmp_path: Path) -> None:
    path = tmp_path / "d.tsv"
    for first in ("", "source\ttarget\n"):
        path.write_text(f"{first}cat\tKatze\ndog\tHund\ncat\tKatze\ncat\tKater\n", encoding="utf-8")
        assert read_dictionary(path) == [("cat", "Katze"), ("dog", "Hund"), ("cat", "Kater")]


def test_translation_lists_of_wiktionary_are_read(tmp_path: Path) -> None:
    path = tmp_path / "en-de.tsv.gz"
    path.write_bytes(gzip.compress(b"english\tpos\ttranslation\ncat\tn\tKatze\n"))
    assert read_dictionary(path) == [("cat", "Katze")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("cat\tKatze\ndog\n", r"d\.tsv:2: needs two words with a tab between them. Got 'dog'; fix it"),
        ("cat\t \n", r"d\.tsv:1: needs two words"),
        ("source\ttarget\n", "holds no pair of words"),
        ("", "is empty; a dictionary was expected"),
    ],
)
def test_what_is_no_dictionary_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "d.tsv").write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_dictionary(tmp_path / "d.tsv")
