from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from everyword.corpus.word_list import read_words
from everyword.errors import InputError


@pytest.mark.parametrize(
    "content",
    [
        "cat\nNew York\n\n cat \nnaïve\n",
        "word\tzipf\ncat\t7.73\nNew York\t7\nnaïve\t3.1\n",
        "cat\t120\r\nNew York\t7\r\nnaïve\t1",
        "\ufeffcat\tnoun\nNew York\tname\nnaïve\tadjective\n",
    ],
)
def test_lists_of_words(tmp_path: Path, content: str) -> None:
    plain, zipped = tmp_path / "words.txt", tmp_path / "words.txt.gz"
    plain.write_bytes(content.encode())
    zipped.write_bytes(gzip.compress(content.encode()))

    for path in (plain, zipped):
        assert read_words(path) == ["cat", "New York", "naïve"]
        assert read_words(path, limit=2) == ["cat", "New York"]


def test_the_words_of_a_table(teacher_path: Path) -> None:
    assert read_words(teacher_path, limit=3) == ["ban", "baner", "baning"]


def test_the_words_of_a_table_in_binary(tmp_path: Path, teacher_path: Path) -> None:
    from everyword.vectors.table import VectorTable

    VectorTable.load(teacher_path).save(tmp_path / "table.npy")

    assert read_words(tmp_path / "table.npy", limit=2) == ["ban", "baner"]


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_list_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "words.txt").write_text(content)

    with pytest.raises(InputError, match=r"words\.txt holds no words; one per line was expected"):
        read_words(tmp_path / "words.txt")
