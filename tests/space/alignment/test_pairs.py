"""Dictionaries from files."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.space.alignment import read_dictionary
from everyword.space.alignment.pairs import look_up
from everyword.vectors.table import VectorTable


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


def test_a_dictionary_of_the_other_direction_is_refused() -> None:
    german = VectorTable(["katze", "hund", "haus", "taxi"], np.eye(4, dtype=np.float32))
    english = VectorTable(["cat", "dog", "house", "taxi"], np.eye(4, dtype=np.float32))
    words = [("cat", "katze"), ("dog", "hund"), ("house", "haus"), ("taxi", "taxi")]
    with pytest.raises(InputError, match=r"Only 1 of the 4 pairs .* but 4 are if the columns are swapped"):
        look_up(words, german, english)
    assert len(look_up(words, english, german)) == 4
