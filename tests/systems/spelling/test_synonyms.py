from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from everyword.errors import InputError
from everyword.systems.spelling.related_words import NONE, SynonymsConfig, find_synonyms, read_synonym_pairs

WORDS = ["big", "large", "huge", "cat"]
TARGETS = np.array([[1, 0], [0.8, 0.6], [0.6, 0.8], [-1, 0]], dtype=np.float32)


def test_the_teachers_neighbours_above_the_threshold_best_first() -> None:
    assert find_synonyms(WORDS, TARGETS, SynonymsConfig(top=2)).tolist() == [[1, 2], [2, 0], [1, 0], [NONE, NONE]]
    assert find_synonyms(WORDS, TARGETS, SynonymsConfig(top=2, min_cosine=0.7)).tolist()[0] == [1, NONE]


@pytest.mark.parametrize("packed", [False, True])
def test_a_list_gives_only_its_own_pairs(tmp_path: Path, packed: bool) -> None:
    text = b"word\tsynonym\tpos\nbig\thuge\ta\nbig\tlarge\ta\nbig\tcat\tn\nbig\tvast\ta\n\n"
    path = tmp_path / ("pairs.tsv.gz" if packed else "pairs.tsv")
    path.write_bytes(gzip.compress(text) if packed else text)
    synonyms = find_synonyms(WORDS, TARGETS, SynonymsConfig(file=str(path), top=3))
    assert synonyms.tolist() == [[1, 2, NONE], [NONE] * 3, [NONE] * 3, [NONE] * 3]


def test_words_without_a_listed_synonym_are_filled_with_the_teachers_neighbours(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("big\thuge\n")
    synonyms = find_synonyms(WORDS, TARGETS, SynonymsConfig(file=str(path), fill=True, top=2, min_cosine=0.6))
    # "big" keeps its one listed synonym; "cat" is near to nothing; no word is its own synonym.
    assert synonyms.tolist() == [[2, NONE], [2, 0], [1, 0], [NONE, NONE]]


def test_a_list_for_every_word_leaves_nothing_to_fill(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text("big\tlarge\nlarge\tbig\n")
    config = SynonymsConfig(file=str(path), fill=True, top=1)
    assert find_synonyms(WORDS[:2], TARGETS[:2], config).tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"big huge\n", r"pairs.tsv:1: a line needs a word, a tab and a synonym"),
        (b"\xff\xfe", "cannot be read as UTF-8"),
        (b"red\tscarlet\n", "has no pair of words that the teacher knows"),
    ],
)
def test_a_bad_list_is_one_sentence(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        find_synonyms(WORDS, TARGETS, SynonymsConfig(file=str(path)))


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no synonym file"):
        read_synonym_pairs(tmp_path / "nothing.tsv")
    (tmp_path / "broken.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match=r"broken.gz is not a complete gzip file"):
        read_synonym_pairs(tmp_path / "broken.gz")
